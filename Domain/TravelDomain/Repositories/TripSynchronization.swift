/// Keeps the trips of this device and those of a server alike.
///
/// A store that implements it, as `CachedTripRepository` of `TravelDataCached` does, answers from this device at once
/// and sends changes when the server answers. What the server refuses waits for the user as a ``TripConflict``.
///
/// ```swift
/// for await status in await trips.observeStatus() where status.conflicts > 0 {
///     for conflict in await trips.conflicts() { ask(mine: conflict.wanted, theirs: conflict.theirs) }
/// }
/// ```
public protocol TripSynchronization: Sendable {
    /// Returns whether the server answers, and how many changes are pending.
    func status() async -> SyncStatus

    /// Observes the status: the current one first, and then after each change. A slow consumer receives only the
    /// latest.
    func observeStatus() async -> AsyncStream<SyncStatus>

    /// Asks the server now, without the pause between attempts, so that the status says whether it answers: call it when
    /// the network is back, or after signing in.
    func reconnect() async

    /// Returns the conflicts that wait for a decision, in the order of their writes.
    func conflicts() async -> [TripConflict]

    /// Observes the conflicts: the current ones first, and then after each change. A slow consumer receives only the
    /// latest.
    func observeConflicts() async -> AsyncStream<[TripConflict]>

    /// Resolves a conflict. Does nothing if there is no such conflict any more.
    ///
    /// If the server has another version again when the write that follows is sent, it becomes a new conflict. If this
    /// device has received another version of the trip since the refusal, also one of a trip that was removed then, the
    /// conflict stays, with that version as ``TripConflict/theirs`` and an edited one as ``TripConflict/wanted``, unless the
    /// user drops the write or keeps a copy.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` for a timeline that does not fit the dates; ``TravelError/notFound(_:)`` for
    ///   an image that was removed with its trip; ``TravelError/unavailable(_:)`` when the store of this device does
    ///   not answer; `CancellationError`. The conflict stays then.
    func resolve(_ id: TripConflict.ID, with resolution: TripConflict.Resolution) async throws

    /// Returns the user's trips that have vanished, in the order in which that was noticed.
    ///
    /// ``SyncStatus/vanishedTrips`` tells when their number changes.
    func vanishedTrips() async -> [VanishedTrip]

    /// Adds a vanished trip again, with the images whose bytes this device has. Does nothing if there is no such trip
    /// any more.
    ///
    /// - Throws: ``TravelError/conflict(_:)`` when another trip has one of its entries or images by now;
    ///   ``TravelError/unavailable(_:)`` when the store of this device does not answer; `CancellationError`. Nothing
    ///   changes then.
    func restore(_ id: Trip.ID) async throws

    /// Discards the copy of a vanished trip. Does nothing if there is no such trip any more.
    ///
    /// - Throws: ``TravelError/unavailable(_:)`` when the store of this device does not answer; `CancellationError`.
    ///   Nothing changes then.
    func forget(_ id: Trip.ID) async throws
}

/// Whether a server answers, and what the store of this device has to tell the user.
///
/// ```swift
/// let status = await trips.status()
/// if status.connection == .offline { show("\(status.pendingWrites) pending changes") }
/// ```
public struct SyncStatus: Hashable, Sendable {
    /// Whether the server answers.
    public enum Connection: Hashable, Sendable {
        /// The server was not asked yet.
        case unknown
        case online
        /// The server does not answer, or not with what it is asked for: ``outage`` tells which.
        case offline
        /// The server answers, but the user has to sign in again.
        case signedOut
    }

    public var connection = Connection.unknown
    /// Why the server does not answer what it is asked, while ``connection`` is offline; `nil` otherwise.
    public var outage: TravelError.Outage?
    /// Why this device could not store the last answer of the server, such as a full disk; `nil` if it could. The answer is
    /// asked for again.
    public var storageOutage: TravelError.Outage?
    /// The time of the server's last answer, also to an earlier run; `nil` if it has never answered.
    public var lastAnswer: Date?
    public var pendingWrites = 0
    /// The number of conflicts that wait for a decision.
    public var conflicts = 0
    /// The number of the user's trips that the server no longer has; see ``VanishedTrip``.
    public var vanishedTrips = 0
    /// The numbers of the items of the outbox that cannot be read, because their bytes are damaged or were written by a
    /// later version. They stay in the outbox and are not sent; `remove(_:)` of the outbox discards one.
    public var damagedItems: [Int] = []

    public init() {}
}

/// A write that a server has refused, or lost after it had accepted it, and that waits for the user's decision.
///
/// The store of this device has the state of the server; the conflict keeps the refused write until the user decides.
///
/// ```swift
/// for await conflicts in await trips.observeConflicts() {
///     for conflict in conflicts { ask(mine: conflict.wanted, theirs: conflict.theirs) }
/// }
/// ```
public struct TripConflict: Hashable, Sendable, Identifiable {
    /// The position of the write in the outbox. It does not change while the conflict exists.
    public let id: Int
    /// The refused write. Consecutive edits of one trip count as one: the last edit, with the images of all.
    public let wanted: TripWrite
    /// The reason of the refusal.
    public let reason: Reason
    /// The trip on the server at the time of the refusal, or the version that a decision was found to replace since; `nil` if
    /// the write is not about one trip, or that does not exist there.
    public let theirs: RecordedTrip?

