/// The message of an error on a screen, and whether a retry may help.
public struct ErrorMessage: Error, Hashable, Sendable {
    /// One sentence.
    public let text: String
    /// Whether the screen offers a retry.
    public let canRetry: Bool

    /// Creates a message with that text.
    public init(_ text: String, canRetry: Bool) {
        self.text = text
        self.canRetry = canRetry
    }

    /// Creates the message for `error`: the reason of a domain error, or a general sentence.
    public init(_ error: any Error, in language: Language) {
        switch error {
        case TravelError.unavailable(let outage):
            text = language.choose(outage.reason, "지금은 불러올 수 없습니다. \(outage.reason)")
            canRetry = outage.canRetry
        case let error as TravelError:
            text = error.description
            canRetry = false
        default:
            text = language.choose("Something went wrong.", "문제가 생겼습니다.")
            canRetry = true
        }
    }
}
