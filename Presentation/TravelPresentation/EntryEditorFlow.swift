/// The editor of an entry: its form, with a search for its place. The form survives the end of the app: `restorableText`.
public typealias EntryEditorFlow = ScopeFlow<EntryPlaceFlow, EditorFlow<EntryDraft>>

extension EntryEditorFlow {
    /// Creates the editor of a stored entry; `text` is the `restorableText` of an earlier editor of this entry, to continue it,
    /// and any other has no effect.
    public init(
        _ useCases: ScreenUseCases, entry id: TimelineEntry.ID, in trip: Trip.ID, restoring text: String? = nil
    ) {
        let stored = text.flatMap(StoredEntry.restored).flatMap { $0.id == id.description ? $0 : nil }
        self.init(useCases, stored?.state(id, in: trip, isNew: false) ?? .init(id, in: trip, isNew: false, .loading))
    }

    /// Creates the editor of a new entry on a day, 1-based; a day that the trip does not have becomes the nearest one. Saving
    /// again after an answer that was lost replaces the entry by its ID, which is new by default. `text` is the `restorableText`
    /// of an earlier editor of a new entry, to continue it with its ID; any other has no effect.
    public init(
        _ useCases: ScreenUseCases, newEntryIn trip: Trip.ID, day: Int, id: TimelineEntry.ID? = nil,
        restoring text: String? = nil
    ) {
        if let stored = text.flatMap(StoredEntry.restored), let id = TimelineEntry.ID(stored.id) {
            self.init(useCases, stored.state(id, in: trip, isNew: true))
            return
        }
        @Dependency(\.uuid) var uuid
        var draft = EntryDraft()
        draft.day = day
        self.init(useCases, .init(id ?? TimelineEntry.ID(uuid()), in: trip, isNew: true, .loading, draft))
    }

    private init(_ useCases: ScreenUseCases, _ form: EditorFlow<EntryDraft>.State) {
        let action = ActionCase(EntryPlaceFlow.Action.form) { if case .form(let action) = $0 { action } else { nil } }
        self = EntryPlaceFlow(useCases, form)
            .scope(\.form, action: action, child: EditorFlow(useCases, form), event: { $0 })
    }
}

/// What the editor of an entry adds to its form: a place that is searched, or proposed.
///
/// - Places are searched 300 ms after the last key; only the newest answer counts. A name that was typed is the place of
///   the entry, without a position, unless a place is picked.
/// - The position at which an image was taken proposes the nearest known place, if there is no place yet.
public struct EntryPlaceFlow: Flow {
    public typealias Event = ScreenEvent

    public struct State: Equatable, Sendable {
        public internal(set) var form: EditorFlow<EntryDraft>.State
        public internal(set) var places = PlaceSearch()
    }

    public struct PlaceSearch: Equatable, Sendable {
        public internal(set) var text: String
        /// The places that match, best matches first, or the one near the position of an image; `nil` before an answer.
        public internal(set) var results: [KnownPlace]?
        public internal(set) var failure: ScreenFailure?

        init(text: String = "") { self.text = text }
    }

    public enum Action: Equatable, Sendable {
        case form(EditorFlow<EntryDraft>.Action)
        /// The name of the place was typed, which also searches for places.
        case placeTyped(String)
        case placePicked(Place)
        case placeRemoved

        case placesFound(String, Result<[KnownPlace], ScreenFailure>)
        case placeProposed(Result<KnownPlace?, ScreenFailure>)
    }

    public enum SideEffect: Equatable, Sendable {
        case search(String)
        case propose(Coordinate)
    }

    /// The name of the side effect that is cancelled.
    public enum Work: Hashable, Sendable {
        case search
    }

    /// The time for which the text must stay unchanged before places are searched.
    public static let typingPause = Duration.milliseconds(300)

    public let initialState: State
    private let useCases: ScreenUseCases

    fileprivate init(_ useCases: ScreenUseCases, _ form: EditorFlow<EntryDraft>.State) {
        self.useCases = useCases
        initialState = State(form: form)
    }

