import Synchronization
public import TravelDomain
public import TravelDomainTesting

/// What a remote store has accepted, in order.
public final class RemoteLog: Sendable {
    private let state = Mutex<(versions: [RecordedTrip], removed: Set<Trip.ID>)>(([], []))

    public init() {}

    /// Each version of each trip.
    public var versions: [RecordedTrip] { state.withLock { $0.versions } }
    public var removed: Set<Trip.ID> { state.withLock { $0.removed } }

    fileprivate func record(_ trip: RecordedTrip) {
        state.withLock { state in
            // An edit that changes nothing makes no version.
            let last = state.versions.last { $0.id == trip.id }
            if last?.version != trip.version || state.removed.contains(trip.id) { state.versions.append(trip) }
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
