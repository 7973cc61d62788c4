/// A form that an ``EditorFlow`` edits: text as typed, and the chosen values.
public protocol EditorDraft: Equatable, Sendable {
    associatedtype ID: Hashable, Sendable
    associatedtype Field: CaseIterable, Hashable, Sendable
    associatedtype Change: Equatable, Sendable
    associatedtype Part: DraftPart

    /// The field that shows the problem of an image.
    static var imageField: Field { get }
    /// Whether an image that is picked while another one is being read waits for it; otherwise it takes its place.
    static var takesSeveralImages: Bool { get }

    init()
    /// Creates the draft of what a trip stores under this ID; `nil` if that was deleted.
    init?(_ id: ID, in trip: RecordedTrip)
    /// Completes a new draft when its trip has loaded.
    mutating func begin(in trip: RecordedTrip)

    /// Applies a change; returns the field that it changed, and after it those whose rejection no longer holds.
    mutating func apply(_ change: Change) -> [Field]
    /// Takes an image with what it says about itself; returns what its author may have to decide.
    mutating func take(_ picked: PickedImage, in trip: RecordedTrip?) -> FormProblem?
    /// Removes the image of a form that has one.
    mutating func removeImage()
    /// Removes the images that are stored: they were deleted with what the form shows.
    mutating func removeStoredImages()
    /// What the user should know before the form is kept although what it shows was deleted.
    var deletion: Text { get }
    /// The paths of the images of a restored form that must be read again, in their order.
    var unreadImages: [String] { get }
    /// Takes the image at a path of ``unreadImages``; without one, leaves it out. Returns `false` for any other path.
    mutating func replaceUnreadImage(at path: String, by picked: PickedImage?) -> Bool
    /// The problem of each invalid field; `trip` is the stored trip, `nil` for a new one.
    func problems(in trip: RecordedTrip?) -> [Field: FormProblem]

    /// The parts that a merge of both forms compares, in the order of the form.
    static func parts(mine: Self, theirs: Self) -> [Part]
    /// The side that changed a part after both forms began with `base`; without `base`, both sides changed every part that differs.
    func origin(of part: Part, beside theirs: Self, since base: Self?) -> PartOrigin
    /// Whether both forms have the same there.
    func hasSame(_ part: Part, as other: Self) -> Bool
    mutating func take(_ part: Part, from other: Self)
    func text(of part: Part, in language: Language) -> String
    static func label(of part: Part, in language: Language) -> String
    /// Creates what ``restorable`` describes; `nil` for any other text.
    init?(restorable text: String)
    /// The draft of something stored, as text in ASCII without white space, for a form that outlives its screen.
    var restorable: String { get }

    /// Whether the form can be stored beside the version that it conflicts with.
    static var isCopyable: Bool { get }
    /// Returns the draft for something new, with copies of the images that are stored.
    func copied(by useCases: ScreenUseCases) async throws -> DraftCopy<Self>

    /// Stores the draft with its new image; without a version, its trip is new.
    func save(
        _ id: ID, in trip: Trip.ID, expecting version: TripVersion?, by useCases: ScreenUseCases
    ) async throws -> RecordedTrip
    func saved(as id: ID) -> ScreenResult
    static func removed(_ id: ID) -> ScreenResult
    static func subject(_ id: ID) -> TravelError.Subject
    /// The field that shows a violation.
    static func field(of violation: Violation.Field) -> Field
}

/// A draft for something new that has the content of another.
public struct DraftCopy<Draft: EditorDraft>: Equatable, Sendable {
    let id: Draft.ID
    let draft: Draft
}

extension Encodable {
    /// The value as text in ASCII without white space, the same each time.
    var restorable: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        // Strings and finite numbers can always be encoded.
        return (try? encoder.encode(self))?.base64EncodedString() ?? ""
    }
}

extension Decodable {
    /// The value that `restorable` has described; `nil` for any other text.
    static func restored(_ text: String) -> Self? {
        Data(base64Encoded: text).flatMap { try? JSONDecoder().decode(Self.self, from: $0) }
    }
}

extension EditorDraft where Part: CaseIterable {
    public static func parts(mine: Self, theirs: Self) -> [Part] { Array(Part.allCases) }
}

extension EditorDraft {
    public func origin(of part: Part, beside theirs: Self, since base: Self?) -> PartOrigin {
        byComparison(of: part, beside: theirs, since: base)
    }

    func byComparison(of part: Part, beside theirs: Self, since base: Self?) -> PartOrigin {
        if hasSame(part, as: theirs) { return .nobody }
        guard let base else { return .both }
        if hasSame(part, as: base) { return .theirs }
        return theirs.hasSame(part, as: base) ? .mine : .both
    }

    public var unreadImages: [String] { [] }
    public mutating func replaceUnreadImage(at path: String, by picked: PickedImage?) -> Bool { false }
}

/// The three-way merge of a form: of what it began with, what the user has made of it, and what was stored meanwhile.
///
/// A part that only one side has changed has the value of that side. A part that both have changed differently collides: it has
/// the value of the user, unless the stored one is chosen.
///
/// ```swift
/// let merge = DraftMerge(base: original, mine: draft, theirs: stored, chosen: [.title])
/// merge.arrived      // what only the other side has changed: [.region]
/// merge.collisions   // what both have changed: [.title, .lastDay]
/// merge.result       // the form with the stored region and title, and the last day of the user
/// ```
public struct DraftMerge<Draft: EditorDraft>: Equatable, Sendable {
    /// What both began with; without it, whatever differs collides.
    public let base: Draft?
    public let mine: Draft
    public let theirs: Draft
    /// The parts that have the stored value if they collide.
    public let chosen: Set<Draft.Part>

