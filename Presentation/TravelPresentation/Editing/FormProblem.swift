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
        case .violation(let violation): language == .korean ? violation.korean : violation.english
        case .text(let text): language[text]
        case .failed(let failure): failure.message(in: language).text
        }
    }
}
