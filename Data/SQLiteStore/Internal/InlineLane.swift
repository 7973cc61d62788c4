/// Runs accesses where the caller runs, on connections that are handed from one access to the next.
final class InlineLane: Lane {
    private let open: @Sendable () throws -> Connection
    private let state: Locked<State>

    private struct State {
        var idle: [Seat] = []
        /// Connections that may still be opened.
        var unopened: Int
        var inUse = 0
        var waiters: [Waiter] = []
        var lastWaiter: UInt64 = 0
        var isClosed = false
        var whenEnded: (@Sendable () -> Void)?
    }

    /// Someone who is given a seat as soon as one is free.
    private struct Waiter {
        let id: UInt64
        let take: @Sendable (Result<Seat, any Error>) -> Void
    }

    /// A place in the lane, with its connection once there is one.
    ///
    /// `@unchecked Sendable`: a seat is either idle or in the hands of one access, never of two.
    private final class Seat: @unchecked Sendable {
        var connection: Connection?
    }

    init(connections: Int, open: @escaping @Sendable () throws -> Connection) {
        self.open = open
        state = Locked(State(unopened: connections))
    }

    func run<Value: Sendable>(
        isolation: isolated (any Actor)?, _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        let seat = if let seat = try takeSeat(orWait: nil) { seat } else { try await waitForSeat() }
        return try use(seat, body)
    }

    func runBlocking<Value: Sendable>(_ body: @escaping @Sendable (Connection) throws -> Value) throws -> Value {
        if let seat = try takeSeat(orWait: nil) { return try use(seat, body) }
        let outcome = Outcome<Seat>()
        let waiter = Waiter(id: nextWaiter(), take: outcome.fulfil)
        let seat = if let seat = try takeSeat(orWait: waiter) { seat } else { try outcome.wait() }
        return try use(seat, body)
    }

    private func use<Value>(_ seat: Seat, _ body: (Connection) throws -> Value) throws -> Value {
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
        let id = nextWaiter()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let waiter = Waiter(id: id) { continuation.resume(with: $0) }
                do {
                    try Task.checkCancellation()
                    if let seat = try takeSeat(orWait: waiter) { continuation.resume(returning: seat) }
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
            }
            waiter?.take(.failure(CancellationError()))
        }
    }

    private func nextWaiter() -> UInt64 {
        state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
    }

    /// A seat if one is free; if not, `waiter` is given one later.
    private func takeSeat(orWait waiter: Waiter?) throws -> Seat? {
        try state.withLock { state in
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
        var waiter: Waiter?
        var isClosed = false
        var whenEnded: (@Sendable () -> Void)?
        state.withLock { state in
            if !state.waiters.isEmpty {
                waiter = state.waiters.removeFirst()
                return
            }
            state.inUse -= 1
            isClosed = state.isClosed
            if !isClosed { state.idle.append(seat) }
            if isClosed, state.inUse == 0 { swap(&whenEnded, &state.whenEnded) }
        }
        if let waiter { return waiter.take(.success(seat)) }
        if isClosed { seat.connection = nil }
        whenEnded?()
    }
}
