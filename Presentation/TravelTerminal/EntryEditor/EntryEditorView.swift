/// The form of an entry.
@MainActor
final class EntryEditorView: ScreenView {
    private enum Row: Hashable {
        case day, time, title, text, place, placeResult(Int), placeNote, removePlace, image, removeImage, save

        /// The field that has the problem of the row.
        var field: EntryDraft.Field? {
            switch self {
            case .day: .day
            case .time: .time
            case .title: .title
            case .text: .text
            case .image, .removeImage: .image
            case .place, .placeResult, .placeNote, .removePlace, .save: nil
            }
        }
    }

    /// How many places are offered.
    private static let placeCount = 5

    private let context: AppContext
    private let store: BoundStore<EntryEditorFlow.State, EntryEditorFlow.Action>
    private var form = Form<Row>([])
    private var imagePath = ""
    private var overlay: EditorOverlay

    init(_ store: BoundStore<EntryEditorFlow.State, EntryEditorFlow.Action>, in context: AppContext) {
        self.store = store
        self.context = context
        overlay = EditorOverlay(context)
        store.send(.appeared)
    }

    var title: String { context.language[store.state.isNew ? .addEntry : .editEntry] }

    var keys: [KeyLine.Item] {
        if overlay.isShown { return overlay.keys }
        if case .failed(let failure) = store.state.status.phase {
            return (failure.canRetry ? [context.item("r", .retry)] : []) + [context.item("Esc", .back)]
        }
        return [
            context.item("Tab ↑↓", .nextField), context.item("Ctrl-S", .save), context.item("↵", .choose),
            context.item("Esc", .back),
        ]
    }

    var takesText: Bool { !overlay.isShown }
    var hasUnsavedChanges: Bool { store.state.hasChanges || !imagePath.isEmpty }

    func receive(_ result: ScreenResult) {}
    func close() { store.dismiss() }

    /// Builds the form of the current state; what has the keys keeps them.
    private func update() {
        let state = store.state
        overlay.follow(asksToDiscard: state.status.asksToDiscard, hasConflict: state.conflict != nil)
        let language = context.language
        func message(_ field: EntryDraft.Field) -> String? { state.problem(of: field)?.text(in: language) }
        let days = state.days
        let day = days.flatMap { (1...$0.count).contains(state.draft.day) ? $0[state.draft.day - 1] : nil }
        var rows = [
            .init(
                .day, language[.day],
                .stepper(
                    Stepper(
                        state.draft.day, in: 1...max(1, days?.count ?? 1),
                        text: language[.day(state.draft.day)] + (day.map { " · \($0.text(in: language))" } ?? ""))),
                message: message(.day)),
            form.textRow(.time, language[.time], state.draft.time, placeholder: "09:30", message: message(.time)),
            form.textRow(.title, language[.title], state.draft.title, message: message(.title)),
        ]
        rows += placeRows(language)
        var area = if case .area(let old, _) = form[.text] { old } else { TextArea(state.draft.text) }
        area.set(state.draft.text)
        rows.append(.init(.text, language[.text], .area(area, rows: 5), message: message(.text)))
        rows += [
            form.imageRow(
                .image, remove: .removeImage, state.draft.image, path: imagePath, isReading: state.isReadingImage,
                message: message(.image), in: language),
            form.saveRow(
                .save, isSaving: state.status.phase == .saving, isEnabled: state.canSave, in: language),
        ]
        form.replaceRows(rows)
    }

    private func placeRows(_ language: Language) -> [Form<Row>.Row] {
        let state = store.state
        if let place = state.draft.place {
            let title = "⌖ \(place.name.onOneLine) · \(language[.removePlace])"
            return [.init(.removePlace, language[.place], .button(Button(title)))]
        }
        var rows = [
            form.textRow(
                .place, language[.place], state.places.text, placeholder: language[.placePlaceholder],
                message: state.places.failure?.message(in: language).text)
        ]
        guard let results = state.places.results, !state.places.text.isEmpty else { return rows }
        if results.isEmpty { rows.append(.init(.placeNote, "", .note(language[.noPlaceFound]))) }
        for (index, known) in results.prefix(Self.placeCount).enumerated() {
            let address = known.place.address.isEmpty ? "" : ", \(known.place.address)"
            rows.append(.init(.placeResult(index), "", .button(Button("\(known.place.name)\(address)".onOneLine))))
        }
        return rows
    }

    // MARK: Keys

    func handle(_ event: InputEvent) -> Bool {
        update()
        if overlay.isShown {
            switch overlay.handle(event) {
            case .discard(let isYes): store.send(.discardAnswered(isYes))
            case .keepMine: store.send(.keepMineTapped)
            case .takeTheirs: store.send(.takeTheirsTapped)
            case .closeConflict: store.send(.conflictClosed)
            case nil: break
            }
            return true
        }
        if case .failed = store.state.status.phase, event == .key(.character("r")) {
            store.send(.retryTapped)
            return true
        }
        let focus = form.focus
        switch event {
        case .key(.escape): store.send(.backTapped)
        case .key(.control("s")) where !imagePath.isEmpty: pickImage()
        case .key(.control("s")): store.send(.saveTapped)
        case .key(.enter) where focus == .image && !imagePath.isEmpty: pickImage()
        case .paste(let text): return apply(form.paste(text), leaving: focus)
        case .key(let key):
            let outcome = form.handle(key)
            if outcome == .ignored && key == .character("?") { return false }
            return apply(outcome, leaving: focus)
        }
        return true
    }

    private func apply(_ outcome: Form<Row>.Outcome, leaving focus: Row?) -> Bool {
        switch outcome {
        case .ignored: return store.state.status.phase == .editing
        case .moved:
            if focus == .image, !imagePath.isEmpty {
                pickImage()
            } else if let field = focus?.field {
                store.send(.fieldLeft(field))
            }
        case .changed(.day): if case .stepper(let stepper) = form[.day] { store.send(.dayPicked(stepper.value)) }
        case .changed(.time): store.send(.timeTyped(form.text(.time)))
        case .changed(.title): store.send(.titleTyped(form.text(.title)))
        case .changed(.text): store.send(.textTyped(form.text(.text)))
        case .changed(.place): store.send(.placeTyped(form.text(.place)))
        case .changed(.image): imagePath = form.text(.image)
        case .pressed(.placeResult(let index)):
            if let results = store.state.places.results, results.indices.contains(index) {
                store.send(.placePicked(results[index].place))
                update()
                form.focus(.text)
            }
        case .pressed(.removePlace):
            store.send(.placeRemoved)
            update()
            form.focus(.place)
        case .pressed(.removeImage): store.send(.imageRemoved)
        case .pressed(.save): store.send(.saveTapped)
        case .changed, .pressed: break
        }
        return true
    }

    private func pickImage() {
        store.send(.imagePicked(imagePath))
        imagePath = ""
    }

    // MARK: Drawing

    func render(into grid: inout Grid, in rect: Rect) {
        update()
        switch store.state.status.phase {
        case .loading: grid.draw(context.language[.loading], in: rect.inset(columns: 2, rows: 1), Styles.dim)
        case .failed(let failure):
            grid.draw(failure.message(in: context.language).text, in: rect.inset(columns: 2, rows: 1), Styles.error)
        case .editing, .saving:
            form.render(into: &grid, in: rect.inset(columns: 1), isFocused: !overlay.isShown)
        }
        let conflict = store.state.conflict
        overlay.render(
            conflict?.theirs == nil ? [] : conflict?.lines(in: context.language) ?? [], into: &grid, in: rect)
    }
}
