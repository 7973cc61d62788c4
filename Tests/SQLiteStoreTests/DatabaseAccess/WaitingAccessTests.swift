import DatabaseAccess
import Dispatch
import Testing
import TestConcurrency

@Suite("Short accesses that wait for a connection", .serialized, .limitedConcurrency)
struct WaitingAccessTests {
    @Test("short accesses that wait run on the thread of the one before them, each in its own task")
    @MainActor
    func helping() async throws {
        let pool = makePool()
        let first = await HeldShortAccess(of: pool)
        let waiting = try await enqueue(3, in: pool)
        // Cancelling one of them, or the one before them, has no effect on the others.
        waiting[1].cancel()
        first.cancel()
        first.end()
        let helper = try await first.value
        #expect(helper.value == 0 && helper.isCancelled)
        for index in [0, 2] {
            let access = try await waiting[index].value
            #expect(access.thread == helper.thread && access.value == index + 1 && !access.isCancelled)
        }
        await #expect(throws: CancellationError.self) { try await waiting[1].value }
        // The connection is free again.
        #expect(try await pool.run { _ in 1 } == 1)
        await pool.close()
    }

    @Test("a waiting access that is cancelled fails at once")
    @MainActor
    func cancellation() async throws {
        let pool = makePool()
        let holding = await HeldAccess(of: pool)
        let waiting = try await enqueue(2, in: pool)
        waiting[0].cancel()
        await #expect(throws: CancellationError.self) { try await waiting[0].value }
        try await holding.end()
        #expect(try await waiting[1].value.value == 2)
        await pool.close()
    }

    @Test("what follows a waiting access finds its connection free", arguments: [true, false])
    @MainActor
    func released(isShort: Bool) async throws {
        let pool = makePool()
        let caller = Caller(pool)
        if isShort {
            let first = await HeldShortAccess(of: pool)
            let waiting = try await enqueue(1, in: pool, accesses: { _ in try await caller.access() })
            first.end()
            _ = try await first.value
            try await waiting[0].value
        } else {
            let first = await HeldAccess(of: pool)
            let waiting = try await enqueue(1, in: pool, accesses: { _ in try await caller.access() })
            try await first.end()
            try await waiting[0].value
        }
        // The caller resumes twice: to request the access, and after it.
        #expect(caller.findsFree == [false, true])
        await pool.close()
    }

    @Test("an access that throws fails in its own task, and the one after it runs")
    @MainActor
    func failure() async throws {
        let pool = makePool()
        let first = await HeldShortAccess(of: pool)
        let waiting = try await enqueue(2, in: pool) { index in
            if index == 1 { throw FakeError(message: "first") }
        }
        first.end()
        let helper = try await first.value.thread
        let error = await #expect(throws: FakeError.self) { try await waiting[0].value }
        #expect(error?.message == "first")
        #expect(try await waiting[1].value.thread == helper)
        await pool.close()
    }

