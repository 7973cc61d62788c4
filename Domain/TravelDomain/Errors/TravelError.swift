/// The errors of the domain, which every repository throws as well.
///
/// Apart from this type, an `async` function of the domain throws only `CancellationError`.
///
/// ```swift
/// do {
///     try await repository.setLiked(true, travel: id, by: user)
/// } catch TravelError.notFound(.travel(id)) {
///     // The travel was removed meanwhile.
/// } catch TravelError.unavailable(let outage) where outage.canRetry {
///     // The same call may succeed later.
/// }
/// ```
public enum TravelError: Error, Hashable, Sendable {
    /// The subject does not exist, or this person does not see it.
    case notFound(Subject)
    /// This person is not allowed to do that.
    case forbidden(Subject)
    /// The subject may not be published, because an ``ImageReview`` refuses it.
    case refused(Subject)
    /// The subject, or a nickname, exists already.
    case conflict(Subject)
    /// Someone else has changed the travel in the meantime; the value is the travel as it is now.
    indirect case outdated(RecordedTravel)
    /// A value breaks a rule; the violation names the field and the rule.
    case invalid(Violation)
    /// Nobody is signed in, or the identity provider no longer accepts the session.
    case signedOut
    /// The store cannot answer at the moment.
    case unavailable(Outage)

    /// The subject of an error.
    ///
    /// ```swift
    /// TravelError.notFound(.travel(id))    // not equal to .notFound(.travel(other))
    /// ```
    public enum Subject: Hashable, Sendable {
        /// The travel with this ID.
        case travel(Travel.ID)
        /// The timeline entry with this ID.
        case entry(TimelineEntry.ID)
        /// The person with this ID.
        case user(User.ID)
        /// The image with this ID.
        case image(TravelImage.ID)
    }

    /// The reason why a store cannot answer, and whether a retry may help.
    ///
    /// ```swift
    /// TravelError.unavailable(.init("The disk is full.", canRetry: false))
    /// ```
    public struct Outage: Hashable, Sendable {
        /// The reason, in one English sentence without personal data.
        public let reason: String
        /// The kind of reason, for a message in another language.
        public let cause: Cause
        /// Whether the same call may succeed later without any change.
        public let canRetry: Bool

        /// Creates an outage with a reason, one English sentence without personal data.
        public init(_ reason: String, cause: Cause = .other, canRetry: Bool) {
            self.reason = reason
            self.cause = cause
            self.canRetry = canRetry
        }
    }
}

extension TravelError: CustomStringConvertible {
    /// One English sentence that names the subject and, where known, the remedy.
    public var description: String {
        switch self {
        case .notFound(let subject): "There is no \(subject)."
        case .forbidden(.user(let id)):
            "This action on person \(id) is not allowed: only they can change their account, and they cannot block "
                + "themselves."
        case .forbidden(.travel(let id)):
            "This action on travel \(id) is not allowed: only its author can change it, and they cannot report it."
        case .forbidden(let subject): "Only its author may change \(subject)."
        case .refused(let subject): "The \(subject) may not be published: choose another one."
        case .conflict(.travel(let id)): "Travel \(id) already exists."
        case .conflict(.user(let id)):
            "Person \(id) already exists or already uses this nickname: choose another one."
        case .conflict(.image(let id)): "An image \(id) already exists."
        case .conflict(let subject): "A \(subject) already exists."
        case .outdated(let travel):
            "Someone else has changed travel \(travel.id) in the meantime: compare it with your version, and try again."
        case .invalid(let violation): violation.description
        case .signedOut: "Nobody is signed in: sign in first."
        case .unavailable(let outage): outage.canRetry ? "\(outage.reason) Try again." : outage.reason
        }
    }
}

extension TravelError.Subject: CustomStringConvertible {
    /// The kind and the ID: `"travel 6f1c…"`.
    public var description: String {
        switch self {
        case .travel(let id): "travel \(id)"
        case .entry(let id): "timeline entry \(id)"
        case .user(let id): "person \(id)"
        case .image(let id): "image \(id)"
        }
    }
}
