public import TravelDomain

/// A write that the remote store has refused, and that waits for the decision of the person.
///
/// The local store shows what the remote store has; what the person wanted is here until they decide.
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
    public enum Reason: String, Hashable, Sendable {
        /// Somebody has changed the travel in the meantime.
        case outdated
        /// The travel, entry, image or person does not exist any more, or is hidden from the person.
        case notFound
        /// The ID or the nickname belongs to another one.
        case taken
        /// The person is not allowed to do that.
        case forbidden
        /// The remote store has stricter rules.
        case invalid
    }

    /// What the person decides.
    ///
    /// ```swift
    /// try await travels.resolve(conflict.id, with: .edited(content, timeline: theirs.timeline + mine.timeline))
    /// ```
    public enum Resolution: Hashable, Sendable {
        /// Writes again what the person wanted, over what the remote store had at the time of the conflict.
        case keepMine
        /// Drops what the person wanted.
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
    /// The reason that an error of the remote store means; `nil` if the store has not answered.
    init?(_ error: any Error) {
        switch error {
        case TravelError.outdated: self = .outdated
        case TravelError.notFound: self = .notFound
        case TravelError.conflict: self = .taken
        case TravelError.forbidden: self = .forbidden
        case TravelError.invalid: self = .invalid
        default: return nil
        }
    }
}
