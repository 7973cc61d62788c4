internal import Synchronization

/// Runs accesses where the caller runs, on connections that are handed from one access to the next.
final class InlineLane: Lane {
    private let open: @Sendable () throws -> Connection
    private let state: Mutex<State>

    private struct State {
        var idle: [Seat] = []
        /// Connections that may still be opened.
        var unopened: Int
        var inUse = 0
        var waiters: [(id: UInt64, continuation: CheckedContinuation<Seat, any Error>)] = []
        var lastWaiter: UInt64 = 0
        var isClosed = false
        var whenEnded: (@Sendable () -> Void)?
    }

    /// A place in the lane, with its connection once there is one.
    ///
    /// `@unchecked Sendable`: a seat is either idle or in the hands of one access, never of two.
    private final class Seat: @unchecked Sendable {
        var connection: Connection?
    }

    init(connections: Int, open: @escaping @Sendable () throws -> Connection) {
        self.open = open
        state = Mutex(State(unopened: connections))
    }

    func run<Value: Sendable>(
        isolation: isolated (any Actor)?, _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        let seat = if let seat = try takeFreeSeat() { seat } else { try await waitForSeat() }
        defer { giveBack(seat) }
        let connection = try seat.connection ?? open()
        seat.connection = connection
        connection.interruption.begin()
        defer { connection.interruption.end() }
        return try body(connection)
    }

    func runIfConvenient(_ job: @escaping @Sendable (Connection) -> Void) {
        let seat = state.withLock { state -> Seat? in
            guard let seat = state.idle.popLast() else { return nil }
            state.inUse += 1
            return seat
        }
        guard let seat else { return }
        if let connection = seat.connection { job(connection) }
        giveBack(seat)
    }

    func close(whenEnded: @escaping @Sendable () -> Void) {
        let (isEnded, idle) = state.withLock { state -> (Bool, [Seat]) in
            guard !state.isClosed else { return (false, []) }
            state.isClosed = true
            defer { state.idle = [] }
            if state.inUse > 0 { state.whenEnded = whenEnded }
            return (state.inUse == 0, state.idle)
        }
        for seat in idle { seat.connection = nil }
        if isEnded { whenEnded() }
    }

    private func waitForSeat() async throws -> Seat {
        let id = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                do {
                    if let seat = try takeFreeSeat(orWait: (id, continuation)) { continuation.resume(returning: seat) }
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
            }
            waiter?.continuation.resume(throwing: CancellationError())
        }
    }

    private func takeFreeSeat(
        orWait waiter: (id: UInt64, continuation: CheckedContinuation<Seat, any Error>)? = nil
    ) throws -> Seat? {
        try Task.checkCancellation()
        return try state.withLock { state in
            if state.isClosed { throw Database.closedError }
            if let seat = state.idle.popLast() {
                state.inUse += 1
                return seat
            }
            if state.unopened > 0 {
                state.unopened -= 1
                state.inUse += 1
                return Seat()
            }
            if let waiter { state.waiters.append(waiter) }
            return nil
        }
    }

    private func giveBack(_ seat: Seat) {
        var waiter: CheckedContinuation<Seat, any Error>?
        var isClosed = false
        var whenEnded: (@Sendable () -> Void)?
        state.withLock { state in
            if !state.waiters.isEmpty {
                waiter = state.waiters.removeFirst().continuation
                return
            }
            state.inUse -= 1
            isClosed = state.isClosed
            if !isClosed { state.idle.append(seat) }
            if isClosed, state.inUse == 0 { swap(&whenEnded, &state.whenEnded) }
        }
        if let waiter { return waiter.resume(returning: seat) }
        if isClosed { seat.connection = nil }
        whenEnded?()
    }
}