    public func perform(_ sideEffect: SideEffect) -> Observable<Action> {
        .task { [useCases] in
            switch sideEffect {
            case .search(let text): .placesFound(text, await Result { try await useCases.searchPlaces(text) })
            case .propose(let coordinate):
                .placeProposed(await Result { try await useCases.searchPlaces(near: coordinate) })
            }
        }
    }

    /// Reduces an action after the form.
    public func reduce(_ state: inout State, _ action: Action) -> Next<SideEffect, ScreenEvent> {
        switch action {
        case .form(.loaded), .form(.takeTheirsTapped):
            // A restored form may have the name of a place.
            state.places = .init(text: state.form.draft.placeName)
        case .form(.imageRead(.success(let picked))):
            guard state.form.phase == .editing, state.awaitsProposal, let coordinate = picked.coordinate else { break }
            return .latest(.propose(coordinate))
        case .form: break
        case .placeTyped(let text): return state.search(text)
        case .placePicked(let place):
            guard state.form.phase == .editing else { break }
            state.form.edit(.placePicked(place))
            state.places = .init()
            return .cancel(Work.search)
        case .placeRemoved:
            guard state.form.phase == .editing else { break }
            state.form.edit(.placeRemoved)
            state.places = .init()
        case .placesFound(let text, let result):
            guard text == state.places.text else { break }
            switch result {
            case .success(let places): (state.places.results, state.places.failure) = (places, nil)
            case .failure(let failure): (state.places.results, state.places.failure) = (nil, failure)
            }
        case .placeProposed(let result):
            guard state.awaitsProposal else { break }
            switch result {
            case .success(let place): state.places.results = place.map { [$0] }
            case .failure(let failure): state.places.failure = failure
            }
        }
        return .none
    }
}

extension EntryPlaceFlow.State {
    /// The tabs of the days to choose from; `nil` until the trip has loaded.
    public var days: DayTabs? { form.base.map { DayTabs($0.content.days) } }

    /// Whether a place may be proposed: none was chosen or typed.
    fileprivate var awaitsProposal: Bool { form.draft.place == nil && places.text.isEmpty }

    fileprivate mutating func search(_ text: String) -> Next<EntryPlaceFlow.SideEffect, ScreenEvent> {
        guard form.phase == .editing, text != places.text else { return .none }
        places.text = text
        places.failure = nil
        form.edit(.placeTyped(text))
        guard Keyword(text) != nil else {
            places.results = nil
            return .cancel(EntryPlaceFlow.Work.search)
        }
        return .latest(.search(text), after: EntryPlaceFlow.typingPause, id: EntryPlaceFlow.Work.search)
    }
}

/// An entry in its form: text as typed, and the chosen values.
public struct EntryDraft: EditorDraft, Hashable {
    /// The number of the day of the trip, 1-based.
    public internal(set) var day = 1
    /// The time of day as typed, such as `9:30`.
    public internal(set) var time = ""
    public internal(set) var title = ""
    public internal(set) var text = ""
    public internal(set) var place: Place?
    /// The name of a place as typed, which is enough for a place; blank for none. Choosing a place empties it.
    public internal(set) var placeName = ""
    public internal(set) var pictures: [DraftPicture] = []
    /// The day and the time that a new entry has without its author; `nil` for a stored one. The first picture replaces them
    /// as long as nobody has chosen others.
    private var proposal: Proposal?

    private struct Proposal: Hashable {
        let day: Int
        let time: String
    }

    public enum Field: CaseIterable, Hashable, Sendable {
        case day
        case time
        case title
        case text
        case place
        case pictures
    }

    public enum Part: DraftPart {
        case day, time, title, text, place
        /// A picture that only one version has.
        case picture(TripImage.ID)
        /// What is known of a picture that both versions have.
        case pictureText(TripImage.ID), pictureTime(TripImage.ID), picturePosition(TripImage.ID)
        case pictureOrder
    }

