/// The form of a travel.
@MainActor
final class TravelEditorView: ScreenView {
    private enum Row: Hashable {
        case title, firstDay, lastDay, choice(FilterKind), image, removeImage, save

        /// The field that has the problem of the row.
        var field: TravelDraft.Field? {
            switch self {
            case .title: .title
            case .firstDay: .firstDay
            case .lastDay: .lastDay
            case .choice(.region): .region
            case .image, .removeImage: .image
            case .choice, .save: nil
            }
        }
    }

    private let context: AppContext
    private let store: BoundStore<TravelEditorFlow.State, TravelEditorFlow.Action>
    private var form = Form<Row>([])
    private var imagePath = ""
    private var overlay: EditorOverlay
    /// Whether the travel is a new one, which the title says.
    private let isNew: Bool

    init(_ store: BoundStore<TravelEditorFlow.State, TravelEditorFlow.Action>, isNew: Bool, in context: AppContext) {
        self.store = store
        self.isNew = isNew
        self.context = context
        overlay = EditorOverlay(context)
        store.send(.appeared)
    }

    var title: String { context.language[isNew ? .writeTrip : .editTrip] }

    var keys: [KeyLine.Item] {
        if overlay.isShown { return overlay.keys }
        if case .failed(let failure) = store.state.status.phase {
            return (failure.canRetry ? [context.item("r", .retry)] : []) + [context.item("Esc", .back)]
        }
        return [
            context.item("Tab ↑↓", .nextField), context.item("←→ Space", .choose), context.item("Ctrl-S", .save),
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
        func message(_ field: TravelDraft.Field) -> String? { state.problem(of: field)?.text(in: language) }
        var rows = [
            form.textRow(.title, language[.title], state.draft.title, message: message(.title)),
            form.textRow(
                .firstDay, language[.firstDay], state.draft.firstDay, placeholder: "2026-05-01",
                message: message(.firstDay)),
            form.textRow(
                .lastDay, language[.lastDay], state.draft.lastDay, placeholder: "2026-05-03", message: message(.lastDay)
            ),
        ]
        rows += TravelDraft.choices.map { kind in
            form.chipRow(
                .choice(kind), kind.name(in: language),
                kind.options.map { .init(label: $0.name(in: language), isOn: state.draft.contains($0)) },
                message: kind == .region ? message(.region) : nil)
        }
        rows += [
            form.imageRow(
                .image, remove: .removeImage, state.draft.image, path: imagePath, isReading: state.isReadingImage,
                message: message(.image), in: language),
            form.saveRow(
                .save, isSaving: state.status.phase == .saving, isEnabled: state.canSave, in: language),
        ]
        form.replaceRows(rows)
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
        case .key(.enter) where focus == .image && !form.text(.image).isEmpty: pickImage()
        case .key(.enter) where focus != .save && focus != .removeImage:
            _ = form.handle(.tab)
            leave(focus)
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
        case .moved: leave(focus)
        case .changed(.title): store.send(.titleTyped(form.text(.title)))
        case .changed(.firstDay): store.send(.firstDayTyped(form.text(.firstDay)))
        case .changed(.lastDay): store.send(.lastDayTyped(form.text(.lastDay)))
        case .changed(.image): imagePath = form.text(.image)
        case .changed(.choice(let kind)):
            for (index, option) in kind.options.enumerated() {
                let isOn = form.chosen(.choice(kind)).contains(index)
                if isOn != store.state.draft.contains(option) {
                    store.send(.optionTapped(option))
                    break
                }
            }
        case .pressed(.save): store.send(.saveTapped)
        case .pressed(.removeImage): store.send(.imageRemoved)
        case .changed, .pressed: break
        }
        return true
    }

    private func leave(_ row: Row?) {
        if row == .image, !imagePath.isEmpty { return pickImage() }
        if let field = row?.field { store.send(.fieldLeft(field)) }
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
        overlay.render(store.state.conflict?.lines(in: context.language) ?? [], into: &grid, in: rect)
    }
}
