internal import TravelDomain
internal import TravelJSON

/// A pending or refused write, with its number in the outbox.
struct QueuedWrite: Sendable {
    let number: Int
    let write: TripWrite
    /// The conflict if it was refused; `nil` while it is pending.
    var conflict: TripConflict?
    /// The numbers of the later edits that the conflict includes.
    var included: [Int] = []
    /// The number of the conflict that this write resolves.
    var resolves: Int?
    /// The digest of the content that the write replaces; `nil` for any content of the version, as an earlier version of
    /// this module has stored it.
    var base: String?

    /// Performs the write on a store, as `TripWrite.perform(on:)` does, if the version to replace has the content that this
    /// device has seen: a restored server counts versions again.
    func perform(_ write: TripWrite, on store: any TravelStore) async throws {
        guard let base else { return try await write.perform(on: store) }
        func edit(
            _ id: Trip.ID, _ replaced: TripVersion, _ user: User.ID, _ images: [TripImage], _ result: RecordedTrip?
        ) async throws {
            try await store.update(id, expecting: replaced, by: user, adding: images) { there throws(TravelError) in
                guard there.contentDigest == base else { throw .outdated(there) }
                return result
            }
        }
        switch write {
        case .update(let trip, let replaced, let images):
            try await edit(trip.id, replaced, trip.author.id, images, trip)
        case .remove(let id, let replaced, let user): try await edit(id, replaced, user, [], nil)
        default: try await write.perform(on: store)
        }
    }

    func item() throws -> OutboxItem { try OutboxItem(number, StoredWrite(self)) }
}

/// The writes of an outbox, in the order of their numbers. Appending a write, and sending the first one, take the same time
/// however many there are.
struct WriteQueue {
    private var writes: [Int: QueuedWrite] = [:]
    /// The numbers of the pending writes in order, from `start` on, and of some that are not pending any more.
    private var order: [Int] = []
    private var start = 0
    private(set) var conflicts: [TripConflict] = []

    var pendingCount: Int { writes.count }
    var firstPending: QueuedWrite? { start < order.count ? writes[order[start]] : nil }
    var pending: [QueuedWrite] { order[start...].compactMap { writes[$0] } }

    func pendingWrite(_ number: Int) -> QueuedWrite? { writes[number] }

    func firstPending(where isWanted: (QueuedWrite) -> Bool) -> QueuedWrite? {
        order[start...].lazy.compactMap { [writes] in writes[$0] }.first(where: isWanted)
    }

    /// The numbers of the writes by a user, pending or refused.
    func numbers(of user: User.ID) -> [Int] {
        pending.filter { $0.write.author == user }.map(\.number)
            + conflicts.filter { $0.wanted.author == user }.map(\.id)
    }

    /// Appends a write, whose number is larger than the others.
    mutating func append(_ write: QueuedWrite) {
        if let conflict = write.conflict { return conflicts.append(conflict) }
        writes[write.number] = write
        order.append(write.number)
    }

    /// Removes writes, pending or refused.
    mutating func remove(_ numbers: Set<Int>) {
        let resolved = numbers.filter { writes.removeValue(forKey: $0) == nil }
        skipRemoved()
        if !resolved.isEmpty { conflicts.removeAll { resolved.contains($0.id) } }
    }

    /// Turns the pending write with the number of the conflict into that conflict.
    mutating func refuse(_ conflict: TripConflict) {
        guard writes.removeValue(forKey: conflict.id) != nil else { return }
        skipRemoved()
        insert(conflict)
    }

    /// Adds a conflict at its place.
    mutating func insert(_ conflict: TripConflict) {
        let index = conflicts.firstIndex { $0.id > conflict.id } ?? conflicts.count
        conflicts.insert(conflict, at: index)
    }

    /// Replaces the conflict with that ID.
    mutating func replace(_ conflict: TripConflict) {
        guard let index = conflicts.firstIndex(where: { $0.id == conflict.id }) else { return }
        conflicts[index] = conflict
    }

    private mutating func skipRemoved() {
        while start < order.count, writes[order[start]] == nil { start += 1 }
        // Each number is moved once for as many that have left.
        if start > order.count / 2 {
            order.removeFirst(start)
            start = 0
        }
    }
}