    init(base: Draft?, mine: Draft, theirs: Draft, chosen: Set<Draft.Part> = []) {
        (self.base, self.mine, self.theirs, self.chosen) = (base, mine, theirs, chosen)
    }

    /// The parts that only the other side has changed, in the order of the form.
    public var arrived: [Draft.Part] { parts(of: .theirs).filter(\.isTold) }

    /// The parts that both have changed differently, in the order of the form.
    public var collisions: [Draft.Part] { parts(of: .both) }

    private func parts(of origin: PartOrigin) -> [Draft.Part] {
        Draft.parts(mine: mine, theirs: theirs).filter {
            mine.origin(of: $0, beside: theirs, since: base) == origin
        }
    }

    /// Whether there is nothing to tell or to ask: the other side has changed nothing that the form does not have.
    var isSettled: Bool { arrived.isEmpty && collisions.isEmpty }

    public var result: Draft {
        var result = mine
        for part in Draft.parts(mine: mine, theirs: theirs) {
            switch mine.origin(of: part, beside: theirs, since: base) {
            case .theirs: result.take(part, from: theirs)
            case .both: if chosen.contains(part) { result.take(part, from: theirs) }
            case .nobody, .mine: break
            }
        }
        return result
    }

    /// The parts that collide, with both values.
    public func collidingLines(in language: Language) -> [(part: Draft.Part, line: VersionLine)] {
        collisions.map { part in
            (part, VersionLine(part, of: mine, beside: theirs, in: language))
        }
    }

    /// What only the other side has changed: the former value, and the stored one.
    public func arrivedLines(in language: Language) -> [VersionLine] {
        arrived.map { VersionLine($0, of: mine, beside: theirs, in: language) }
    }
}

/// The side that changed a part of a form.
public enum PartOrigin: Hashable, Sendable {
    /// Both versions have the same.
    case nobody
    case mine, theirs
    /// Both have changed it, differently.
    case both
}

/// A part of a form, which a merge takes from one version or the other.
public protocol DraftPart: Hashable, Sendable {
    /// The name in a page, in ASCII without white space.
    var name: String { get }
    /// Creates the part of a ``name``; `nil` for any other text.
    init?(name: some StringProtocol)

    /// Whether a merge lists the part among the changes of the other side.
    var isTold: Bool { get }
    /// The picture that it is a part of, which both versions or the stored one have where they collide.
    var picture: TripImage.ID? { get }
}

extension DraftPart {
    public var isTold: Bool { true }
    public var picture: TripImage.ID? { nil }
}

extension DraftPart where Self: CaseIterable {
    public init?(name: some StringProtocol) {
        guard let part = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = part
    }
}

/// The two versions of a conflict.
public enum VersionSide: String, CaseIterable, Sendable {
    case mine, theirs
}

/// One line of a comparison of two versions: a part of the form with both values.
public struct VersionLine: Hashable, Sendable {
    public let label: String
    /// The value of the form, as text; empty without one.
    public let mine: String
    /// The value that is stored, as text; empty without one.
    public let theirs: String

    /// Whether the values differ, so that the line is highlighted.
    public var differs: Bool { mine != theirs }

    init(label: String, mine: String, theirs: String) {
        (self.label, self.mine, self.theirs) = (label, mine, theirs)
    }

    init<Draft: EditorDraft>(_ part: Draft.Part, of mine: Draft, beside theirs: Draft, in language: Language) {
        self.init(
            label: Draft.label(of: part, in: language), mine: mine.text(of: part, in: language),
            theirs: theirs.text(of: part, in: language))
    }
}

/// An image that was picked for a trip or an entry.
public struct PickedImage: Hashable, Sendable {
    public let image: TripImage
    /// When it was taken, by the clock of the camera; `nil` if the image does not contain it.
    public let taken: PhotoDate?
    /// The position at which it was taken; `nil` if the image does not contain it.
    public let coordinate: Coordinate?
    /// The path of its file, from which a form reads it again after a restart; `nil` for the path that was picked.
    public internal(set) var path: String?

    public init(
        _ image: TripImage, taken: PhotoDate? = nil, coordinate: Coordinate? = nil, path: String? = nil
    ) {
        self.path = path
        self.image = image
        self.taken = taken
        self.coordinate = coordinate
    }

    /// The picture of an entry, whose position only its author sees.
    public var picture: Picture {
        Picture(image.id, taken: taken, position: coordinate.map { .mineOnly($0) })
    }
}

/// An image that was picked and could not be taken.
public struct FailedImage: Hashable, Sendable {
    public let path: String
    public let problem: FormProblem
}

/// The image of a form: one that is stored, or a new one.
public enum DraftImage: Hashable, Sendable {
    case stored(TripImage.ID)
    case picked(TripImage)

    public var id: TripImage.ID {
        switch self {
        case .stored(let id): id
        case .picked(let image): image.id
        }
    }

    /// The image, if it is new and must be stored with the form.
    var new: TripImage? { if case .picked(let image) = self { image } else { nil } }
}

/// The reason why a form cannot be saved: the problem of one of its fields.
public enum FormProblem: Error, Hashable, Sendable {
    case violation(Violation)
    case text(Text)
    case failed(ScreenFailure)

    init(_ error: any Error) {
        switch error {
        case TravelError.invalid(let violation): self = .violation(violation)
        case let problem as FormProblem: self = problem
        default: self = .failed(ScreenFailure(error))
        }
    }

    public func text(in language: Language) -> String {
        switch self {
        case .violation(let violation): language[violation.text]
        case .text(let text): language[text]
        case .failed(let failure): failure.text(in: language)
        }
    }
}
