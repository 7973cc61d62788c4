@MainActor
final class TravelEditorView: EditorView {
    enum Row: Hashable {
        case title, firstDay, lastDay, choice(FilterKind), image, removeImage, save

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

    static let imageRow = Row.image

    let context: AppContext
    let store: BoundStore<TravelEditorFlow.State, TravelEditorFlow.Action>
    var form = Form<Row>([])
    var imagePath = ""
    var overlay: EditorOverlay
    private let isNew: Bool

    init(_ store: BoundStore<TravelEditorFlow.State, TravelEditorFlow.Action>, isNew: Bool, in context: AppContext) {
        self.store = store
        self.isNew = isNew
        self.context = context
        overlay = EditorOverlay(context)
        store.send(.appeared)
    }

    var title: String { context.language[isNew ? .writeTrip : .editTrip] }

    var restorableText: String? { store.state.restorableText }

    var keys: [KeyLine.Item] {
        keys([
            context.item("Tab ↑↓", .nextField), context.item("←→ Space", .choose), context.item("Ctrl-S", .save),
            context.item("Esc", .back),
        ])
    }

    func update() {
        let state = store.state
        let language = context.language
        func message(_ field: TravelDraft.Field) -> String? { state.problem(of: field)?.text(in: language) }
        var rows = [
            form.textRow(.title, language[.title], state.draft.title, message: message(.title)),
            form.textRow(
                .firstDay, language[.firstDay], state.draft.firstDay, placeholder: "2026-05-01",
                message: message(.firstDay)),
            form.textRow(
                .lastDay, language[.lastDay], state.draft.lastDay,
                placeholder: state.draft.impliedLastDay ?? "2026-05-03", message: message(.lastDay)),
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

    func moveOn(from row: Row?) -> Bool {
        guard row != .save, row != .removeImage else { return false }
        _ = form.handle(.tab)
        leave(row)
        return true
    }

    func apply(_ outcome: Form<Row>.Outcome, leaving focus: Row?) -> Bool {
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
}
