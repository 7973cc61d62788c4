/// The editor of a trip. Its form survives the end of the app: `restorableText`.
public typealias TripEditorFlow = EditorFlow<TripDraft>

extension EditorFlow where Draft == TripDraft {
    /// Creates the editor of a stored trip; `text` is the `restorableText` of an earlier editor of this trip, to continue it,
    /// and any other has no effect.
    public init(_ useCases: ScreenUseCases, trip id: Trip.ID, restoring text: String? = nil) {
        guard let stored = text.flatMap(StoredDraft.restored), stored.id == id.description,
            let original = stored.original.flatMap({ try? JSONDecoder().decode(StoredDraft.self, from: $0) })
        else {
            self.init(useCases, State(id, in: id, isNew: false, .loading))
            return
        }
        self.init(
            useCases,
            State(
                restoring: stored.draft(of: original), changedFrom: original.draft(of: original), id, in: id,
                isNew: false))
    }

    /// Creates the editor of a new trip. Saving again after an answer that was lost finds the trip by its ID, which is new
    /// by default.
    public init(_ useCases: ScreenUseCases, newTrip id: Trip.ID? = nil) {
        @Dependency(\.uuid) var uuid
        let id = id ?? Trip.ID(uuid())
        self.init(useCases, State(id, in: id, isNew: true, .editing))
    }

    /// Creates the editor of a new trip that was being written when the app was left, from its `restorableText`; for any other
    /// text the form is empty.
    public init(_ useCases: ScreenUseCases, restoring text: String) {
        guard let stored = StoredDraft.restored(text), stored.original == nil,
            let id = stored.id.flatMap({ Trip.ID($0) })
        else {
            self.init(useCases, newTrip: nil)
            return
        }
        var state = State(id, in: id, isNew: true, .editing)
        state.draft = stored.draft
        self.init(useCases, state)
    }
}

extension EditorFlow.State where Draft == TripDraft {
    /// The form in ASCII without white space, with the image that was picked, to continue it after a restart with
    /// ``EditorFlow/init(_:restoring:)`` or ``EditorFlow/init(_:trip:restoring:)``; `nil` if nothing was changed, or a new trip
    /// is stored.
    public var restorableText: String? {
        guard hasChanges, isNew ? base == nil : true else { return nil }
        var stored = StoredDraft(draft, id: id)
        // Strings, numbers and bytes can always be encoded.
        if !isNew { stored.original = try? JSONEncoder().encode(StoredDraft(original, id: id)) }
        return stored.restorable
    }
}

/// A trip in its form: text as typed, and the chosen values.
///
/// The first day is the last day as well until another is typed, and wherever that one is earlier.
public struct TripDraft: EditorDraft, Hashable {
    public internal(set) var title = ""
    /// The first day as typed, such as `2024-05-01`.
    public internal(set) var firstDay = ""
    /// The last day as typed, such as `2024-05-03`; empty if ``impliedLastDay`` counts.
    public internal(set) var lastDay = ""
    /// The last day that was typed, also while a later first day sets it aside.
    fileprivate var typedLastDay = ""
    /// The chosen values, as criteria that only a trip with all of them meets.
    fileprivate(set) var chosen = TripCriteria()
    /// The image that represents the trip; `nil` for that of its first entry with one.
    public var image: DraftImage?
    /// Who may see the trip besides its author.
    public fileprivate(set) var audience = Audience.onlyMe
    /// The same of the stored trip, which keeps its link when it is chosen again.
    fileprivate var storedAudience = Audience.onlyMe

    public enum Field: CaseIterable, Hashable, Sendable {
        case title
        case region
        case firstDay
        case lastDay
        case image
    }

    public enum Part: DraftPart, CaseIterable {
        case title, firstDay, lastDay, choice(FilterKind), audience, image

        public static let allCases =
            [title, firstDay, lastDay] + TripDraft.choices.map { choice($0) } + [audience, image]

        public var name: String {
            switch self {
            case .title: "title"
            case .firstDay: "first-day"
            case .lastDay: "last-day"
            case .choice(let kind): kind.rawValue
            case .audience: "audience"
            case .image: "image"
            }
        }
    }

    public enum Change: Equatable, Sendable {
        case titleTyped(String)
        /// The text of the first day changed; it is also the last day while that one is missing or earlier.
        case firstDayTyped(String)
        case lastDayTyped(String)
        case optionTapped(FilterOption)
        case audienceTapped(Audience.Level)
    }

    public static let imageField = Field.image
    public static let takesSeveralImages = false

    public init() {}

    public init?(_ id: Trip.ID, in trip: RecordedTrip) {
        self.init(trip.content)
    }

    init(_ content: TripContent) {
        title = content.title.text
        firstDay = content.days.first.description
        setLastDay(content.days.last.description)
        chosen = TripCriteria(traitsOf: content)
        image = content.thumbnail.map { .stored($0) }
        (audience, storedAudience) = (content.audience, content.audience)
    }

