@MainActor
final class EntryEditorView: EditorView {
    enum Row: Hashable {
        case day, time, title, text, place, placeResult(Int), placeNote, removePlace
        case pictureText(TripImage.ID), pictureActions(TripImage.ID), image, save

        var field: EntryDraft.Field? {
            switch self {
            case .day: .day
            case .time: .time
            case .title: .title
            case .text: .text
            case .place, .removePlace: .place
            case .pictureText, .pictureActions, .image: .pictures
            case .placeResult, .placeNote, .save: nil
            }
        }
    }

    static let imageRow = Row.image
    private static let placeCount = 5

    let context: AppContext
    var form = Form<Row>([])
    var imagePath = ""
    var dialog: Dialog?
    var conflictRow = 0
    private let store: BoundStore<EntryEditorFlow>

    init(_ store: BoundStore<EntryEditorFlow>, in context: AppContext) {
        self.store = store
        self.context = context
        send(.appeared)
    }

    var editor: EditorFlow<EntryDraft>.State { store.state.form }

    func send(_ action: EditorFlow<EntryDraft>.Action) { store.send(.form(action)) }

    var title: String { context.language[editor.isNew ? .addEntry : .editEntry] }

    var keys: [KeyLine.Item] {
        keys([
            context.item("Tab ↑↓", .nextField), context.item("Ctrl-S", .save), context.item("↵", .choose),
            context.item("Esc", .back),
        ])
    }

    func update() {
        let state = editor
        let language = context.language
        let days = store.state.days
        let day = days.flatMap { (1...$0.count).contains(state.draft.day) ? $0[state.draft.day - 1] : nil }
        var rows = [
            .init(
                .day, language[.day],
                Stepper(
                    state.draft.day, in: 1...max(1, days?.count ?? 1),
                    text: language[.day(state.draft.day)] + (day.map { " · \($0.text(in: language))" } ?? "")),
                message: message(.day)),
            form.textRow(.time, language[.time], state.draft.time, placeholder: "09:30", message: message(.time)),
            form.textRow(.title, language[.title], state.draft.title, message: message(.title)),
        ]
        rows += placeRows(language)
        var area = form[.text] as? TextArea ?? TextArea(state.draft.text, rows: 5)
        area.set(state.draft.text)
        rows.append(.init(.text, language[.text], area, message: message(.text)))
        form.replaceRows(rows + pictureRows(language) + [imageRow(.image, language), saveRow(.save)])
    }

    /// Two rows for each picture: its description, and what can be done with it.
    private func pictureRows(_ language: Language) -> [Form<Row>.Row] {
        zip(1..., editor.draft.pictures).flatMap { number, picture -> [Form<Row>.Row] in
            let taken = picture.taken.map { "\($0.day) \($0.time)" }
            let chips = PictureAction.actions(for: picture, at: number - 1, of: editor.draft.pictures.count)
                .map { ChipRow.Chip(label: $0.label(in: language), isOn: false) }
            return [
                form.textRow(
                    .pictureText(picture.id), "▣ \(number)", picture.text, placeholder: language[.pictureText]),
                form.chipRow(.pictureActions(picture.id), taken ?? "", chips),
            ]
        }
    }

    /// What a chip of a picture does.
    private enum PictureAction {
        case up, down, togglePosition(isShown: Bool), removePosition, removeTime, remove

        static func actions(for picture: DraftPicture, at index: Int, of count: Int) -> [PictureAction] {
            var actions: [PictureAction] = []
            if index > 0 { actions.append(.up) }
            if index < count - 1 { actions.append(.down) }
            switch picture.position {
            case .shown: actions += [.togglePosition(isShown: true), .removePosition]
            case .mineOnly: actions += [.togglePosition(isShown: false), .removePosition]
            case .withheld, nil: break
            }
            if picture.taken != nil { actions.append(.removeTime) }
            return actions + [.remove]
        }

        func label(in language: Language) -> String {
            switch self {
            case .up: "↑"
            case .down: "↓"
            case .togglePosition(let isShown): "⌖ " + language[isShown ? .hidePosition : .showPosition]
            case .removePosition: language[.removePosition]
            case .removeTime: language[.removePictureTime]
            case .remove: language[.removeImage]
            }
        }

        func change(_ id: TripImage.ID, at index: Int) -> EntryDraft.Change {
            switch self {
            case .up: .pictureMoved(id, to: index - 1)
            case .down: .pictureMoved(id, to: index + 1)
            case .togglePosition: .picturePositionTapped(id)
            case .removePosition: .picturePositionRemoved(id)
            case .removeTime: .pictureTimeRemoved(id)
            case .remove: .pictureRemoved(id)
            }
        }
    }

    /// Does what the chip says that was chosen, if one was: moving between chips chooses none.
    private func act(on id: TripImage.ID) {
        let pictures = editor.draft.pictures
        guard let chosen = form.chosen(.pictureActions(id)).first,
            let index = pictures.firstIndex(where: { $0.id == id })
        else { return }
        let actions = PictureAction.actions(for: pictures[index], at: index, of: pictures.count)
        guard actions.indices.contains(chosen) else { return }
        send(.edited(actions[chosen].change(id, at: index)))
        update()
    }

    private func placeRows(_ language: Language) -> [Form<Row>.Row] {
        let places = store.state.places
        if let place = editor.draft.place {
            let title = "\(place.coordinate == nil ? "" : "⌖ ")\(place.name.onOneLine) · \(language[.removePlace])"
            return [.init(.removePlace, language[.place], Button(title))]
        }
        var rows = [
            form.textRow(
                .place, language[.place], places.text, placeholder: language[.placePlaceholder],
                message: message(.place) ?? places.failure?.text(in: language))
        ]
        guard let results = places.results else { return rows }
        if results.isEmpty { rows.append(.init(.placeNote, "", Note(language[.noPlaceFound]))) }
        for (index, known) in results.prefix(Self.placeCount).enumerated() {
            let address = known.place.address.isEmpty ? "" : ", \(known.place.address)"
            rows.append(.init(.placeResult(index), "", Button("\(known.place.name)\(address)".onOneLine)))
        }
        return rows
    }

    // MARK: Keys

    func moveOn(from row: Row?) -> Bool { false }

    func apply(_ outcome: Form<Row>.Outcome, leaving focus: Row?) -> Bool {
        switch outcome {
        case .ignored: return editor.phase == .editing
        case .moved:
            if focus == .image, !imagePath.isEmpty {
                pickImage()
            } else if let field = focus?.field {
                send(.fieldLeft(field))
            }
        case .changed(.day): if let stepper = form[.day] as? Stepper { send(.edited(.dayPicked(stepper.value))) }
        case .changed(.time): send(.edited(.timeTyped(form.text(.time))))
        case .changed(.title): send(.edited(.titleTyped(form.text(.title))))
        case .changed(.text): send(.edited(.textTyped(form.text(.text))))
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
        case .changed(.pictureText(let id)): send(.edited(.pictureDescribed(id, form.text(.pictureText(id)))))
        case .changed(.pictureActions(let id)): act(on: id)
        case .pressed(.save): send(.saveTapped)
        case .changed, .pressed: break
        }
        return true
    }
}