    @Test("an access within a waiting one throws, and none of those after it on the thread is within it")
    @MainActor
    func nested() async throws {
        let pool = makePool()
        let first = await HeldShortAccess(of: pool)
        let waiting = try await enqueue(2, in: pool) { _ in
            try CurrentAccess.check(pool, orThrow: FakeError.init)
            CurrentAccess.enter(pool) {
                _ = #expect(throws: FakeError.self) { try CurrentAccess.check(pool, orThrow: FakeError.init) }
            }
        }
        first.end()
        let helper = try await first.value.thread
        for task in waiting { #expect(try await task.value.thread == helper) }
        await pool.close()
    }

    @Test("an access fails with the error of opening its connection")
    @MainActor
    func openingFails() async throws {
        let pool = ConnectionPool(connections: 1, execution: .adaptive, error: FakeError.init) {
            throw FakeError(message: "closed")
        }
        let error = await #expect(throws: FakeError.self) {
            try await pool.run(isolation: #isolation, isShort: true) { _ in }
        }
        #expect(error?.message == "closed")
        await pool.close()
    }

    @Test("a waiting access fails after the lease timeout")
    @MainActor
    func leaseTimeout() async throws {
        let pool = makePool(leaseTimeout: .milliseconds(20))
        let holding = await HeldAccess(of: pool)
        let error = await #expect(throws: FakeError.self) {
            try await pool.run(isolation: #isolation, isShort: true) { _ in }
        }
        #expect(error?.isLeaseTimeout == true)
        try await holding.end()
        await pool.close()
    }

    @Test("of two waiting accesses, the one of the higher priority runs first")
    @MainActor
    func priority() async throws {
        let pool = makePool(connections: 2)
        let holding = await HeldAccess(of: pool)
        let first = await HeldShortAccess(of: pool)
        let order = Mutex([Int]())
        let waiting = try await enqueue(2, in: pool, priorities: [.medium, .high]) { index in
            order.withLock { $0.append(index) }
        }
        first.end()
        for task in waiting { _ = try await task.value }
        #expect(order.withLock { $0 } == [2, 1])
        try await holding.end()
        await pool.close()
    }

    @Test("after 100 microseconds of waiting accesses on a thread, the rest run on one of the pool, in order")
    @MainActor
    func limit() async throws {
        let time = Mutex(0)
        let pool = makePool(time)
        let order = Mutex([Int]())
        let first = await HeldShortAccess(of: pool)
        let waiting = try await enqueue(4, in: pool) { index in
            time.withLock { $0 += 60_000 }
            order.withLock { $0.append(index) }
        }
        first.end()
        let helper = try await first.value.thread
        var threads: [Bool] = []
        for task in waiting { threads.append(try await task.value.thread == helper) }
        #expect(threads == [true, true, false, false])
        #expect(order.withLock { $0 } == [1, 2, 3, 4])
        await pool.close()
    }

    @Test("an access of a line with long accesses runs on a thread of the pool")
    @MainActor
    func unknownSite() async throws {
        let pool = makePool()
        let first = await HeldShortAccess(of: pool)
        let waiting = Task {
            try await pool.run(isolation: #isolation, at: AccessSite("file", 1)) { _ in ThreadIdentity() }
        }
        while pool.waiterCount < 1 { await Task.yield() }
        first.end()
        #expect(try await waiting.value != first.value.thread)
        await pool.close()
    }

    @Test("the thread of an actor runs no accesses of others")
    @MainActor
    func actorThread() async throws {
        let pool = makePool()
        let (beginnings, begin) = AsyncStream.makeStream(of: Void.self)
        let go = DispatchSemaphore(value: 0)
        let waiting = Task.detached {
            for await _ in beginnings { break }
            let access = Task.detached { try await pool.run(isolation: nil, isShort: true) { _ in ThreadIdentity() } }
            while pool.waiterCount < 1 { await Task.yield() }
            go.signal()
            return try await access.value
        }
        try await pool.run(isolation: #isolation, isShort: true) { _ in
            begin.yield()
            go.wait()
        }
        #expect(try await waiting.value != ThreadIdentity())
        await pool.close()
    }

    @Test("a waiting access that finds a lock runs again on a thread of the pool, before all that wait")
    @MainActor
    func lock() async throws {
        let pool = makePool()
        let attempts = Mutex([Int]())
        let first = await HeldShortAccess(of: pool)
        let waiting = try await enqueue(2, in: pool) { index in
            let isFirst = attempts.withLock { attempts in
                attempts.append(index)
                return attempts.count == 1
            }
            if isFirst { throw MustWait() }
        }
        first.end()
        let helper = try await first.value.thread
        #expect(try await waiting[0].value.thread != helper)
        _ = try await waiting[1].value
        #expect(attempts.withLock { $0 } == [1, 1, 2])
        await pool.close()
    }

    @Test("a waiting access that finds a lock ends although the executor of its caller is busy")
    @MainActor
    func lockOfABusyCaller() async throws {
        let pool = makePool()
        let (caller, attempts) = (BusyCaller(), Mutex(0))
        let first = await HeldShortAccess(of: pool)
        let waiting = try await enqueue(
            1, in: pool,
            accesses: { _ in
                try await caller.access(pool, isShort: true) {
                    let attempt = attempts.withLock { attempts in
                        attempts += 1
                        return attempts
                    }
                    if attempt == 1 { throw MustWait() }
                }
            })
        caller.stall()
        first.end()
        _ = try await first.value
        try await waitUntil { attempts.withLock { $0 } == 2 }
        await withCheckedContinuation { continuation in pool.suspend { continuation.resume() }() }
        caller.goOn()
        try await waiting[0].value
        pool.endSuspension()()
        await pool.close()
    }

    @Test("accesses of many tasks exclude each other and end, while some are cancelled and some are long")
    func stress() async throws {
        let pool = makePool()
        let counter = Counter()
        let ended = try await withThrowingTaskGroup(of: Int.self) { group in
            for task in 0..<32 {
                group.addTask {
                    var ended = 0
                    for index in 0..<100 {
                        let access = Task {
                            try await TaskValue.$current.withValue(task) {
                                try await pool.run(isolation: nil, isShort: index % 50 != 49) { connection in
                                    let interruption = connection.cancellation as? FakeInterruption
                                    if index % 5 == 3, interruption?.kind == .shortInTask { throw MustWait() }
                                    counter.add(1)
                                    return TaskValue.current
                                }
                            }
                        }
                        if (index + task) % 7 == 0 { access.cancel() }
                        do {
                            let value = try await access.value
                            // A thread of the pool runs them outside their task.
                            let isHandedOver = index % 50 == 49 || index % 5 == 3
                            #expect(value == task || isHandedOver && value == nil)
                            ended += 1
                        } catch is CancellationError {}
                    }
                    return ended
                }
            }
            return try await group.reduce(0, +)
        }
        await pool.close()
        #expect(pool.waiterCount == 0)
        // An access that is cancelled while it runs on a thread of the pool still ends.
        #expect(counter.count == ended)
        #expect(ended >= 32 * 85)
    }

    /// Starts accesses that wait, in this order, and returns when they do.
    @MainActor
    private func enqueue(
        _ count: Int, in pool: ConnectionPool, priorities: [TaskPriority?] = [],
        _ body: @escaping @Sendable (Int) throws -> Void = { _ in }
    ) async throws -> [Task<Observed, any Error>] {
        try await enqueue(count, in: pool, priorities: priorities) { @MainActor index in
            try await TaskValue.$current.withValue(index) {
                try await pool.run(isolation: #isolation, isShort: true) { _ in
                    try body(index)
                    return Observed()
                }
            }
        }
    }

    @MainActor
    private func enqueue<Value: Sendable>(
        _ count: Int, in pool: ConnectionPool, priorities: [TaskPriority?] = [],
        accesses: @escaping @MainActor (Int) async throws -> Value
    ) async throws -> [Task<Value, any Error>] {
        var tasks: [Task<Value, any Error>] = []
        for index in 1...count {
            let priority = priorities.isEmpty ? nil : priorities[index - 1]
            tasks.append(Task(priority: priority) { try await accesses(index) })
            while pool.waiterCount < index { await Task.yield() }
        }
        return tasks
    }

    /// A pool of connections that open quickly, with a clock in nanoseconds.
    private func makePool(
        _ time: Mutex<Int> = Mutex(0), connections: Int = 1, leaseTimeout: Duration? = nil
    ) -> ConnectionPool {
        ConnectionPool(
            connections: connections, execution: .adaptive, isPrioritized: true, leaseTimeout: leaseTimeout,
            durations: AccessDurations(), now: { time.withLock { $0 } }, error: FakeError.init,
            openQuickly: { FakeConnection() }
        ) { FakeConnection() }
    }
}

private enum TaskValue {
    @TaskLocal static var current: Int?
}

/// What an access sees of its thread and its task.
private struct Observed {
    var thread = ThreadIdentity()
    let value = TaskValue.current
    let isCancelled = Task.isCancelled
}

/// A short access that occupies its thread and a connection until its end.
private struct HeldShortAccess {
    private let go = DispatchSemaphore(value: 0)
    private let task: Task<Observed, any Error>

    /// Returns when the access has begun.
    init(of pool: ConnectionPool) async {
        let (beginnings, begin) = AsyncStream.makeStream(of: Void.self)
        task = Task.detached(executorPreference: OwnThreads.shared) { [go] in
            try await TaskValue.$current.withValue(0) {
                let thread = try await pool.run(isolation: nil, isShort: true) { _ in
                    begin.yield()
                    go.wait()
                    return ThreadIdentity()
                }
                // The accesses on this thread leave the task as it was. It continues on another thread if its turn is over.
                return Observed(thread: thread)
            }
        }
        for await _ in beginnings { break }
    }

    func cancel() {
        task.cancel()
    }

    func end() {
        go.signal()
    }

    var value: Observed {
        get async throws { try await task.value }
    }
}

/// Requests an access, and records whether a connection is free whenever it resumes.
private actor Caller: SerialExecutor {
    private let pool: ConnectionPool
    private nonisolated let records = Mutex([Bool]())

    nonisolated var findsFree: [Bool] { records.withLock { $0 } }
    nonisolated var unownedExecutor: UnownedSerialExecutor { asUnownedSerialExecutor() }

    init(_ pool: ConnectionPool) {
        self.pool = pool
    }

    func access() async throws {
        try await pool.run(isolation: self, isShort: true) { _ in }
    }

    nonisolated func enqueue(_ job: consuming ExecutorJob) {
        var isFree = false
        _ = pool.takeIdleConnection { _ in
            isFree = true
            return false
        }
        records.withLock { $0.append(isFree) }
        let job = UnownedJob(job)
        DispatchQueue.global().async { job.runSynchronously(on: self.unownedExecutor) }
    }
}

/// `@unchecked Sendable`: the accesses of a pool with one connection exclude each other; the thread sanitizer would tell.
private final class Counter: @unchecked Sendable {
    private(set) var count = 0

    func add(_ number: Int) {
        count += number
    }
}
