import Foundation
internal import TravelPages

/// The form of an entry, new or stored: when, where, what, and its pictures.
struct EntryEditorPage: ScreenPage {
    typealias State = EntryPlaceFlow.State
    typealias Action = EntryPlaceFlow.Action

    private let context: PageContext
    private let controls: Controls

    private typealias Form = EditorForm<EntryDraft>

    private static let placeCount = 8

    init(_ context: PageContext) {
        self.context = context
        controls = Controls(context)
    }

    func title(of state: State) -> String { context[state.form.isNew ? .addEntry : .editEntry] }
    func hasUnsavedChanges(_ state: State) -> Bool { state.form.wouldLoseInput }

    func isLoading(_ state: State) -> Bool {
        let places = state.places
        let isSearching = Keyword(places.text) != nil && places.results == nil && places.failure == nil
        return state.form.isWorking || isSearching
    }

    // MARK: Inputs

    func actions(for input: PageInput, in state: State) -> [Action]? {
        switch input {
        case .field("place", let value):
            return state.form.draft.place != nil || value == state.places.text ? [] : [.placeTyped(value)]
        case .field("restore", let value): return Restored(value).map { $0.actions(in: state) } ?? []
        case .field(let name, let value):
            if let choices = Form.choices(for: name, value, in: state.form) { return choices.map { .form($0) } }
            return changes(for: name, value, state)?.map { .form(.edited($0)) }
        case .control(let control): return actions(for: control, in: state)
        case .link, .history: return nil
        }
    }

    private static func field(_ name: String) -> EntryDraft.Field? {
        switch name {
        case "day": .day
        case "time": .time
        case "title": .title
        case "text": .text
        case "place": .place
        default: nil
        }
    }

    /// A field that says what the form has changes nothing: all fields are sent with each control.
    private func changes(for name: String, _ value: String, _ state: State) -> [EntryDraft.Change]? {
        let draft = state.form.draft
        switch name {
        case "day":
            guard let days = state.days, let first = days.first?.day, let day = try? CalendarDay(value) else {
                return []
            }
            // A day of another trip is one that this trip does not have, which the form says.
            let number = first.days(until: day) + 1
            return number == draft.day ? [] : [.dayPicked(number)]
        case "time": return value == draft.time ? [] : [.timeTyped(value)]
        case "title": return value == draft.title ? [] : [.titleTyped(value)]
        case "text":
            // A form has carriage returns before line feeds.
            let text = value.replacingOccurrences(of: "\r\n", with: "\n")
            return text == draft.text ? [] : [.textTyped(text)]
        default:
            guard name.hasPrefix("describe-") else { return nil }
            guard let id = TripImage.ID(name.dropFirst("describe-".count)),
                let picture = draft.pictures.first(where: { $0.id == id }), picture.text != value
            else { return [] }
            return [.pictureDescribed(id, value)]
        }
    }

    private func actions(for control: PageInput.Control, in state: State) -> [Action]? {
        let pictures = state.form.draft.pictures
        func picture(_ change: (TripImage.ID, Int) -> EntryDraft.Change) -> [Action] {
            let parts = control.argument.split(separator: " ")
            guard let id = parts.first.flatMap({ TripImage.ID($0) }),
                let index = pictures.firstIndex(where: { $0.id == id })
            else { return [] }
            return [.form(.edited(change(id, index)))]
        }
        switch control.name {
        case "search-places": return []
        case "pick-place":
            let known = state.places.results?.first { Self.text(of: $0.place) == control.argument }
            return known.map { [.placePicked($0.place)] } ?? []
        case "remove-place": return [.placeRemoved]
        case "move-left": return picture { .pictureMoved($0, to: $1 - 1) }
        case "move-right": return picture { .pictureMoved($0, to: $1 + 1) }
        case "move":
            guard let place = control.argument.split(separator: " ").last.flatMap({ Int($0) }) else { return [] }
            return picture { id, _ in .pictureMoved(id, to: place) }
        case "show-position": return picture { id, _ in .picturePositionTapped(id) }
        case "remove-position": return picture { id, _ in .picturePositionRemoved(id) }
        case "remove-time": return picture { id, _ in .pictureTimeRemoved(id) }
        case "remove-picture": return picture { id, _ in .pictureRemoved(id) }
        default:
            return Form.actions(for: control, in: state.form, field: Self.field)?.map { .form($0) }
        }
    }