    public enum Change: Equatable, Sendable {
        /// A day of the trip was picked, 1-based.
        case dayPicked(Int)
        case timeTyped(String)
        case titleTyped(String)
        case textTyped(String)
        case placeTyped(String)
        case placePicked(Place)
        case placeRemoved
        /// The description of a picture was typed.
        case pictureDescribed(TripImage.ID, String)
        /// A picture is to stand at this index.
        case pictureMoved(TripImage.ID, to: Int)
        case pictureRemoved(TripImage.ID)
        /// The position of a picture is shown to everyone who sees the trip, or to the author alone again.
        case picturePositionTapped(TripImage.ID)
        case picturePositionRemoved(TripImage.ID)
        case pictureTimeRemoved(TripImage.ID)
    }

    public static let imageField = Field.pictures
    public static let takesSeveralImages = true

    public init() {}

    public init?(_ id: TimelineEntry.ID, in trip: RecordedTrip) {
        guard let entry = trip.timeline.first(where: { $0.id == id }) else { return nil }
        self.init(entry)
    }

    init(_ entry: TimelineEntry) {
        day = entry.day
        time = entry.time.description
        title = entry.title.text
        text = entry.text.text
        place = entry.place
        pictures = entry.pictures.map { DraftPicture($0) }
    }

    /// Begins a new entry on a day of the trip, at the time of the last entry of that day; at 09:00 on an empty day.
    public mutating func begin(in trip: RecordedTrip) {
        day = min(max(day, 1), trip.content.days.count)
        time = trip.timeline.last { [day] in $0.day == day }?.time.description ?? "09:00"
        proposal = Proposal(day: day, time: time)
    }

    public mutating func apply(_ change: Change) -> [Field] {
        switch change {
        case .dayPicked(let day):
            self.day = day
            return [.day]
        case .timeTyped(let text):
            time = text
            return [.time]
        case .titleTyped(let text):
            title = text
            return [.title]
        case .textTyped(let text):
            self.text = text
            return [.text]
        case .placeTyped(let text): placeName = text
        case .placePicked(let place): (self.place, placeName) = (place, "")
        case .placeRemoved: (place, placeName) = (nil, "")
        case .pictureDescribed, .pictureMoved, .pictureRemoved, .picturePositionTapped, .picturePositionRemoved,
            .pictureTimeRemoved:
            applyToPictures(change)
            return [.pictures]
        }
        return [.place]
    }

    private mutating func applyToPictures(_ change: Change) {
        func index(_ id: TripImage.ID) -> Int? { pictures.firstIndex { $0.id == id } }
        switch change {
        case .pictureDescribed(let id, let text): if let index = index(id) { pictures[index].text = text }
        case .pictureMoved(let id, let place):
            guard let index = index(id), pictures.indices.contains(place) else { return }
            pictures.insert(pictures.remove(at: index), at: place)
        case .pictureRemoved(let id): pictures.removeAll { $0.id == id }
        case .picturePositionTapped(let id):
            guard let index = index(id) else { return }
            switch pictures[index].position {
            case .mineOnly(let coordinate): pictures[index].position = .shown(coordinate)
            case .shown(let coordinate): pictures[index].position = .mineOnly(coordinate)
            case .withheld, nil: break
            }
        case .picturePositionRemoved(let id): if let index = index(id) { pictures[index].position = nil }
        case .pictureTimeRemoved(let id): if let index = index(id) { pictures[index].taken = nil }
        default: break
        }
    }

    /// Appends a picture. Of the first one, a new entry takes the day and the time, unless its author has chosen others, or the
    /// trip does not have that day: then the picture stays here, with a question.
    public mutating func take(_ picked: PickedImage, in trip: RecordedTrip?) -> FormProblem? {
        guard let days = trip?.content.days else { return nil }
        guard pictures.count < TimelineEntry.maximumPictureCount else {
            return .violation(.init(.pictures, .tooMany(maximum: TimelineEntry.maximumPictureCount)))
        }
        let isFirst = pictures.isEmpty
        pictures.append(DraftPicture(picked.picture, new: picked.image, from: picked.path))
        guard let taken = picked.taken else { return nil }
        guard let day = taken.dayNumber(in: days) else { return .text(.takenOutside(taken)) }
        if isFirst, proposal == Proposal(day: self.day, time: time) {
            (self.day, time) = (day, taken.time.description)
            proposal = Proposal(day: day, time: time)
        }
        return nil
    }

