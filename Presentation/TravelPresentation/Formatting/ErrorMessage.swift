/// The message of an error on a screen, and whether a retry may help.
///
/// ```swift
/// let error = TravelError.unavailable(.init("The disk is full.", canRetry: false))
/// ErrorMessage(error, in: .english).canRetry    // false
/// ```
public struct ErrorMessage: Error, Hashable, Sendable {
    /// One or two sentences: the problem, and the remedy.
    public let text: String
    /// Whether the screen offers a retry, because it may succeed.
    public let canRetry: Bool

    /// Creates a message with a text in the language of the screen.
    public init(_ text: String, canRetry: Bool) {
        self.text = text
        self.canRetry = canRetry
    }

    /// Creates the message for `error`: the reason of a domain error, or a general sentence.
    public init(_ error: any Error, in language: Language) {
        let failure = ScreenFailure(error)
        text =
            switch language {
            case .english: failure.english
            case .korean: failure.korean
            }
        canRetry = failure.canRetry
    }
}
