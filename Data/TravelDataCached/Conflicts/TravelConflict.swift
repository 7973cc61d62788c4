public import TravelDomain

/// A write that the remote store has refused, and that waits for the person's decision.
///
/// The local store has the state of the remote store; the conflict keeps the refused write until the person decides.
///
/// ```swift
/// for await conflicts in await travels.observeConflicts() {
///     for conflict in conflicts { ask(mine: conflict.wanted, theirs: conflict.theirs) }
/// }
/// ```
public struct TravelConflict: Hashable, Sendable, Identifiable {
    /// The position of the write in the outbox. It does not change while the conflict exists.
    public let id: Int
    /// The refused write. Consecutive edits of one travel count as one: the last edit, with the images of all.
    public let wanted: TravelWrite
    /// The reason of the refusal.
    public let reason: Reason
    /// The travel in the remote store at the time of the refusal, if the write is about one travel and it exists there.
    public let theirs: RecordedTravel?

    /// The reason why a remote store refuses a write.
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

        /// The travel was changed elsewhere in the meantime.
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

    /// The decision of the person.
    ///
    /// ```swift
    /// try await travels.resolve(conflict.id, with: .edited(content, timeline: theirs.timeline + mine.timeline))
    /// ```
    public enum Resolution: Hashable, Sendable {
        /// Repeats the refused write, based on the version that the remote store had at the time of the conflict.
        case keepMine
        /// Drops the refused write; the local store already has the remote version.
        case takeTheirs
        /// Writes this version instead, based on the one that the remote store had at the time of the conflict. It
        /// applies to conflicts about one travel; for the others, it is the same as ``keepMine``.
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
