@MainActor
final class EntryEditorView: EditorView {
    enum Row: Hashable {
        case day, time, title, text, place, placeResult(Int), placeNote, removePlace, image, removeImage, save

        var field: EntryDraft.Field? {
            switch self {
            case .day: .day
            case .time: .time
            case .title: .title
            case .text: .text
            case .place, .removePlace: .place
            case .image, .removeImage: .image
            case .placeResult, .placeNote, .save: nil
            }
        }
    }

    static let imageRow = Row.image
    private static let placeCount = 5

    let context: AppContext
    let store: BoundStore<EntryEditorFlow.State, EntryEditorFlow.Action>
    var form = Form<Row>([])
    var imagePath = ""
    var overlay: EditorOverlay

    init(_ store: BoundStore<EntryEditorFlow.State, EntryEditorFlow.Action>, in context: AppContext) {
        self.store = store
        self.context = context
        overlay = EditorOverlay(context)
        store.send(.appeared)
    }

    var title: String { context.language[store.state.isNew ? .addEntry : .editEntry] }

    var keys: [KeyLine.Item] {
        keys([
            context.item("Tab ↑↓", .nextField), context.item("Ctrl-S", .save), context.item("↵", .choose),
            context.item("Esc", .back),
        ])
    }

    func update() {
        let state = store.state
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
            let title = "\(place.coordinate == nil ? "" : "⌖ ")\(place.name.onOneLine) · \(language[.removePlace])"
            return [.init(.removePlace, language[.place], .button(Button(title)))]
        }
        var rows = [
            form.textRow(
                .place, language[.place], state.places.text, placeholder: language[.placePlaceholder],
                message: state.problem(of: .place)?.text(in: language)
                    ?? state.places.failure?.message(in: language).text)
        ]
        guard let results = state.places.results else { return rows }
        if results.isEmpty { rows.append(.init(.placeNote, "", .note(language[.noPlaceFound]))) }
        for (index, known) in results.prefix(Self.placeCount).enumerated() {
            let address = known.place.address.isEmpty ? "" : ", \(known.place.address)"
            rows.append(.init(.placeResult(index), "", .button(Button("\(known.place.name)\(address)".onOneLine))))
        }
        return rows
    }

    // MARK: Keys

    func moveOn(from row: Row?) -> Bool { false }

    func apply(_ outcome: Form<Row>.Outcome, leaving focus: Row?) -> Bool {
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
}
