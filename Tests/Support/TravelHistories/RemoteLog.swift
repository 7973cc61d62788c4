import Synchronization
public import TravelDomain
public import TravelDomainTesting

/// What a remote store has accepted, in order.
public final class RemoteLog: Sendable {
    private let state = Mutex<(versions: [RecordedTravel], removed: Set<Travel.ID>)>(([], []))

    public init() {}

    /// Each version of each travel.
    public var versions: [RecordedTravel] { state.withLock { $0.versions } }
    public var removed: Set<Travel.ID> { state.withLock { $0.removed } }

    fileprivate func record(_ travel: RecordedTravel) {
        state.withLock { state in
            // An edit that changes nothing makes no version.
            let last = state.versions.last { $0.id == travel.id }
            if last?.version != travel.version || state.removed.contains(travel.id) { state.versions.append(travel) }
        }
    }

    fileprivate func recordRemoval(of travel: Travel.ID) {
        state.withLock { state in _ = state.removed.insert(travel) }
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

    public func add(_ travels: [RecordedTravel], images: [TravelImage]) async throws {
        try await base.add(travels, images: images)
        for travel in travels { log.record(travel) }
    }

    public func update(
        _ id: Travel.ID, expecting version: TravelVersion?, by user: User.ID, adding images: [TravelImage],
        _ change: @escaping @Sendable (RecordedTravel) throws(TravelError) -> RecordedTravel?
    ) async throws -> RecordedTravel? {
        let travel = try await base.update(id, expecting: version, by: user, adding: images, change)
        if let travel { log.record(travel) } else { log.recordRemoval(of: id) }
        return travel
    }
}