    /// An entry has several pictures, each of which is removed by a change of its own.
    public mutating func removeImage() {}

    public mutating func removeStoredImages() { pictures.removeAll(where: \.isStored) }
    public var deletion: Text { pictures.contains(where: \.isStored) ? .entryWasDeletedWithPhotos : .entryWasDeleted }

    public var unreadImages: [String] { pictures.filter(\.isUnread).compactMap(\.path) }

    /// Keeps what the user has made of the picture: its description, and what is known of it.
    public mutating func replaceUnreadImage(at path: String, by picked: PickedImage?) -> Bool {
        guard let index = pictures.firstIndex(where: { $0.isUnread && $0.path == path }) else { return false }
        let before = pictures.remove(at: index)
        if let picked {
            var picture = DraftPicture(picked.picture, new: picked.image, from: picked.path)
            (picture.text, picture.taken, picture.position) = (before.text, before.taken, before.position)
            pictures.insert(picture, at: index)
        }
        return true
    }
}

/// A picture of a form: one that is stored, or a new one.
public struct DraftPicture: Hashable, Sendable, Identifiable {
    public let id: TripImage.ID
    /// The description as typed; blank for none.
    public internal(set) var text: String
    public internal(set) var taken: PhotoDate?
    public internal(set) var position: PicturePosition?
    /// The image, if it is new and must be stored with the form.
    let new: TripImage?
    /// The path of the file of a new image.
    let path: String?

    /// Whether the image is in its file only: the form was restored.
    var isUnread: Bool { path != nil && new == nil }
    /// Whether the image is stored with the entry.
    var isStored: Bool { path == nil && new == nil }

    init(_ picture: Picture, new: TripImage? = nil, from path: String? = nil) {
        self.path = path
        id = picture.id
        text = picture.text?.text ?? ""
        (taken, position) = (picture.taken, picture.position)
        self.new = new
    }

    /// A copy of a stored picture, with what the user has made of it.
    fileprivate init(copying picture: DraftPicture, as image: TripImage) {
        (id, new, path) = (image.id, image, nil)
        (text, taken, position) = (picture.text, picture.taken, picture.position)
    }

    /// The picture of the form.
    ///
    /// - Throws: `TravelError.invalid` when the description is too long, or has a line break.
    var picture: Picture {
        get throws(TravelError) {
            let isBlank = text.allSatisfy(\.isWhitespace)
            return Picture(id, text: isBlank ? nil : try PictureText(text), taken: taken, position: position)
        }
    }
}

extension EntryDraft {
    public func problems(in trip: RecordedTrip?) -> [Field: FormProblem] {
        let days = trip?.content.days.count ?? 1
        var problems: [Field: FormProblem] = [:]
        func check(_ field: Field, _ make: () throws -> Void) {
            do { try make() } catch { problems[field] = FormProblem(error) }
        }
        if !(1...days).contains(day) { problems[.day] = .violation(.init(.day, .outOfRange("1…\(days)"))) }
        check(.time) { _ = try timeOfDay }
        check(.title) { _ = try Title(title) }
        check(.text) { _ = try EntryText(text) }
        check(.place) { _ = try entryPlace }
        check(.pictures) { for picture in pictures { _ = try picture.picture } }
        return problems
    }

    /// The entry of the form.
    ///
    /// - Throws: `TravelError.invalid` when a field has a problem.
    func entry(_ id: TimelineEntry.ID) throws -> TimelineEntry {
        try TimelineEntry(
            id: id, day: day, time: timeOfDay, title: Title(title), text: EntryText(text),
            place: entryPlace,
            pictures: pictures.map { picture throws(TravelError) in try picture.picture })
    }

    /// The place that was chosen, or else the one that was typed.
    private var entryPlace: Place? {
        get throws(TravelError) {
            if let place { return place }
            return placeName.allSatisfy(\.isWhitespace) ? nil : try Place(name: placeName)
        }
    }

