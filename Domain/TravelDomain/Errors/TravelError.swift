/// Everything that can go wrong in the domain, and what any store may throw through it.
///
/// Besides this type, an `async` function of the domain throws only `CancellationError`.
public enum TravelError: Error, Hashable, Sendable {
    /// What was asked for is not there, or is not there for this person.
    case notFound(Subject)
    /// This person may not do that.
    case forbidden(Subject)
    /// It is there already, or was changed by someone else in the meantime.
    case conflict(Subject)
    /// A value breaks a rule; which value and which rule is inside.
    case invalid(Violation)
    /// The store cannot answer now.
    case unavailable(Outage)

    /// What an error is about.
    public enum Subject: Hashable, Sendable {
        /// A travel.
        case travel(Travel.ID)
        /// A timeline entry.
        case entry(TimelineEntry.ID)
        /// A person.
        case user(User.ID)
        /// An image.
        case image(TravelImage.ID)
    }

    /// Why a store cannot answer, and whether asking again may help.
    public struct Outage: Hashable, Sendable {
        /// What happened, in a sentence without personal data.
        public let reason: String
        /// Whether the same call may succeed later, with nothing changed.
        public let canRetry: Bool

        /// An outage for that reason.
        public init(_ reason: String, canRetry: Bool) {
            self.reason = reason
            self.canRetry = canRetry
        }
    }
}

extension TravelError: CustomStringConvertible {
    /// The error in one English sentence: what, where, and how to mend it where that is known.
    public var description: String {
        switch self {
        case .notFound(let subject): "There is no \(subject)."
        case .forbidden(.user(let id)):
            "That may not be done to person \(id): others cannot change an account, and nobody can block themselves."
        case .forbidden(let subject): "Only its author may change \(subject)."
        case .conflict(.travel(let id)): "Travel \(id) is there already, or this person has reported it already."
        case .conflict(.user(let id)):
            "Person \(id) is there already, is blocked already, or has this nickname: choose another."
        case .conflict(.image(let id)): "There is an image \(id) already."
        case .conflict(let subject): "There is a \(subject) already."
        case .invalid(let violation): violation.description
        case .unavailable(let outage): outage.canRetry ? "\(outage.reason) Try again." : outage.reason
        }
    }
}

extension TravelError.Subject: CustomStringConvertible {
    /// The kind and the identity: `"travel 6f1c…"`.
    public var description: String {
        switch self {
        case .travel(let id): "travel \(id)"
        case .entry(let id): "timeline entry \(id)"
        case .user(let id): "person \(id)"
        case .image(let id): "image \(id)"
        }
    }
}
