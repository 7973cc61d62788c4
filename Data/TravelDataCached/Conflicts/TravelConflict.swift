public import TravelDomain

/// A write that the remote store has refused, and that waits for the decision of the person.
///
/// The local store shows what the remote store has; the conflict keeps what the person wanted until they decide.
///
/// ```swift
/// for await conflicts in await travels.observeConflicts() {
///     for conflict in conflicts { ask(mine: conflict.wanted, theirs: conflict.theirs) }
/// }
/// ```
public struct TravelConflict: Hashable, Sendable, Identifiable {
    /// The position of the write in the outbox. It does not change while the conflict exists.
    public let id: Int
    /// What the person wanted. Several edits of one travel in sequence are one: the last, with all their images.
    public let wanted: TravelWrite
    /// Why the remote store has refused it.
    public let reason: Reason
    /// The travel that the remote store had then, if the write was about one travel and it exists.
    public let theirs: RecordedTravel?

    /// Why a remote store refuses a write.
    ///
    /// Later versions may add reasons: show a general message for one that you do not know.
    ///
    /// ```swift
    /// let message = conflict.reason == .outdated ? "It was edited elsewhere." : "It was not accepted."
    /// ```
    public struct Reason: RawRepresentable, Hashable, Sendable {
        /// The name of the reason, as an outbox stores it.
        public let rawValue: String

        /// Creates a reason from its name, known to this version or not.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Somebody has changed the travel in the meantime.
        public static let outdated = Self(rawValue: "outdated")
        /// The travel, entry, image or person does not exist any more, or is hidden from the person.
        public static let notFound = Self(rawValue: "notFound")
        /// The ID, the nickname or the image belongs to another travel or person.
        public static let taken = Self(rawValue: "taken")
        /// The person is not allowed to make that change.
        public static let forbidden = Self(rawValue: "forbidden")
        /// The remote store has stricter rules than the local one.
        public static let invalid = Self(rawValue: "invalid")
        /// The image may not be published, because the remote store's `ImageReview` refuses it.
        public static let refused = Self(rawValue: "refused")
    }

    /// What the person decides.
    ///
    /// ```swift
    /// try await travels.resolve(conflict.id, with: .edited(content, timeline: theirs.timeline + mine.timeline))
    /// ```
    public enum Resolution: Hashable, Sendable {
        /// Writes again what the person wanted, over what the remote store had at the time of the conflict.
        case keepMine
        /// Drops what the person wanted; the local store shows theirs already.
        case takeTheirs
        /// Writes something new over what the remote store had at the time of the conflict. It applies to conflicts
        /// about one travel; for the others, it is the same as ``keepMine``.
        case edited(TravelContent, timeline: [TimelineEntry])
    }

    init(id: Int, wanted: TravelWrite, reason: Reason, theirs: RecordedTravel?) {
        (self.id, self.wanted, self.reason, self.theirs) = (id, wanted, reason, theirs)
    }
}

extension TravelConflict.Reason {
    /// The reason for an error of the remote store; `nil` if the error means that the store has not answered.
    init?(_ error: any Error) {
        guard let error = error as? TravelError else { return nil }
        // Without a default: an error that is added to the domain and counted as an outage would block the outbox.
        switch error {
        case .outdated: self = .outdated
        case .notFound: self = .notFound
        case .conflict: self = .taken
        case .forbidden: self = .forbidden
        case .refused: self = .refused
        case .invalid: self = .invalid
        case .signedOut, .unavailable: return nil
        }
    }
}