    /// Chooses who may see the trip; a link that it gets has a new key.
    mutating func setAudience(_ level: Audience.Level) {
        audience = level == audience.level ? audience : storedAudience.changed(to: level)
    }

    var region: Region? { chosen.regions.first }

    /// The last day while none is typed: the first day, once that is one. The field shows it as a placeholder.
    public var impliedLastDay: String? {
        isLastDayImplied ? Self.day(firstDay)?.description : nil
    }

    private var isLastDayImplied: Bool { lastDay.allSatisfy(\.isWhitespace) }

    /// Changes the first day. An earlier last day is set aside, so that the first day counts for both; it returns with
    /// a first day that is not after it, because dates on the way to the one that is meant may be later.
    mutating func setFirstDay(_ text: String) {
        firstDay = text
        guard let first = Self.day(text) else { return }
        lastDay = Self.day(typedLastDay).map { $0 < first } == true ? "" : typedLastDay
    }

    mutating func setLastDay(_ text: String) {
        lastDay = text
        typedLastDay = text
    }

    private static func day(_ text: String) -> CalendarDay? {
        // An error means that there is no day yet; `problems` has the problem of the text.
        try? CalendarDay(trimmed(text))
    }

    private static func trimmed(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}

extension TripDraft {
    /// A new trip needs nothing but its form.
    public mutating func begin(in trip: RecordedTrip) {}

    public mutating func apply(_ change: Change) -> [Field] {
        switch change {
        case .titleTyped(let text):
            title = text
            return [.title]
        case .firstDayTyped(let text):
            setFirstDay(text)
            return [.firstDay, .lastDay]
        case .lastDayTyped(let text):
            setLastDay(text)
            return [.lastDay]
        case .optionTapped(let option):
            toggle(option)
            return option.kind == .region ? [.region] : []
        case .audienceTapped(let level):
            setAudience(level)
            return []
        }
    }

    public mutating func take(_ picked: PickedImage, in trip: RecordedTrip?) -> FormProblem? {
        image = .picked(picked.image)
        return nil
    }

    public mutating func removeImage() { image = nil }
    public mutating func removeStoredImages() { if case .stored = image { image = nil } }
    public var deletion: Text { .tripWasDeleted }

    public func problems(in trip: RecordedTrip?) -> [Field: FormProblem] {
        var problems: [Field: FormProblem] = [:]
        func check<Value>(_ field: Field, _ make: () throws -> Value) -> Value? {
            do {
                return try make()
            } catch {
                problems[field] = FormProblem(error)
                return nil
            }
        }
        _ = check(.title) { try Title(title) }
        if region == nil { problems[.region] = .text(.chooseRegion) }
        let first = check(.firstDay) { try CalendarDay(Self.trimmed(firstDay)) }
        let last = isLastDayImplied ? first : check(.lastDay) { try CalendarDay(Self.trimmed(lastDay)) }
        guard let first, let last, let days = check(.lastDay, { try DayRange(first, through: last) }) else {
            return problems
        }
        if let inTheWay = trip?.timeline.filter({ $0.day > days.count }), !inTheWay.isEmpty {
            problems[.lastDay] = .violation(.init(.dates, .entriesInTheWay(inTheWay.map(\.id))))
        }
        return problems
    }

    /// The trip of the form.
    ///
    /// - Throws: `FormProblem` when a field has one.
    func content() throws -> TripContent {
        guard let region else { throw FormProblem.text(.chooseRegion) }
        return TripContent(
            title: try Title(title), region: region,
            days: try DayRange(
                CalendarDay(Self.trimmed(firstDay)),
                through: CalendarDay(Self.trimmed(isLastDayImplied ? firstDay : lastDay))),
            traits: chosen, thumbnail: image?.id, audience: audience)
    }

    /// Adds a value of a filter, or removes it; a region replaces the previous one.
    mutating func toggle(_ option: FilterOption) {
        guard Self.choices.contains(option.kind) else { return }
        if case .region(let region) = option { chosen.regions = [region] } else { chosen.toggle(option) }
    }

    /// Whether the form has that value of a filter.
    public func contains(_ option: FilterOption) -> Bool { chosen.contains(option) }

    /// The kinds of values that are chosen in the form, in its order: all but those that follow from the dates.
    public static let choices = FilterKind.allCases.filter { $0 != .season && $0 != .period }

    /// The chosen values of a kind, as text: `Healing, Food`; empty if there are none.
    public func text(of kind: FilterKind, in language: Language) -> String {
        chosen.options(of: kind).map { $0.name(in: language) }.joined(separator: ", ")
    }

    private var shownLastDay: String { impliedLastDay ?? lastDay }

    // MARK: Parts

    public func hasSame(_ part: Part, as other: TripDraft) -> Bool {
        switch part {
        case .title: title == other.title
        case .firstDay: firstDay == other.firstDay
        case .lastDay: shownLastDay == other.shownLastDay
        case .choice(let kind): kind.options.allSatisfy { contains($0) == other.contains($0) }
        case .audience: audience == other.audience
        case .image: image?.id == other.image?.id
        }
    }

