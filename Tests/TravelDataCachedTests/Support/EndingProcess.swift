import Synchronization
import TravelDataCached
import TravelDomainTesting

/// A process that ends at one of its calls of an outbox: from then on, nothing that it does has an effect.
final class EndingProcess: Sendable {
    /// Which call of the outbox is the last one.
    struct End: Hashable, Sendable, CustomStringConvertible {
        /// The number of calls before it.
        var call: Int
        /// Whether that call has its effect.
        var isAfter: Bool

        var description: String { "\(isAfter ? "after" : "before") call \(call)" }
    }

    private struct State {
        var end: End?
        var calls = 0
        var hasEnded = false
    }

    private let state: Mutex<State>

    /// What each call throws after the end.
    static let ended = TravelError.unavailable(.init("The process has ended.", canRetry: true))

    init(end: End? = nil) {
        state = Mutex(State(end: end))
    }

    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// Chooses the end, counted from now on; `nil` for none.
    func setEnd(_ end: End?) { state.withLock { ($0.end, $0.calls) = (end, 0) } }

    func requireAlive() throws {
        if hasEnded { throw Self.ended }
    }

    fileprivate func callOutbox<Value>(_ call: () async throws -> Value) async throws -> Value {
        try requireAlive()
        let isLast = state.withLock { state in
            defer { state.calls += 1 }
            return state.end?.call == state.calls ? state.end : nil
        }
        if let isLast {
            if isLast.isAfter { _ = try await call() }
            state.withLock { $0.hasEnded = true }
            throw Self.ended
        }
        return try await call()
    }

    func outbox(_ base: any Outbox) -> any Outbox { EndingOutbox(process: self, base: base) }
    func local(_ base: any TravelStore & TripCache) -> any TravelStore & TripCache {
        EndingCache(process: self, base: base)
    }
    func remote(_ base: any TravelStore) -> any TravelStore { EndingStore(process: self, base: base) }
}

private struct EndingOutbox: Outbox {
    let process: EndingProcess
    let base: any Outbox

    func items() async throws -> [OutboxItem] { try await process.callOutbox { try await base.items() } }
    func save(_ item: OutboxItem) async throws { try await process.callOutbox { try await base.save(item) } }
    func remove(_ number: Int) async throws { try await process.callOutbox { try await base.remove(number) } }
}

private struct EndingStore: ForwardingStore {
    let process: EndingProcess
    let base: any TravelStore

    func store(for call: InterceptedStore.Call) async throws -> any TravelStore {
        try process.requireAlive()
        return base
    }

    /// One call, as to a server.
    func details(of id: Trip.ID, viewer: User.ID?) async throws -> TripDetails {
        try process.requireAlive()
        return try await base.details(of: id, viewer: viewer)
    }
}

private struct EndingCache: ForwardingStore, TripCache {
    let process: EndingProcess
    let base: any TravelStore & TripCache

    func store(for call: InterceptedStore.Call) async throws -> any TravelStore {
        try process.requireAlive()
        return base
    }

    func store(_ fetched: FetchedTrips) async throws {
        try process.requireAlive()
        try await base.store(fetched)
    }

    func lastAnswer(to question: String) async throws -> Date? { try await base.lastAnswer(to: question) }
    func knowledge(of id: Trip.ID) async throws -> TripKnowledge { try await base.knowledge(of: id) }
    func lacksBytes(of image: TripImage.ID) async throws -> Bool { try await base.lacksBytes(of: image) }
}
