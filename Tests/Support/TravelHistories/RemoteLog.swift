import Synchronization
public import TravelDomain
public import TravelDomainTesting

/// What a remote store has accepted, in order.
public final class RemoteLog: Sendable {
    /// A return of the remote store to a backup.
    public struct Restore: Sendable {
        /// The number of versions that were recorded before.
        public let index: Int
        /// The trips that it has changed, as they were before; those that were missing are not there.
        public let before: [Trip.ID: RecordedTrip]
        /// The trips that it has changed, as they were afterwards; those that were missing are not there.
        public let after: [Trip.ID: RecordedTrip]

        public var changed: Set<Trip.ID> { Set(before.keys).union(after.keys) }
    }

    private let state = Mutex<(versions: [RecordedTrip], removed: Set<Trip.ID>, restores: [Restore])>(([], [], []))

    public init() {}

    public var restores: [Restore] { state.withLock { $0.restores } }

    /// Records that the remote store has returned to a backup, with the trips that this has changed.
    public func recordRestore(before: [Trip.ID: RecordedTrip], after: [Trip.ID: RecordedTrip]) {
        state.withLock {
            $0.restores.append(Restore(index: $0.versions.count, before: before, after: after))
        }
    }

    /// Each version of each trip.
    public var versions: [RecordedTrip] { state.withLock { $0.versions } }
    public var removed: Set<Trip.ID> { state.withLock { $0.removed } }

    fileprivate func record(_ trip: RecordedTrip) {
        state.withLock { state in
            // An edit that changes nothing makes no version.
            let last = state.versions.lastIndex { $0.id == trip.id }
            let isRestored = state.restores.contains { $0.index > last ?? -1 && $0.changed.contains(trip.id) }
            if isRestored || last.map({ state.versions[$0].version }) != trip.version
                || state.removed.contains(trip.id)
            {
                state.versions.append(trip)
            }
        }
    }

    fileprivate func recordRemoval(of trip: Trip.ID) {
        state.withLock { state in _ = state.removed.insert(trip) }
    }
}

/// A store that records what it accepts.
public struct LoggedStore: ForwardingStore {
    private let base: any TravelStore
    private let log: RemoteLog

    public init(_ base: any TravelStore, in log: RemoteLog) {
        (self.base, self.log) = (base, log)
    }

    public func store(for call: InterceptedStore.Call) async throws -> any TravelStore { base }

    public func add(_ trips: [RecordedTrip], images: [TripImage]) async throws {
        try await base.add(trips, images: images)
        for trip in trips { log.record(trip) }
    }

    public func update(
        _ id: Trip.ID, expecting version: TripVersion?, by user: User.ID, adding images: [TripImage],
        _ change: @escaping @Sendable (RecordedTrip) throws(TravelError) -> RecordedTrip?
    ) async throws -> RecordedTrip? {
        let trip = try await base.update(id, expecting: version, by: user, adding: images, change)
        if let trip { log.record(trip) } else { log.recordRemoval(of: id) }
        return trip
    }
}
