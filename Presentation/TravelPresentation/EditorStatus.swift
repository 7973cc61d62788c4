/// The status of an editor: its phase, and the problems that it shows.
package struct EditorStatus<Field: Hashable & Sendable>: Hashable, Sendable {
    package enum Phase: Hashable, Sendable {
        case loading
        case failed(ScreenFailure)
        case editing
        case saving
    }

    package internal(set) var phase: Phase
    package internal(set) var asksToDiscard = false
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

    mutating func answer<SideEffect>(discard: Bool) -> Next<SideEffect, ScreenEvent> {
        guard asksToDiscard else { return .none }
        asksToDiscard = false
        return discard ? .event(.close(nil)) : .none
    }
}

/// An image that was picked for a trip or an entry.
public struct PickedImage: Hashable, Sendable {
    package let image: TravelImage
    /// The local day on which it was taken; `nil` if the image does not contain it.
    package let day: CalendarDay?
    /// The local time of day at which it was taken; `nil` if the image does not contain it.
    package let time: TimeOfDay?
    /// The position at which it was taken; `nil` if the image does not contain it.
    package let coordinate: Coordinate?

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
package enum DraftImage: Hashable, Sendable {
    case stored(TravelImage.ID)
    case picked(TravelImage)

    package var id: TravelImage.ID {
        switch self {
        case .stored(let id): id
        case .picked(let image): image.id
        }
    }

    /// The image, if it is new and must be stored with the form.
    var new: TravelImage? { if case .picked(let image) = self { image } else { nil } }
}

/// One line of a comparison of two versions: a field with both values.
package struct VersionLine: Hashable, Sendable {
    package let label: String
    /// The value of the form, as text; empty without one.
    package let mine: String
    /// The value that is stored, as text; empty without one.
    package let theirs: String

    /// Whether the values differ, so that the line is highlighted.
    package var differs: Bool { mine != theirs }
}

/// The reason why a form cannot be saved: the problem of one of its fields.
package enum FormProblem: Error, Hashable, Sendable {
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

    package func text(in language: Language) -> String {
        switch self {
        case .violation(let violation): language[violation.text]
        case .text(let text): language[text]
        case .failed(let failure): failure.message(in: language).text
        }
    }
}
