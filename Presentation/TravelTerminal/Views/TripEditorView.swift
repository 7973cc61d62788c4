@MainActor
final class TripEditorView: EditorView {
    enum Row: Hashable {
        case title, firstDay, lastDay, choice(FilterKind), audience, image, removeImage, save

        var field: TripDraft.Field? {
            switch self {
            case .title: .title
            case .firstDay: .firstDay
            case .lastDay: .lastDay
            case .choice(.region): .region
            case .image, .removeImage: .image
            case .choice, .audience, .save: nil
            }
        }
    }

    static let imageRow = Row.image

    let context: AppContext
    var form = Form<Row>([])
    var imagePath = ""
    var dialog: Dialog?
    var conflictRow = 0
    private let store: BoundStore<TripEditorFlow>

    init(_ store: BoundStore<TripEditorFlow>, in context: AppContext) {
        self.store = store
        self.context = context
        store.send(.appeared)
    }

    var editor: TripEditorFlow.State { store.state }

    func send(_ action: TripEditorFlow.Action) { store.send(action) }

    var title: String { context.language[editor.isNew ? .writeTrip : .editTrip] }

    var keys: [KeyLine.Item] {
        keys([
            context.item("Tab ↑↓", .nextField), context.item("←→ Space", .choose), context.item("Ctrl-S", .save),
            context.item("Esc", .back),
        ])
    }

    func update() {
        let state = editor
        let language = context.language
        var rows = [
            form.textRow(.title, language[.title], state.draft.title, message: message(.title)),
            form.textRow(
                .firstDay, language[.firstDay], state.draft.firstDay, placeholder: "2026-05-01",
                message: message(.firstDay)),
            form.textRow(
                .lastDay, language[.lastDay], state.draft.lastDay,
                placeholder: state.draft.impliedLastDay ?? "2026-05-03", message: message(.lastDay)),
        ]
        rows += TripDraft.choices.map { kind in
            form.chipRow(
                .choice(kind), kind.name(in: language),
                kind.options.map { .init(label: $0.name(in: language), isOn: state.draft.contains($0)) },
                message: kind == .region ? message(.region) : nil)
        }
        rows.append(
            form.chipRow(
                .audience, language[.audience],
                Audience.Level.allCases.map {
                    .init(label: $0.name(in: language), isOn: state.draft.audience.level == $0)
                }, message: nil))
        let image: Form<Row>.Row =
            editor.draft.image == nil
            ? imageRow(.image, language)
            : .init(
                .removeImage, language[.image], Button("▣ \(language[.removeImage])"), message: message(.image))
        form.replaceRows(rows + [image, saveRow(.save)])
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
        case .ignored: return editor.phase == .editing
        case .moved: leave(focus)
        case .changed(.title): send(.edited(.titleTyped(form.text(.title))))
        case .changed(.firstDay): send(.edited(.firstDayTyped(form.text(.firstDay))))
        case .changed(.lastDay): send(.edited(.lastDayTyped(form.text(.lastDay))))
        case .changed(.image): imagePath = form.text(.image)
        case .changed(.choice(let kind)):
            let chosen = form.chosen(.choice(kind)).map { kind.options[$0] }
            let changed = kind.options.first { chosen.contains($0) != editor.draft.contains($0) }
            if let changed { send(.edited(.optionTapped(changed))) }
        case .changed(.audience):
            let levels = Audience.Level.allCases
            let chosen = form.chosen(.audience).map { levels[$0] }
            // A tap on the chosen one leaves it.
            let level = chosen.first { $0 != editor.draft.audience.level } ?? editor.draft.audience.level
            send(.edited(.audienceTapped(level)))
        case .pressed(.save): send(.saveTapped)
        case .pressed(.removeImage): send(.imageRemoved)
        case .changed, .pressed: break
        }
        return true
    }

    private func leave(_ row: Row?) {
        if row == .image, !imagePath.isEmpty { return pickImage() }
        if let field = row?.field { send(.fieldLeft(field)) }
    }
}
