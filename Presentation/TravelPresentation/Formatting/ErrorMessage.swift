/// What a screen says about something that went wrong, and whether trying again may help.
public struct ErrorMessage: Error, Hashable, Sendable {
    /// One sentence.
    public let text: String
    /// Whether a retry button makes sense.
    public let canRetry: Bool

    /// A message of that text.
    public init(_ text: String, canRetry: Bool) {
        self.text = text
        self.canRetry = canRetry
    }

    /// The message for `error`: a domain error in its own words, anything else in general ones.
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