    private var timeOfDay: TimeOfDay {
        get throws(TravelError) {
            let text = time.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            // People type hours with one digit.
            return try TimeOfDay(text.prefix { $0 != ":" }.count == 1 ? "0\(text)" : text)
        }
    }

    // MARK: Parts

    public func hasSame(_ part: Part, as other: EntryDraft) -> Bool {
        switch part {
        case .day: day == other.day
        case .time: time == other.time
        case .title: title == other.title
        case .text: text == other.text
        case .place: place == other.place && placeName == other.placeName
        case .picture, .pictureText, .pictureTime, .picturePosition, .pictureOrder: hasSamePictures(part, as: other)
        }
    }

    public mutating func take(_ part: Part, from other: EntryDraft) {
        switch part {
        case .day: day = other.day
        case .time: time = other.time
        case .title: title = other.title
        case .text: text = other.text
        case .place: (place, placeName) = (other.place, other.placeName)
        case .picture, .pictureText, .pictureTime, .picturePosition, .pictureOrder: takePictures(part, from: other)
        }
    }

    public func text(of part: Part, in language: Language) -> String {
        switch part {
        case .day: language[.day(day)]
        case .time: time
        case .title: title
        case .text: text
        case .place: place?.name ?? placeName
        case .picture, .pictureText, .pictureTime, .picturePosition, .pictureOrder: pictureText(of: part, in: language)
        }
    }

    public static func label(of part: Part, in language: Language) -> String {
        switch part {
        case .day: language[.day]
        case .time: language[.time]
        case .title: language[.title]
        case .text: language[.text]
        case .place: language[.place]
        case .picture: language[.picture]
        case .pictureText: language[.textOfPicture]
        case .pictureTime: language[.timeOfPicture]
        case .picturePosition: language[.positionOfPicture]
        case .pictureOrder: language[.pictures]
        }
    }

    // MARK: Saving

    public func save(
        _ id: TimelineEntry.ID, in trip: Trip.ID, expecting version: TripVersion?, by useCases: ScreenUseCases
    ) async throws -> RecordedTrip {
        try await useCases.saveEntry(entry(id), adding: pictures.compactMap(\.new), in: trip, expecting: version)
    }

    public static let isCopyable = true

    /// A picture belongs to one entry: those that are stored get new IDs.
    public func copied(by useCases: ScreenUseCases) async throws -> DraftCopy<EntryDraft> {
        @Dependency(\.uuid) var uuid
        var draft = self
        for (index, picture) in pictures.enumerated() where picture.new == nil {
            let image = try await useCases.copyImage(picture.id, TripImage.ID(uuid()))
            draft.pictures[index] = DraftPicture(copying: picture, as: image)
        }
        return DraftCopy(id: TimelineEntry.ID(uuid()), draft: draft)
    }

    public func saved(as id: TimelineEntry.ID) -> ScreenResult { .savedEntry(id, day: day) }
    public static func removed(_ id: TimelineEntry.ID) -> ScreenResult { .removedEntry(id) }
    public static func subject(_ id: TimelineEntry.ID) -> TravelError.Subject { .entry(id) }

    public static func field(of violation: Violation.Field) -> Field {
        switch violation {
        case .day, .dates, .date: .day
        case .time: .time
        case .title: .title
        case .image, .pictures, .pictureText: .pictures
        case .placeName, .placeAddress, .coordinate: .place
        default: .text
        }
    }
}

// MARK: - Restarts

extension EditorFlow.State where Draft == EntryDraft {
    /// The form in ASCII without white space, to continue it after a restart with ``EntryEditorFlow``; `nil` if nothing was
    /// changed. Of a picture that is not stored, it has the path of its file.
    public var restorableText: String? {
        let paths = imagesToRead
        guard hasChanges || !paths.isEmpty else { return nil }
        return StoredEntry(id: id.description, draft: .init(draft), original: .init(original), paths: paths).restorable
    }
}

extension EntryDraft {
    public init?(restorable text: String) {
        guard let form = StoredEntry.Form.restored(text) else { return nil }
        self.init(form, changedFrom: form, isNew: false)
    }