    /// A place by which it is picked: where it is, and its name.
    private static func text(of place: Place) -> String {
        (place.coordinate.map { "\($0.latitude) \($0.longitude) " } ?? "") + place.name
    }

    // MARK: View

    func view(of state: State) -> HTML {
        let form = Form(state.form, controls)
        let draft = state.form.draft
        return form.html(title(of: state)) {
            HTML("input", ["type": "hidden", "name": "restore", "value": Restored(state.form).text])
            HTML("div", ["class": "row"]) {
                day(draft, state.days, form)
                form.input("time", .time, draft.time, .time, type: "time")
            }
            form.input("title", .title, draft.title, .title)
            place(state, form)
            form.textArea("text", .text, draft.text, .text)
            // Before the pictures, however many there are: what could not be taken is seen.
            form.files(.pictures, .pictures)
            HTML("section", ["id": "editor-pictures", "aria-label": context[.pictures]]) {
                HTML("ol", ["id": "pictures", "class": "editing"]) {
                    for (index, picture) in draft.pictures.enumerated() {
                        self.picture(picture, index, of: draft.pictures.count, state.days)
                    }
                }
            }
        }
    }

    @HTML.Builder
    private func day(_ draft: EntryDraft, _ days: DayTabs?, _ form: Form) -> HTML {
        if let first = days?.first?.day, let last = days?.last?.day {
            form.input(
                "day", .day, first.adding(days: draft.day - 1).description, .day, type: "date",
                hint: context.language[.day(draft.day)], minimum: first.description, maximum: last.description)
        }
    }

    private func place(_ state: State, _ form: Form) -> HTML {
        let places = state.places
        if let place = state.form.draft.place {
            return HTML("div", ["id": "field-place", "class": "field"]) {
                HTML("span", ["class": "label"]) { context[.place] }
                HTML("p", ["class": "place", "dir": "auto"]) {
                    HTML("b") { place.name }
                    if !place.address.isEmpty { " \(place.address)" }
                }
                controls.button(.init("remove-place"), .removePlace, style: "plain", form: Form.id)
            }
        }
        let results = (places.results ?? []).prefix(Self.placeCount)
        let isUnknown = places.results?.isEmpty == true
        return form.field(
            "place", context[.place], .place,
            hint: places.failure?.text(in: context.language) ?? (isUnknown ? context[.noPlaceFound] : nil)
        ) { id, description, isInvalid in
            HTML(
                "input",
                [
                    "id": id, "type": "text", "name": "place", "value": places.text, "data-live": "", "data-left": "",
                    "aria-describedby": description, "aria-invalid": isInvalid, "autocomplete": "off", "dir": "auto",
                    "placeholder": context[.placePlaceholder], "aria-controls": "places",
                    "readonly": state.form.phase == .saving ? "readonly" : nil,
                ])
            controls.button(.init("search-places"), .search, style: "plain unscripted", form: Form.id)
            HTML("ul", ["id": "places", "class": "places", "aria-label": context[.foundPlaces]]) {
                for known in results {
                    HTML("li") {
                        HTML(
                            "button",
                            [
                                "type": "submit", "form": Form.id, "name": "do", "class": "proposal", "dir": "auto",
                                "value": PageInput.Control("pick-place", Self.text(of: known.place)).text,
                            ]
                        ) {
                            HTML("b") { known.place.name }
                            if !known.place.address.isEmpty { " \(known.place.address)" }
                        }
                    }
                }
            }
        }
    }

    // MARK: Pictures