    public mutating func take(_ part: Part, from other: TripDraft) {
        switch part {
        case .title: title = other.title
        case .firstDay: firstDay = other.firstDay
        case .lastDay: setLastDay(other.shownLastDay)
        case .choice(let kind):
            for option in kind.options where contains(option) != other.contains(option) { toggle(option) }
        case .audience: (audience, storedAudience) = (other.audience, other.storedAudience)
        case .image: image = other.image
        }
    }

    public func text(of part: Part, in language: Language) -> String {
        switch part {
        case .title: title
        case .firstDay: firstDay
        case .lastDay: shownLastDay
        case .choice(let kind): text(of: kind, in: language)
        case .audience: audience.level.name(in: language)
        case .image: image.map { "\($0.id)" } ?? ""
        }
    }

    public static func label(of part: Part, in language: Language) -> String {
        switch part {
        case .title: language[.title]
        case .firstDay: language[.firstDay]
        case .lastDay: language[.lastDay]
        case .choice(let kind): kind.name(in: language)
        case .audience: language[.audience]
        case .image: language[.image]
        }
    }

    // MARK: Saving

    public func save(
        _ id: Trip.ID, in trip: Trip.ID, expecting version: TripVersion?, by useCases: ScreenUseCases
    ) async throws -> RecordedTrip {
        guard let version else { return try await useCases.recordTrip(content(), id: id, adding: image?.new) }
        return try await useCases.editTrip(id, content(), adding: image?.new, expecting: version)
    }

    /// A trip is more than its form.
    public static let isCopyable = false
    public func copied(by useCases: ScreenUseCases) async throws -> DraftCopy<TripDraft> {
        @Dependency(\.uuid) var uuid
        return DraftCopy(id: Trip.ID(uuid()), draft: self)
    }

    public func saved(as id: Trip.ID) -> ScreenResult { .savedTrip(id) }
    public static func removed(_ id: Trip.ID) -> ScreenResult { .removedTrip(id) }
    public static func subject(_ id: Trip.ID) -> TravelError.Subject { .trip(id) }

    public static func field(of violation: Violation.Field) -> Field {
        switch violation {
        case .image: .image
        case .title: .title
        default: .lastDay
        }
    }
}

// MARK: - Restarts

extension TripDraft {
    public init?(restorable text: String) {
        guard let stored = StoredDraft.restored(text) else { return nil }
        self = stored.draft(of: stored)
    }

    public var restorable: String {
        StoredDraft(self, id: nil).restorable
    }
}

/// What `restorableText` keeps of a trip. The choices are left out
/// when it is read by a version that does not know one of them.
private struct StoredDraft: Codable {
    /// The ID of the trip; `nil` in a draft alone.
    var id: String?
    var title, firstDay, lastDay: String
    var typedLastDay: String?
    /// The text of the criteria.
    var chosen: String?
    var imageID: String?
    var image: Data?
    var audience: String?
    /// The image, if it is stored.
    var storedImage: String?
    /// The same as ``audience``, with its key.
    var sharedAs: String?
    /// What the form began with, as a stored draft in JSON; `nil` for a new trip.
    var original: Data?

    init(_ draft: TripDraft, id: Trip.ID?) {
        self.id = id?.description
        (title, firstDay, lastDay) = (draft.title, draft.firstDay, draft.lastDay)
        typedLastDay = draft.typedLastDay
        chosen = draft.chosen.text
        audience = draft.audience.level.rawValue
        (imageID, image) = (draft.image?.new?.id.description, draft.image?.new?.bytes)
        if case .stored(let id) = draft.image { storedImage = id.description }
        if draft.audience == draft.storedAudience || draft.audience.key != nil { sharedAs = draft.audience.text }
    }

    /// The draft of a stored trip that had begun with `original`.
    func draft(of original: StoredDraft) -> TripDraft {
        var draft = draft
        // A text of another version: the trip keeps its audience.
        draft.storedAudience = original.sharedAs.flatMap { try? Audience(text: $0) } ?? .onlyMe
        draft.audience = draft.storedAudience
        if let level = audience.flatMap(Audience.Level.init(rawValue:)) { draft.setAudience(level) }
        if let shared = sharedAs.flatMap({ try? Audience(text: $0) }) { draft.audience = shared }
        return draft
    }

    var draft: TripDraft {
        var draft = TripDraft()
        draft.title = title
        draft.firstDay = firstDay
        draft.lastDay = lastDay
        draft.typedLastDay = typedLastDay ?? lastDay
        draft.chosen = chosen.flatMap { TripCriteria(text: $0) } ?? TripCriteria()
        // Bytes that are no image come from another version: the form continues without them.
        let picture = image.flatMap { try? TripImage(id: imageID.flatMap { .init($0) } ?? .init(), bytes: $0) }
        draft.image = picture.map { .picked($0) } ?? storedImage.flatMap { TripImage.ID($0) }.map { .stored($0) }
        if let level = audience.flatMap(Audience.Level.init(rawValue:)) { draft.setAudience(level) }
        return draft
    }
}
