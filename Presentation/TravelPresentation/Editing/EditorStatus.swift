/// What the editors have in common: their status, and which problems show.
public struct EditorStatus<Field: Hashable & Sendable>: Hashable, Sendable {
    /// What the editor is doing.
    public enum Phase: Hashable, Sendable {
        /// What is to be edited is loading.
        case loading
        /// What is to be edited failed to load.
        case failed(ScreenFailure)
        /// The person edits.
        case editing
        /// The form is being saved; it cannot be changed meanwhile.
        case saving
    }

    /// What the editor is doing.
    public internal(set) var phase: Phase
    /// Whether the question is open whether to discard the changes.
    public internal(set) var asksToDiscard = false
    /// The fields whose problems show: those that were changed or left, and all of them after an attempt to save.
    var touched: Set<Field> = []
    /// The problems that the store, or a file, has with the values as they are.
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
    /// Closes the editor, or asks first where there are changes. Nothing happens while the form is being saved.
    mutating func leave<SideEffect>(hasChanges: Bool) -> Next<SideEffect, ScreenEvent> {
        if phase == .saving { return .none }
        asksToDiscard = hasChanges
        return hasChanges ? .none : .event(.close(nil))
    }

    /// Follows the answer to the question whether to discard the changes.
    mutating func answer<SideEffect>(discard: Bool) -> Next<SideEffect, ScreenEvent> {
        guard asksToDiscard else { return .none }
        asksToDiscard = false
        return discard ? .event(.close(nil)) : .none
    }
}

/// An image that was picked for a travel or an entry.
public struct PickedImage: Hashable, Sendable {
    /// The image.
    public let image: TravelImage
    /// The day on which it was taken, where it was taken; `nil` if it does not say so.
    public let day: CalendarDay?
    /// The time of day at which it was taken, where it was taken; `nil` if it does not say so.
    public let time: TimeOfDay?

    /// Creates a picked image from its parts.
    public init(_ image: TravelImage, day: CalendarDay? = nil, time: TimeOfDay? = nil) {
        self.image = image
        self.day = day
        self.time = time
    }
}

/// The image of a form.
public enum DraftImage: Hashable, Sendable {
    /// An image that is stored already.
    case stored(TravelImage.ID)
    /// An image that was picked and is stored with the form.
    case picked(TravelImage)

    /// The ID of the image.
    public var id: TravelImage.ID {
        switch self {
        case .stored(let id): id
        case .picked(let image): image.id
        }
    }

    /// The image, if it is to be stored.
    var new: TravelImage? { if case .picked(let image) = self { image } else { nil } }
}

/// One line of a comparison of two versions.
public struct VersionLine: Hashable, Sendable {
    /// The name of the field.
    public let label: String
    /// The value of the form.
    public let mine: String
    /// The value that is stored.
    public let theirs: String

    /// Whether the values differ.
    public var differs: Bool { mine != theirs }
}