    private func picture(_ picture: DraftPicture, _ index: Int, of count: Int, _ days: DayTabs?) -> HTML {
        let id = "\(picture.id)"
        let number = Text("Photo \(index + 1)", "사진 \(index + 1)")
        return HTML("li", ["id": "picture-\(id)", "data-item": id]) {
            HTML(
                "img",
                [
                    "src": context.site.picture(picture.id, .small), "draggable": "true",
                    "alt": picture.text.isEmpty ? context[number] : picture.text,
                ])
            HTML("div") {
                HTML("label", ["for": "describe-\(id)"]) { "\(index + 1). \(context[.pictureText])" }
                HTML(
                    "input",
                    [
                        "id": "describe-\(id)", "type": "text", "name": "describe-\(id)", "value": picture.text,
                        "data-live": "", "dir": "auto", "autocomplete": "off",
                    ])
                facts(picture, days)
                HTML("p", ["class": "buttons"]) {
                    // Those at the ends stay, so that who holds a key keeps the focus.
                    move("move-left", .moveEarlier(number), "←", id, isAtEnd: index == 0)
                    move("move-right", .moveLater(number), "→", id, isAtEnd: index == count - 1)
                    controls.button(
                        .init("remove-picture", id), .removeImage, symbol: context[.remove], style: "plain",
                        form: Form.id)
                }
                details(picture)
            }
        }
    }

    /// When it was taken, and who sees where.
    @HTML.Builder
    private func facts(_ picture: DraftPicture, _ days: DayTabs?) -> HTML {
        let taken = picture.taken
        if let taken, isOutside(taken, days) { HTML("p", ["class": "problem"]) { context[.takenOutside(taken)] } }
        let facts = [
            taken.flatMap { isOutside($0, days) ? nil : "\($0.day) \($0.time)" },
            Self.sight(of: picture).map { context[$0] },
        ].compactMap(\.self)
        if !facts.isEmpty { HTML("p", ["class": "note"]) { facts.joined(separator: " · ") } }
    }

    private static func sight(of picture: DraftPicture) -> Text? {
        switch picture.position {
        case .shown: .positionIsShown
        case .mineOnly: .positionIsMine
        case .withheld, nil: nil
        }
    }

    /// What is done seldom with a picture.
    @HTML.Builder
    private func details(_ picture: DraftPicture) -> HTML {
        let id = "\(picture.id)"
        let hasPosition = Self.sight(of: picture) != nil
        let isShown = if case .shown = picture.position { true } else { false }
        if hasPosition || picture.taken != nil {
            HTML("details", ["id": "details-\(id)"]) {
                HTML("summary") { context[.timeAndPosition] }
                HTML("p", ["class": "buttons"]) {
                    if hasPosition {
                        controls.button(
                            .init("show-position", id), isShown ? .hidePosition : .showPosition,
                            style: "plain", form: Form.id)
                        controls.button(
                            .init("remove-position", id), .removePosition, style: "plain", form: Form.id)
                    }
                    if picture.taken != nil {
                        controls.button(.init("remove-time", id), .removePictureTime, style: "plain", form: Form.id)
                    }
                }
            }
        }
    }

    private func isOutside(_ taken: PhotoDate, _ days: DayTabs?) -> Bool {
        guard let first = days?.first?.day, let last = days?.last?.day else { return false }
        return !(first...last).contains(taken.day)
    }

    private func move(_ name: String, _ text: Text, _ symbol: String, _ id: String, isAtEnd: Bool) -> HTML {
        HTML(
            "button",
            [
                "type": "submit", "form": Form.id, "name": "do", "value": PageInput.Control(name, id).text,
                "class": "plain",
                "id": "\(name)-\(id)", "aria-label": context[text], "aria-disabled": isAtEnd ? "true" : nil,
            ]
        ) {
            HTML("span", ["aria-hidden": "true"]) { symbol }
        }
    }
}

/// What only the page knows when the form of an entry is posted without the script: the version that it has shown, with what
/// its form began with, its place, if that was picked, and its pictures in their order.
private struct Restored: Codable {
    struct Picture: Codable {
        let id: String
        let hasTime: Bool
        /// Whether everyone sees its position; `nil` for none.
        let showsPosition: Bool?
    }

    struct Place: Codable {
        let name, address: String
        let latitude, longitude: Double?
    }

    /// The number of the version of the trip that was seen.
    let version: Int?
    /// What the form began with, as text.
    let original: String?
    let place: Place?
    let pictures: [Picture]

