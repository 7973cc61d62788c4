/// The status of an editor: its phase, and the problems that it shows.
public struct EditorStatus<Field: Hashable & Sendable>: Hashable, Sendable {
    /// The current phase of the editor.
    public enum Phase: Hashable, Sendable {
        case loading
        case failed(ScreenFailure)
        case editing
        case saving
    }

    /// The current phase of the editor.
    public internal(set) var phase: Phase
    /// Whether the editor asks if the user wants to discard the changes.
    public internal(set) var asksToDiscard = false
    /// The fields whose problems show: those that were changed or left, and all of them after an attempt to save.
    var touched: Set<Field> = []
    /// The problems that the store or a file reported for the current values.
    var rejections: [Field: FormProblem] = [:]

    init(_ phase: Phase) {
        self.phase = phase
    }

    /// Notes a change of a field, which shows its problem from now on and is no longer rejected.
    mutating func touch(_ field: Field) {
        touched.insert(field)
        rejections[field] = nil
    }
}

extension EditorStatus {
    /// Closes the editor, or asks first where there are changes. Does nothing while the form is being saved.
    mutating func leave<SideEffect>(hasChanges: Bool) -> Next<SideEffect, ScreenEvent> {
        if phase == .saving { return .none }
        asksToDiscard = hasChanges
        return hasChanges ? .none : .event(.close(nil))
    }

    /// Handles the answer to the question whether to discard the changes.
    mutating func answer<SideEffect>(discard: Bool) -> Next<SideEffect, ScreenEvent> {
        guard asksToDiscard else { return .none }
        asksToDiscard = false
        return discard ? .event(.close(nil)) : .none
    }
}

/// An image that was picked for a trip or an entry.
public struct PickedImage: Hashable, Sendable {
    /// The image, with the ID under which it is stored.
    public let image: TravelImage
    /// The local day on which it was taken; `nil` if the image does not contain it.
    public let day: CalendarDay?
    /// The local time of day at which it was taken; `nil` if the image does not contain it.
    public let time: TimeOfDay?
    /// The position at which it was taken; `nil` if the image does not contain it.
    public let coordinate: Coordinate?

    /// Creates a picked image from its parts.
    public init(
        _ image: TravelImage, day: CalendarDay? = nil, time: TimeOfDay? = nil, coordinate: Coordinate? = nil
    ) {
        self.image = image
        self.day = day
        self.time = time
        self.coordinate = coordinate
    }
}

/// The image of a form: one that is stored, or a new one.
public enum DraftImage: Hashable, Sendable {
    case stored(TravelImage.ID)
    case picked(TravelImage)

    /// The ID of the image, whether it is stored or new.
    public var id: TravelImage.ID {
        switch self {
        case .stored(let id): id
        case .picked(let image): image.id
        }
    }

    /// The image, if it is new and must be stored with the form.
    var new: TravelImage? { if case .picked(let image) = self { image } else { nil } }
}

/// One line of a comparison of two versions: a field with both values.
public struct VersionLine: Hashable, Sendable {
    /// The name of the field, in the language of the screen.
    public let label: String
    /// The value of the form, as text; empty without one.
    public let mine: String
    /// The value that is stored, as text; empty without one.
    public let theirs: String

    /// Whether the values differ, so that the line is highlighted.
    public var differs: Bool { mine != theirs }
}

/// The reason why a form cannot be saved: the problem of one of its fields.
public enum FormProblem: Error, Hashable, Sendable {
    case violation(Violation)
    case text(Text)
    case failed(ScreenFailure)

    /// The problem of an error.
    init(_ error: any Error) {
        switch error {
        case TravelError.invalid(let violation): self = .violation(violation)
        case let problem as FormProblem: self = problem
        default: self = .failed(ScreenFailure(error))
        }
    }

    /// Returns the text to show beside the field, in a language.
    public func text(in language: Language) -> String {
        switch self {
        case .violation(let violation): language[violation.text]
        case .text(let text): language[text]
        case .failed(let failure): failure.message(in: language).text
        }
    }
}
