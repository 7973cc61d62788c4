internal import Synchronization

/// Connections of one kind, at most so many, and the accesses that take turns on them: in the order of their arrival, or by
/// urgency.
///
/// An access runs on a thread of the lane's, or where the caller runs: `Lane+Threads`, `Lane+Caller`. Both hold a seat
/// meanwhile, so that they can be mixed.
final class Lane: Sendable {
    let execution: Database.Execution
    let open: @Sendable () throws -> Connection
    /// As many as there are seats: whoever has a seat finds a thread.
    let threadLimit: Int
    let state: Locked<State>
    /// Signalled when there is something for a thread of the lane's to do.
    let condition = Condition()
    /// How many jobs are ready, for a thread that looks without a lock; for a moment it may be less.
    let readyCount = Atomic(0)
    let pace = Pace()

    struct State {
        /// Whether urgent accesses come before others, and one connection is kept free from those that are not urgent.
        let isByUrgency: Bool
        var idle: [Seat] = []
        /// Connections that may still be opened.
        var unopened: Int
        var inUse = 0
        var waiters = UrgencyQueue<Waiter>()
        var lastWaiter: UInt64 = 0
        /// Jobs that have a seat, and wait for a thread.
        var ready = FirstInFirstOut<(job: any Job, seat: Seat)>()
        var threadCount = 0
        /// When a thread last had nothing to do.
        var lastIdling = 0
        /// How many threads have nothing to do.
        var idleThreadCount = 0
        var busyThreadCount: Int { threadCount - idleThreadCount }
        /// Whether one of those looks for a job without sleeping.
        var hasSpinner = false
        var isClosed = false
        /// Those who wait for the end.
        var whenEnded: [@Sendable () -> Void] = []
        /// Whether accesses wait, however many connections there are.
        var isSuspended = false
        /// Those who wait for all connections to be closed meanwhile.
        var whenSuspended: [@Sendable () -> Void] = []
    }

    /// Someone who is given a seat as soon as one is free.
    enum Waiter {
        case job(any Job)
        case caller(id: UInt64, take: @Sendable (Result<Seat, any Error>) -> Void)
    }

    /// A place in the lane, with its connection once there is one.
    ///
    /// `@unchecked Sendable`: a seat is either idle or in the hands of one access, never of two.
    final class Seat: @unchecked Sendable {
        private var opened: Connection?

        /// Its connection, opened by `open` if there is none yet.
        func connection(open: () throws -> Connection) throws -> Connection {
            if let opened { return opened }
            let connection = try open()
            opened = connection
            return connection
        }

        /// Closes the connection.
        fileprivate func close() {
            opened = nil
        }
    }

    init(
        execution: Database.Execution, connections: Int, isByUrgency: Bool = false,
        open: @escaping @Sendable () throws -> Connection
    ) {
        self.execution = execution
        self.open = open
        threadLimit = max(connections, 1)
        state = Locked(State(isByUrgency: isByUrgency && threadLimit > 1, unopened: threadLimit))
    }

    /// Runs `body` on a connection when one is free. The caller's isolation saves a change of thread on the way.
    func run<Value: Sendable>(
        isolation: isolated (any Actor)?, _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        switch execution {
        case .dedicatedThreads: try await runOnThread(isolation: isolation, body)
        case .inline: try await runHere(isolation: isolation, body)
        }
    }

    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// How many accesses wait for a seat.
    var waiterCount: Int { state.withLock { $0.waiters.count } }

    /// Keeps further accesses waiting, lets those under way end, and closes the connections.
    func suspend(whenSuspended: @escaping @Sendable () -> Void) {
        let end = state.withLock { state -> End? in
            state.isSuspended = true
            state.whenSuspended.append(whenSuspended)
            return state.takeSuspension()
        }
        end?.run()
    }

    /// Makes the accesses that have waited.
    func resume() {
        let (next, tell) = state.withLock { state -> ([(Waiter, Seat)], [@Sendable () -> Void]) in
            state.isSuspended = false
            defer { state.whenSuspended = [] }
            var next: [(Waiter, Seat)] = []
            while let seat = state.takeSeat(.normal), let waiter = state.giveBack(seat) { next.append((waiter, seat)) }
            return (next, state.whenSuspended)
        }
        for (waiter, seat) in next {
            switch waiter {
            case .job(let job): hand(job, seat)
            case .caller(_, let take): take(.success(seat))
            }
        }
        for tell in tell { tell() }
    }

    /// Refuses further accesses, lets those under way and those waiting end, and closes the connections. Once it has
    /// ended, closing it again does nothing but call `whenEnded`.
    func close(whenEnded: @escaping @Sendable () -> Void) {
        resume()
        let end = state.withLock { state -> End? in
            state.isClosed = true
            state.whenEnded.append(whenEnded)
            return state.takeEnd()
        }
        condition.broadcast()
        end?.run()
    }

    /// Gives a seat to whoever is next, or back.
    func giveBack(_ seat: Seat) {
        let (next, end) = state.withLock { state in (state.giveBack(seat), state.takeSuspension() ?? state.takeEnd()) }
        switch next {
        case .job(let job): hand(job, seat)
        case .caller(_, let take): take(.success(seat))
        case nil: end?.run()
        }
    }
}

extension Lane.State {
    /// How urgent an access of the current task is.
    var currentUrgency: Urgency { isByUrgency ? Urgency(Task.currentPriority) : .normal }

    /// A seat if one is free for an access of this urgency. Nobody who might have it waits then.
    mutating func takeSeat(_ urgency: Urgency) -> Lane.Seat? {
        guard !isClosed, !isSuspended else { return nil }
        if urgency == .low, isByUrgency, idle.count + unopened < 2 { return nil }
        if let seat = idle.popLast() {
            inUse += 1
            return seat
        }
        guard unopened > 0 else { return nil }
        unopened -= 1
        inUse += 1
        return Lane.Seat()
    }

    /// Who gets the seat next; it is idle if nobody does.
    mutating func giveBack(_ seat: Lane.Seat) -> Lane.Waiter? {
        // The last seat that is free is none for what is not urgent.
        let isLast = isByUrgency && idle.isEmpty && unopened == 0
        if !isSuspended, let waiter = waiters.popFirst(atLeast: isLast ? .normal : .low) { return waiter }
        inUse -= 1
        idle.append(seat)
        return nil
    }

    /// What is left to do when the last access before a suspension has ended. The next ones open new connections.
    mutating func takeSuspension() -> Lane.End? {
        guard isSuspended, inUse == 0, !whenSuspended.isEmpty else { return nil }
        unopened += idle.count
        defer { (idle, whenSuspended) = ([], []) }
        return Lane.End(seats: idle, whenEnded: whenSuspended)
    }

    /// What is left to do at the very end, for the one who brings it about.
    mutating func takeEnd() -> Lane.End? {
        guard isClosed, inUse == 0, threadCount == 0, waiters.isEmpty, !whenEnded.isEmpty else { return nil }
        defer { (idle, whenEnded) = ([], []) }
        return Lane.End(seats: idle, whenEnded: whenEnded)
    }
}

extension Lane {
    /// The connections to close, and whom to tell of it.
    struct End {
        fileprivate let seats: [Seat]
        fileprivate let whenEnded: [@Sendable () -> Void]

        func run() {
            for seat in seats { seat.close() }
            for tell in whenEnded { tell() }
        }
    }
}