    init(_ form: EditorFlow<EntryDraft>.State) {
        let draft = form.draft
        version = form.seenVersion?.number
        original = form.restorableOriginal
        place = draft.place.map {
            Place(
                name: $0.name, address: $0.address, latitude: $0.coordinate?.latitude,
                longitude: $0.coordinate?.longitude)
        }
        pictures = draft.pictures.map { picture in
            let shows: Bool? =
                switch picture.position {
                case .shown: true
                case .mineOnly: false
                case .withheld, nil: nil
                }
            return Picture(id: "\(picture.id)", hasTime: picture.taken != nil, showsPosition: shows)
        }
    }

    init?(_ text: String) {
        // A text that makes no sense restores nothing.
        guard let restored = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)),
            // A merge may have more than an entry, until some are removed.
            restored.pictures.count <= 2 * TimelineEntry.maximumPictureCount
        else { return nil }
        self = restored
    }

    var text: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        // Texts and numbers that are finite can always be encoded.
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// The actions after which the form has what this says: first those that pick what is missing, and once that is
    /// there, those that arrange it.
    func actions(in state: EntryPlaceFlow.State) -> [EntryPlaceFlow.Action] {
        EditorForm<EntryDraft>.resume(from: version, original: original ?? "", in: state.form).map { .form($0) }
            + arranging(state)
    }

    private func arranging(_ state: EntryPlaceFlow.State) -> [EntryPlaceFlow.Action] {
        let draft = state.form.draft
        var ids: [TripImage.ID] = []
        for id in pictures.lazy.compactMap({ TripImage.ID($0.id) }) where !ids.contains(id) { ids.append(id) }
        let missing = ids.filter { id in
            !draft.pictures.contains { $0.id == id }
                && !state.form.failedImages.contains { StagedPicture(path: $0.path)?.id == id }
        }
        if !missing.isEmpty {
            return missing.flatMap { EditorForm<EntryDraft>.pick(StagedPicture($0, name: ""), in: state.form) }
                .map { .form($0) }
        }
        var changes: [EntryDraft.Change] = []
        for picture in draft.pictures where !ids.contains(picture.id) { changes.append(.pictureRemoved(picture.id)) }
        var order = draft.pictures.map(\.id).filter(ids.contains)
        for (index, id) in ids.filter(order.contains).enumerated() where order[index] != id {
            changes.append(.pictureMoved(id, to: index))
            order.removeAll { $0 == id }
            order.insert(id, at: index)
        }
        for picture in draft.pictures {
            guard let wanted = pictures.first(where: { $0.id == "\(picture.id)" }) else { continue }
            if picture.taken != nil, !wanted.hasTime { changes.append(.pictureTimeRemoved(picture.id)) }
            switch (picture.position, wanted.showsPosition) {
            case (.shown, false), (.mineOnly, true): changes.append(.picturePositionTapped(picture.id))
            case (.shown, nil), (.mineOnly, nil): changes.append(.picturePositionRemoved(picture.id))
            default: break
            }
        }
        return changes.map { .form(.edited($0)) } + placeActions(draft)
    }

    private func placeActions(_ draft: EntryDraft) -> [EntryPlaceFlow.Action] {
        guard let place else { return draft.place == nil ? [] : [.placeRemoved] }
        let coordinate = place.latitude.flatMap { latitude in
            place.longitude.flatMap { try? Coordinate(latitude: latitude, longitude: $0) }
        }
        guard let restored = try? TravelDomain.Place(name: place.name, address: place.address, coordinate: coordinate),
            restored != draft.place
        else { return [] }
        return [.placePicked(restored)]
    }
}

extension Text {
    fileprivate static let remove = Text("Remove", "지우기")
    fileprivate static let timeAndPosition = Text("Time and position", "시각과 위치")
    fileprivate static let positionIsShown = Text("position shown", "위치 공개")
    fileprivate static let positionIsMine = Text("position only for you", "위치는 나만")
    fileprivate static let foundPlaces = Text("Places found", "찾은 장소")

    fileprivate static func moveEarlier(_ picture: Text) -> Text {
        Text("Move \(picture.english) to the left", "\(picture.korean) 왼쪽으로")
    }

    fileprivate static func moveLater(_ picture: Text) -> Text {
        Text("Move \(picture.english) to the right", "\(picture.korean) 오른쪽으로")
    }
}
