/// The status of an editor: its phase, and the problems that it shows.
///
/// ```swift
/// editor.send(.saveTapped)
/// editor.currentState.status.phase           // .saving
/// editor.send(.backTapped)                   // nothing happens until it has ended
/// ```
public struct EditorStatus<Field: Hashable & Sendable>: Hashable, Sendable {
    /// The current phase of the editor.
    ///
    /// ```swift
    /// switch state.status.phase {
    /// case .loading: showSkeleton()
    /// case .failed(let failure): show(failure.message(in: .english).text)
    /// case .editing, .saving: show(state.draft, isEnabled: state.status.phase == .editing)
    /// }
    /// ```
    public enum Phase: Hashable, Sendable {
        /// The travel or entry to edit is loading.
        case loading
        /// The travel or entry to edit failed to load.
        case failed(ScreenFailure)
        /// The person edits the form, which can be saved.
        case editing
        /// The form is being saved; it cannot be changed meanwhile.
        case saving
    }

    /// The current phase of the editor.
    public internal(set) var phase: Phase
    /// Whether the editor asks if the person wants to discard the changes.
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

/// An image that was picked for a travel or an entry.
///
/// ```swift
/// let picked = PickedImage(image, day: try CalendarDay(year: 2024, month: 5, day: 1), time: try TimeOfDay(hour: 9))
/// picked.time?.description    // "09:00"
/// ```
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
///
/// ```swift
/// DraftImage.picked(image).id == image.id        // true
/// DraftImage.stored(image.id).id == image.id     // true
/// ```
public enum DraftImage: Hashable, Sendable {
    /// An image that is stored already, by its ID.
    case stored(TravelImage.ID)
    /// An image that was picked and is stored with the form.
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
///
/// ```swift
/// for line in conflict.lines(in: .english) where line.differs {
///     print(line.label, line.mine, line.theirs)    // Title Beach Beach at night
/// }
/// ```
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
///
/// ```swift
/// titleLabel.text = FormProblem.violation(Violation(.title, .tooLong(maximum: 60))).text(in: .english)
/// ```
public enum FormProblem: Error, Hashable, Sendable {
    /// The value breaks a rule of the domain.
    case violation(Violation)
    /// The value is missing, or does not have the form that the text describes.
    case text(Text)
    /// The value could not be read or checked.
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