    public var restorable: String {
        StoredEntry.Form(self).restorable
    }
}

/// What `restorableText` keeps of an entry.
private struct StoredEntry: Codable {
    let id: String
    let draft: Form
    /// What the form began with.
    let original: Form
    /// The paths of the pictures that were still to be read.
    let paths: [String]

    init(id: String, draft: Form, original: Form, paths: [String]) {
        (self.id, self.draft, self.original, self.paths) = (id, draft, original, paths)
    }

    func state(_ id: TimelineEntry.ID, in trip: Trip.ID, isNew: Bool) -> EditorFlow<EntryDraft>.State {
        .init(
            restoring: EntryDraft(draft, changedFrom: original, isNew: isNew),
            changedFrom: EntryDraft(original, changedFrom: original, isNew: isNew), id, in: trip, isNew: isNew,
            reading: paths)
    }

    struct Form: Codable {
        let day: Int
        let time, title, text, placeName: String
        let place: StoredPlace?
        let pictures: [StoredPicture]

        init(_ draft: EntryDraft) {
            day = draft.day
            (time, title, text, placeName) = (draft.time, draft.title, draft.text, draft.placeName)
            place = draft.place.map { StoredPlace($0) }
            // A new image without a file is nowhere else.
            pictures = draft.pictures.filter { $0.new == nil || $0.path != nil }.map { StoredPicture($0) }
        }
    }

    struct StoredPoint: Codable {
        let latitude, longitude: Double

        init(_ coordinate: Coordinate) { (latitude, longitude) = (coordinate.latitude, coordinate.longitude) }

        var coordinate: Coordinate? { try? Coordinate(latitude: latitude, longitude: longitude) }
    }

    struct StoredPlace: Codable {
        let name, address: String
        let point: StoredPoint?

        init(_ place: Place) {
            (name, address, point) = (place.name, place.address, place.coordinate.map { StoredPoint($0) })
        }

        var place: Place? { try? Place(storedName: name, address: address, coordinate: point?.coordinate) }
    }

    struct StoredPicture: Codable {
        enum Sight: String, Codable {
            case shown, mineOnly, withheld
        }

        let id, text: String
        let day: String?
        let minutes, utcOffset: Int?
        let sight: Sight?
        let point: StoredPoint?
        let path: String?

        init(_ picture: DraftPicture) {
            (id, text, path) = (picture.id.description, picture.text, picture.path)
            day = picture.taken?.day.description
            (minutes, utcOffset) = (picture.taken?.time.minutes, picture.taken?.utcOffset)
            sight =
                switch picture.position {
                case .shown: .shown
                case .mineOnly: .mineOnly
                case .withheld: .withheld
                case nil: nil
                }
            point = picture.position?.coordinate.map { StoredPoint($0) }
        }

        /// The picture; `nil` for an ID that is none.
        var picture: DraftPicture? {
            guard let id = TripImage.ID(id) else { return nil }
            var picture = DraftPicture(Picture(id, taken: taken, position: position), from: path)
            picture.text = text
            return picture
        }

        private var taken: PhotoDate? {
            guard let day = day.flatMap({ try? CalendarDay($0) }), let minutes else { return nil }
            return PhotoDate(day: day, time: TimeOfDay(minutesSinceMidnight: minutes), utcOffset: utcOffset)
        }

        private var position: PicturePosition? {
            switch sight {
            case .shown: point?.coordinate.map { .shown($0) }
            case .mineOnly: point?.coordinate.map { .mineOnly($0) }
            case .withheld: .withheld
            case nil: nil
            }
        }
    }
}

extension EntryDraft {
    fileprivate init(_ form: StoredEntry.Form, changedFrom original: StoredEntry.Form, isNew: Bool) {
        day = form.day
        (time, title, text, placeName) = (form.time, form.title, form.text, form.placeName)
        place = form.place?.place
        pictures = form.pictures.compactMap(\.picture)
        proposal = isNew ? Proposal(day: original.day, time: original.time) : nil
    }
}