    /// The reason why a server refuses a write.
    ///
    /// Later versions may add reasons: show a general message for one that you do not know.
    public struct Reason: RawRepresentable, Hashable, Sendable {
        /// The name of the reason, as an outbox stores it.
        public let rawValue: String

        /// Creates a reason from its name, known to this version or not.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The trip was changed elsewhere in the meantime.
        public static let outdated = Self(rawValue: "outdated")
        /// The trip, entry, image or user does not exist any more, or is hidden from the user.
        public static let notFound = Self(rawValue: "notFound")
        /// The ID, the nickname or the image belongs to another trip or user.
        public static let taken = Self(rawValue: "taken")
        /// The user is not allowed to make that change.
        public static let forbidden = Self(rawValue: "forbidden")
        /// The server has stricter rules than this device, or the clock of the device was fast.
        public static let invalid = Self(rawValue: "invalid")
        /// The image may not be published, because the server's ``ImageReview`` refuses it.
        public static let refused = Self(rawValue: "refused")
        /// The server, or a proxy before it, does not take as much as the change has.
        public static let tooLarge = Self(rawValue: "tooLarge")
        /// The server had this version of the trip, and has an earlier or another one now, as after it was restored from a
        /// backup.
        public static let lost = Self(rawValue: "lost")
        /// The server refuses the change for a reason that this version does not know.
        public static let declined = Self(rawValue: "declined")
    }

    /// The decision of the user.
    public enum Resolution: Hashable, Sendable {
        /// Repeats the refused write, based on the version that the server had at the time of the conflict; times in the
        /// future become that of now. If the ID belongs to a trip of someone else by now, which nothing of the user
        /// replaces or removes, it is the same as ``keepCopy``, and drops a removal.
        case keepMine
        /// Drops the refused write; the store of this device already has the version of the server.
        case takeTheirs
        /// Writes this version instead, based on the one that the server had at the time of the conflict. It
        /// applies to conflicts about one trip; for the others, it is the same as ``keepMine``.
        case edited(TripContent, timeline: [TimelineEntry])
        /// Drops the refused write, and adds what it would have made of a trip as a new trip of the user, with new IDs and
        /// the images whose bytes this device has. It applies to new and changed trips; for the others, it is the same
        /// as ``keepMine``.
        case keepCopy
    }

    public init(id: Int, wanted: TripWrite, reason: Reason, theirs: RecordedTrip?) {
        (self.id, self.wanted, self.reason, self.theirs) = (id, wanted, reason, theirs)
    }
}

/// A pending or refused write.
///
/// It is complete: it has everything that the server needs, so that it can be sent at any later time.
///
/// ```swift
/// if case .rename(_, let nickname) = conflict.wanted { show("\(nickname.text) is taken: choose another one") }
/// ```
public enum TripWrite: Hashable, Sendable {
    /// Adds trips, with the images that they show.
    case add([RecordedTrip], images: [TripImage])
    /// Replaces the version `replacing` of a trip by its author, with new images.
    case update(RecordedTrip, replacing: TripVersion, images: [TripImage])
    /// Removes the version `replacing` of a trip by its author.
    case remove(Trip.ID, replacing: TripVersion, by: User.ID)
    /// Likes a trip, or removes the like.
    case setLiked(Bool, Trip.ID, by: User.ID)
    /// Reports a trip on behalf of the user.
    case report(Trip.ID, by: User.ID)
    /// Hides the trips of an author from the user.
    case block(User.ID, by: User.ID)
    /// Shows the trips of an author to the user again.
    case unblock(User.ID, by: User.ID)
    /// Adds a user with a new nickname.
    case addUser(User)
    /// Changes the nickname of a user to another one.
    case rename(User.ID, Nickname)
    /// Sets the picture of a user, or removes it.
    case setAvatar(User.ID, TripImage?)
}

extension TripWrite {
    /// The only trip whose content or existence it changes; `nil` if there is none, or several.
    package var editedTrip: Trip.ID? {
        switch self {
        case .add(let trips, _): trips.count == 1 ? trips[0].id : nil
        case .update(let trip, _, _): trip.id
        case .remove(let id, _, _): id
        default: nil
        }
    }

    /// The trips whose content or existence it changes.
    package var trips: [Trip.ID] {
        if case .add(let trips, _) = self { trips.map(\.id) } else { editedTrip.map { [$0] } ?? [] }
    }

    package var images: [TripImage] {
        switch self {
        case .add(_, let images), .update(_, _, let images): images
        default: []
        }
    }
}

/// A trip of the user that the server no longer has, and that the store of this device has therefore removed.
///
/// Another device of the user may have removed it, or the server may have lost it. This device cannot tell these apart,
/// so it keeps a copy until the user decides, or until the server has the trip again. A trip that this device removes
/// does not vanish, and neither does one whose removal is a ``TripConflict``.
///
/// ```swift
/// let lost = await trips.vanishedTrips()
/// show("No longer on the server: " + lost.map(\.trip.content.title.text).joined(separator: ", "))
/// for trip in lost { try await trips.restore(trip.id) }    // or forget
/// ```
public struct VanishedTrip: Hashable, Sendable, Identifiable {
    /// The position in the outbox.
    public let number: Int
    /// The trip as the store of this device had it; its timeline is empty if that was not known.
    public let trip: RecordedTrip

    public init(number: Int, trip: RecordedTrip) {
        (self.number, self.trip) = (number, trip)
    }

    public var id: Trip.ID { trip.id }
}
