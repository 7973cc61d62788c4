internal import Synchronization
public import TravelDomain

/// A synchronization whose status, conflicts and vanished trips a test sets.
///
/// A resolved conflict and a trip that was restored or let go leave it, and ``calls`` records what was asked.
///
/// ```swift
/// let synchronization = ScriptedSynchronization(conflicts: [conflict])
/// try await synchronization.resolve(conflict.id, with: .keepMine)
/// await synchronization.conflicts()    // []
/// ```
public final class ScriptedSynchronization: TripSynchronization {
    /// What was asked.
    public enum Call: Hashable, Sendable {
        case reconnect
        case resolve(TripConflict.ID, TripConflict.Resolution)
        case restore(Trip.ID)
        case forget(Trip.ID)
    }

    private struct State {
        var status = SyncStatus()
        var conflicts: [TripConflict]
        var vanished: [VanishedTrip]
        var calls: [Call] = []
        var error: TravelError?
        var statusObservers: [AsyncStream<SyncStatus>.Continuation] = []
        var conflictObservers: [AsyncStream<[TripConflict]>.Continuation] = []

        mutating func publish() {
            (status.conflicts, status.vanishedTrips) = (conflicts.count, vanished.count)
            for observer in statusObservers { observer.yield(status) }
            for observer in conflictObservers { observer.yield(conflicts) }
        }
    }

    private let state: Mutex<State>

    public init(conflicts: [TripConflict] = [], vanished: [VanishedTrip] = []) {
        var initial = State(conflicts: conflicts, vanished: vanished)
        initial.publish()
        state = Mutex(initial)
    }

    public var calls: [Call] { state.withLock { $0.calls } }

    /// Changes the status; the numbers of conflicts and of vanished trips stay those of the lists.
    public func update(_ change: (inout SyncStatus) -> Void) {
        state.withLock {
            change(&$0.status)
            $0.publish()
        }
    }

    /// The server no longer has a trip.
    public func lose(_ trip: VanishedTrip) {
        state.withLock {
            $0.vanished.append(trip)
            $0.publish()
        }
    }

    /// Every decision fails with `error` from now on; `nil` lets them succeed.
    public func fail(with error: TravelError?) { state.withLock { $0.error = error } }

    public func status() async -> SyncStatus { state.withLock { $0.status } }
    public func conflicts() async -> [TripConflict] { state.withLock { $0.conflicts } }
    public func vanishedTrips() async -> [VanishedTrip] { state.withLock { $0.vanished } }

    public func observeStatus() async -> AsyncStream<SyncStatus> {
        let (stream, continuation) = AsyncStream<SyncStatus>.makeStream(bufferingPolicy: .bufferingNewest(1))
        state.withLock {
            continuation.yield($0.status)
            $0.statusObservers.append(continuation)
        }
        return stream
    }

    public func observeConflicts() async -> AsyncStream<[TripConflict]> {
        let (stream, continuation) = AsyncStream<[TripConflict]>.makeStream(bufferingPolicy: .bufferingNewest(1))
        state.withLock {
            continuation.yield($0.conflicts)
            $0.conflictObservers.append(continuation)
        }
        return stream
    }

    public func reconnect() async { state.withLock { $0.calls.append(.reconnect) } }

    public func resolve(_ id: TripConflict.ID, with resolution: TripConflict.Resolution) async throws {
        try change(.resolve(id, resolution)) { $0.conflicts.removeAll { $0.id == id } }
    }

    public func restore(_ id: Trip.ID) async throws {
        try change(.restore(id)) { $0.vanished.removeAll { $0.id == id } }
    }

    public func forget(_ id: Trip.ID) async throws {
        try change(.forget(id)) { $0.vanished.removeAll { $0.id == id } }
    }

    private func change(_ call: Call, _ body: (inout State) -> Void) throws(TravelError) {
        let error = state.withLock { state in
            state.calls.append(call)
            if state.error == nil {
                body(&state)
                state.publish()
            }
            return state.error
        }
        if let error { throw error }
    }
}
