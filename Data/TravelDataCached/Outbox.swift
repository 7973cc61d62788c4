public import TravelDomain

/// Stores the writes that a ``CachedTripRepository`` has not sent yet, and its conflicts.
///
/// An outbox does not interpret its items: each is a number and its bytes. ``FileOutbox`` implements it. One repository at a time uses an outbox, and makes one call at a time. Every function throws
/// `TravelError.unavailable` when the items cannot be read or written, and ignores the cancellation of its task,
/// because a write that is applied must not stay behind in the outbox or be missing from it.
///
/// ```swift
/// try await outbox.save(OutboxItem(number: 1, bytes: bytes))
/// try await outbox.items().map(\.number)    // [1]
/// try await outbox.remove(1)
/// try await outbox.items().isEmpty          // true
/// ```
public protocol Outbox: Sendable {
    /// Returns all items, ordered by number. Throws `TravelError.unavailable` when they cannot be read.
    func items() async throws -> [OutboxItem]

    /// Stores an item, and replaces the one with the same number. It is durable when the call returns, and either
    /// stored as a whole or not at all if the process ends before. Throws `TravelError.unavailable` when it cannot be
    /// stored; the items stay as they are then.
    func save(_ item: OutboxItem) async throws

    /// Removes the item with that number durably. Does nothing if there is none. Throws `TravelError.unavailable` when
    /// it cannot be removed; it stays then.
    func remove(_ number: Int) async throws
}

public struct OutboxItem: Hashable, Sendable {
    /// The position in the order of sending, at least 1.
    public let number: Int
    /// The content, in a format that only this module reads.
    public let bytes: Data

    /// Creates an item from its number, at least 1, and its content.
    public init(number: Int, bytes: Data) {
        self.number = number
        self.bytes = bytes
    }
}

/// The subjects that some writes change. An answer of the remote store does not replace them before it includes these
/// writes.
struct WriteSubjects: Sendable {
    /// Trips whose content changes.
    private(set) var contents: Set<Trip.ID> = []
    private(set) var removed: Set<Trip.ID> = []
    private(set) var liked: Set<Trip.ID> = []
    private(set) var reported: Set<Trip.ID> = []
    /// People whose blocks change.
    private(set) var blockers: Set<User.ID> = []
    private(set) var users: Set<User.ID> = []
    /// People who delete their accounts, which changes the likes and reports of many trips.
    private(set) var deletedUsers: Set<User.ID> = []

    init(of writes: [TripWrite] = []) {
        for write in writes { insert(write) }
    }

    /// The subjects of the removal of a user with everything they own.
    init(accountDeletionOf user: User.ID) {
        (users, deletedUsers) = ([user], [user])
    }

    mutating func insert(_ write: TripWrite) {
        switch write {
        case .add(let trips, _):
            contents.formUnion(trips.map(\.id))
            users.formUnion(trips.map(\.author.id))
        case .update(let trip, _, _): contents.insert(trip.id)
        case .remove(let id, _, _):
            contents.insert(id)
            removed.insert(id)
        case .setLiked(_, let id, _): liked.insert(id)
        case .report(let id, _): reported.insert(id)
        case .block(_, let user), .unblock(_, let user): blockers.insert(user)
        case .addUser(let user): users.insert(user.id)
        case .rename(let id, _), .setAvatar(let id, _): users.insert(id)
        }
    }

    mutating func formUnion(_ other: WriteSubjects) {
        contents.formUnion(other.contents)
        removed.formUnion(other.removed)
        liked.formUnion(other.liked)
        reported.formUnion(other.reported)
        blockers.formUnion(other.blockers)
        users.formUnion(other.users)
        deletedUsers.formUnion(other.deletedUsers)
    }
}
