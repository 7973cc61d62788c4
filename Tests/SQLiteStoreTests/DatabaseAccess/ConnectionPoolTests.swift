import DatabaseAccess
import Dispatch
import Foundation
import Testing
import TestConcurrency

@Suite("A pool of connections", .limitedConcurrency)
struct ConnectionPoolTests {
    @Test(
        "an access that waits longer than the lease timeout fails with the library's error", arguments: [true, false])
    func leaseTimeout(blocks: Bool) async throws {
        let pool = ConnectionPool(connections: 1, leaseTimeout: .milliseconds(20), error: FakeError.init) {
            FakeConnection()
        }
        let holding = await HeldAccess(of: pool)
        // The second one shows that the timer starts again.
        for _ in 0..<2 {
            let error = await #expect(throws: FakeError.self) {
                if blocks { try await inThread { try pool.runBlocking { _ in } } } else { try await pool.run { _ in } }
            }
            #expect(error?.isLeaseTimeout == true)
        }
        try await holding.end()
        #expect(try await pool.run { _ in 1 } == 1)
        await pool.close()
    }

    @Test(
        "accesses wait while the pool is paused, and all end afterwards",
        arguments: [AccessExecution.adaptive, .dedicatedThreads, .inline])
    func pause(execution: AccessExecution) async throws {
        let pool = ConnectionPool(
            connections: 3, execution: execution, isPrioritized: true, error: FakeError.init
        ) { FakeConnection() }
        for closes in [false, true] {
            let holding = await HeldAccess(of: pool)
            pool.pause()
            // A connection that a running access returns is not passed on.
            try await holding.end()
            let waiting = (0..<20).map { index in
                Task.detached(priority: index % 3 == 0 ? .background : .medium) { () async throws in
                    if index % 2 == 0 { return try await pool.run { _ in index } }
                    return try await inThread { try pool.runBlocking { _ in index } }
                }
            }
            while pool.waiterCount < 20 { await Task.yield() }
            waiting[4].cancel()
            let closing = closes ? Task { await pool.close() } : nil
            while closes, !pool.isClosed { await Task.yield() }
            pool.resume()
            for (index, task) in waiting.enumerated() {
                if index == 4 {
                    await #expect(throws: CancellationError.self) { try await task.value }
                } else {
                    #expect(try await task.value == index)
                }
            }
            if !closes { #expect(try await pool.run { _ in 1 } == 1) }
            await closing?.value
        }
    }

    @Test("accesses in time are not failed by the timer of those before them")
    func accessesInTime() async throws {
        let pool = ConnectionPool(connections: 1, leaseTimeout: .seconds(60), error: FakeError.init) {
            FakeConnection()
        }
        let holding = await HeldAccess(of: pool)
        let waiting = (0..<3).map { index in Task { try await pool.run { _ in index } } }
        while pool.waiterCount < 3 { await Task.yield() }
        try await holding.end()
        for (index, task) in waiting.enumerated() { #expect(try await task.value == index) }
        await pool.close()
    }

    @Test(
        "a cancelled access ends its wait immediately",
        arguments: [AccessExecution.adaptive, .dedicatedThreads, .inline])
    func cancelledWait(execution: AccessExecution) async throws {
        let pool = ConnectionPool(connections: 1, execution: execution, error: FakeError.init) { FakeConnection() }
        let holding = await HeldAccess(of: pool)
        let waiting = Task { try await pool.run { _ in } }
        while pool.waiterCount < 1 { await Task.yield() }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        try await holding.end()
        await pool.close()
    }

    @Test("cancellation names the access, so that it reaches no later one on the same connection")
    func cancellationOfAnEndedAccess() async throws {
        let connection = FakeConnection()
        let pool = ConnectionPool(connections: 1, error: FakeError.init) { connection }
        let (results, ended) = AsyncStream.makeStream(of: Int.self)
        let access = pool.start({ _ in 1 }, completion: { _ in ended.yield(1) })
        for await _ in results { break }
        try await pool.run { _ in access.cancel() }
        #expect(connection.interruption.cancelled == [1])
        #expect(connection.interruption.current == 2)
        await pool.close()
    }

    @Test("a closed pool lets waiting accesses end, closes its connections and rejects new ones")
    func close() async throws {
        let closed = Mutex(0)
        let pool = ConnectionPool(connections: 2, error: FakeError.init) {
            FakeConnection { closed.withLock { $0 += 1 } }
        }
        let holdings = [await HeldAccess(of: pool), await HeldAccess(of: pool)]
        let waiting = Task { try await pool.run { _ in 1 } }
        while pool.waiterCount < 1 { await Task.yield() }
        let closing = Task { await pool.close() }
        while !pool.isClosed { await Task.yield() }
        let error = await #expect(throws: FakeError.self) { try await pool.run { _ in } }
        #expect(error?.message == "the database has been closed")
        for holding in holdings { try await holding.end() }
        await closing.value
        #expect(try await waiting.value == 1)
        #expect(closed.withLock { $0 } == 2)
    }

    @Test("suspensions and closing that overlap wait for the connections that are closing")
    func overlappingSuspensions() async throws {
        let (isClosing, mayClose) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let pool = ConnectionPool(connections: 1, error: FakeError.init) {
            FakeConnection(onSuspension: {
                isClosing.signal()
                mayClose.wait()
            })
        }
        try await pool.run { _ in }
        let ended = Mutex([Int]())
        let first = Task {
            try await inThread { pool.suspend { ended.withLock { $0.append(1) } }() }
        }
        try await inThread { isClosing.wait() }
        pool.suspend { ended.withLock { $0.append(2) } }()
        #expect(ended.withLock { $0 } == [])
        // Those who wait for a suspension that is over go on.
        pool.endSuspension()()
        #expect(ended.withLock { $0 } == [1, 2])
        pool.suspend { ended.withLock { $0.append(3) } }()
        pool.close { ended.withLock { $0.append(4) } }
        #expect(ended.withLock { $0 } == [1, 2])
        mayClose.signal()
        try await first.value
        try await waitUntil { ended.withLock { $0.count } == 4 }
        #expect(ended.withLock { $0.sorted() } == [1, 2, 3, 4])
    }

    @Test("a suspension does not wait for a caller that has received a connection while its executor is busy")
    func suspensionOfABusyCaller() async throws {
        let pool = ConnectionPool(connections: 1, execution: .inline, error: FakeError.init) { FakeConnection() }
        let (caller, ended) = (BusyCaller(), Mutex(false))
        let holding = await HeldAccess(of: pool)
        let waiting = Task { try await caller.access(pool) }
        while pool.waiterCount < 1 { await Task.yield() }
        caller.stall()
        try await holding.end()
        pool.suspend { ended.withLock { $0 = true } }()
        #expect(ended.withLock { $0 })
        caller.goOn()
        let error = await #expect(throws: FakeError.self) { try await waiting.value }
        #expect(error?.message == AccessFailure.suspended.message)
        pool.endSuspension()()
        #expect(try await pool.run { _ in 1 } == 1)
        await pool.close()
    }

    @Test("closing again waits for the connections that are closing")
    func closedTwice() async throws {
        let (isClosing, mayClose) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let pool = ConnectionPool(connections: 1, error: FakeError.init) {
            FakeConnection {
                isClosing.signal()
                mayClose.wait()
            }
        }
        try await pool.run { _ in }
        let ended = Mutex([Int]())
        // The thread of the pool closes the connection when it ends.
        pool.close { ended.withLock { $0.append(1) } }
        try await inThread { isClosing.wait() }
        pool.close { ended.withLock { $0.append(2) } }
        #expect(ended.withLock { $0 } == [])
        mayClose.signal()
        try await waitUntil { ended.withLock { $0.count } == 2 }
        #expect(ended.withLock { $0 } == [1, 2])
    }

    @Test("a connection that cannot be opened fails its access only")
    func failedOpening() async throws {
        let attempts = Mutex(0)
        let pool = ConnectionPool(connections: 1, error: FakeError.init) {
            let attempt = attempts.withLock { attempts in
                attempts += 1
                return attempts
            }
            if attempt == 1 { throw FakeError(message: "cannot open") }
            return FakeConnection()
        }
        let error = await #expect(throws: FakeError.self) { try await pool.run { _ in } }
        #expect(error?.message == "cannot open")
        #expect(try await pool.run { _ in 1 } == 1)
        await pool.close()
    }

    @Test("the accesses of a site run on the caller's thread while they are known to be short")
    func shortAccesses() async throws {
        let (time, pool) = try await adaptivePool()
        let (site, other) = (AccessSite("file", 1), AccessSite("file", 2))
        // The first ones are unknown.
        for _ in 0..<8 { #expect(try await !runsOnCaller(pool, site, 1000, time)) }
        for _ in 0..<100 { #expect(try await runsOnCaller(pool, site, 1000, time)) }
        #expect(try await !runsOnCaller(pool, other, 1000, time))
        // A pause of the thread is not taken for a long access.
        #expect(try await runsOnCaller(pool, site, 2_000_000, time))
        #expect(try await runsOnCaller(pool, site, 1000, time))
        // The long one is a surprise; those after it are not.
        #expect(try await runsOnCaller(pool, site, 500_000_000, time))
        for _ in 0..<137 { #expect(try await !runsOnCaller(pool, site, 1000, time)) }
        while try await !runsOnCaller(pool, site, 1000, time) {}
        #expect(try await runsOnCaller(pool, site, 1000, time))
        await pool.close()
    }

    @Test("what is known of a site holds for all databases")
    func sharedEstimates() async throws {
        let durations = AccessDurations()
        let (time, pool) = try await adaptivePool(durations)
        let site = AccessSite("file", 1)
        for _ in 0..<8 { #expect(try await !runsOnCaller(pool, site, 1000, time)) }
        let (otherTime, other) = try await adaptivePool(durations)
        #expect(try await runsOnCaller(other, site, 1000, otherTime))
        await pool.close()
        await other.close()
    }

    @Test("a task with many accesses on the caller's thread lets others have it")
    @MainActor
    func turns() async throws {
        let (time, pool) = try await adaptivePool()
        let site = AccessSite("file", 1)
        for _ in 0..<9 { _ = try await runsOnCaller(pool, site, 1000, time) }
        var hasRun = false
        Task { @MainActor in hasRun = true }
        var count = 0
        while !hasRun, count < 100 {
            #expect(try await runsOnCaller(pool, site, 90_000, time))
            count += 1
        }
        // 23 accesses take more than 2 milliseconds; earlier ones of the thread count.
        #expect(1...23 ~= count)
        await pool.close()
    }

    @Test("what follows an access finds its connection free, and does not count as its time")
    func followingWork() async throws {
        let (time, results) = (Mutex(0), Mutex([Int]()))
        let access = Mutex<(@Sendable () throws -> Int)?>(nil)
        let pool = ConnectionPool(
            connections: 1, execution: .adaptive, durations: AccessDurations(), now: { time.withLock { $0 } },
            error: FakeError.init,
            afterAccess: {
                time.withLock { $0 += 500_000_000 }
                // Only once: it follows the access within it, too.
                guard let run = access.withLock({ $0.take() }), let result = try? run() else { return }
                results.withLock { $0.append(result) }
            }
        ) { FakeConnection() }
        let site = AccessSite("file", 1)
        for index in 1...9 {
            access.withLock { $0 = { try pool.runBlocking { _ in index } } }
            _ = try await runsOnCaller(pool, site, 1000, time)
        }
        // On threads of the pool, and then on the caller's.
        #expect(results.withLock { $0 } == Array(1...9))
        #expect(try await runsOnCaller(pool, site, 1000, time))
        await pool.close()
    }

    @Test("only a pool that can open connections quickly opens them on the caller's thread")
    func quickOpening() async throws {
        for isQuick in [false, true] {
            let caller = ThreadIdentity()
            let openings = Mutex([Bool]())
            let open = { @Sendable in
                openings.withLock { $0.append(ThreadIdentity() == caller) }
                return FakeConnection()
            }
            let pool = ConnectionPool(
                connections: 1, execution: .adaptive, error: FakeError.init, openQuickly: isQuick ? open : nil,
                open: open)
            try await pool.run(isolation: #isolation, isShort: true) { _ in }
            #expect(openings.withLock { $0 } == [isQuick])
            await pool.close()
        }
    }

    @Test("an access without a site, or without a free connection, does not run on the caller's thread")
    func noShortAccess() async throws {
        let (time, pool) = try await adaptivePool()
        let site = AccessSite("file", 1)
        for _ in 0..<9 { _ = try await runsOnCaller(pool, site, 1000, time) }
        #expect(try await runsOnCaller(pool, site, 1000, time))
        #expect(try await !runsOnCaller(pool, nil, 1000, time))
        let (results, end) = AsyncStream.makeStream(of: Bool?.self)
        // Awaiting the task itself would raise its priority.
        Task.detached(priority: .utility) { end.yield(try? await runsOnCaller(pool, site, 1000, time)) }
        for await isOnCaller in results {
            #expect(isOnCaller == false)
            break
        }
        let holding = await HeldAccess(of: pool)
        let waiting = Task { try await runsOnCaller(pool, site, 1000, time) }
        while pool.waiterCount < 1 { await Task.yield() }
        try await holding.end()
        #expect(try await !waiting.value)
        await pool.close()
    }

    @Test("a short access that must wait for a lock runs again on a thread, before all that wait")
    func lockedAccess() async throws {
        let (time, pool) = try await adaptivePool()
        let site = AccessSite("file", 1)
        for _ in 0..<9 { _ = try await runsOnCaller(pool, site, 1000, time) }
        let attempts = Mutex([Bool]())
        let caller = ThreadIdentity()
        try await pool.run(isolation: #isolation, at: site) { _ in
            let isCaller = ThreadIdentity() == caller
            attempts.withLock { $0.append(isCaller) }
            if isCaller { throw MustWait() }
        }
        #expect(attempts.withLock { $0 } == [true, false])
        await pool.close()
    }

    /// A pool with an open connection, and its clock in nanoseconds.
    private func adaptivePool(
        _ durations: AccessDurations = AccessDurations()
    ) async throws -> (time: Mutex<Int>, ConnectionPool) {
        let time = Mutex(0)
        let pool = ConnectionPool(
            connections: 1, execution: .adaptive, durations: durations, now: { time.withLock { $0 } },
            error: FakeError.init
        ) { FakeConnection() }
        try await pool.run { _ in }
        return (time, pool)
    }

    private func runsOnCaller(
        _ pool: ConnectionPool, _ site: AccessSite?, _ duration: Int, _ time: Mutex<Int>
    ) async throws -> Bool {
        let caller = ThreadIdentity()
        return try await pool.run(isolation: #isolation, at: site) { _ in
            time.withLock { $0 += duration }
            return ThreadIdentity() == caller
        }
    }

    @Test("an access within another one to the same database is refused, and to another database is not")
    func nestedAccess() throws {
        let (one, other) = (FakeConnection(), FakeConnection())
        try CurrentAccess.enter(one) {
            try CurrentAccess.check(other, orThrow: FakeError.init)
            CurrentAccess.enter(other) {
                _ = #expect(throws: FakeError.self) {
                    try CurrentAccess.check(one, orThrow: FakeError.init)
                }
            }
        }
        try CurrentAccess.check(one, orThrow: FakeError.init)
    }
}

/// An access that holds a connection until its end.
struct HeldAccess {
    private let go = DispatchSemaphore(value: 0)
    private let task: Task<Void, any Error>

    /// Returns when the access has begun.
    init(of pool: ConnectionPool) async {
        let (beginnings, begin) = AsyncStream.makeStream(of: Void.self)
        task = Task(executorPreference: OwnThreads.shared) { [go] in
            try await pool.run { _ in
                begin.yield()
                go.wait()
            }
        }
        for await _ in beginnings { break }
    }

    func end() async throws {
        go.signal()
        try await task.value
    }
}

/// Runs each job on a thread that no other job occupies: one that blocks it takes none of the few threads that all tests
/// share. The threads never end, so that no later one has the identity of one that a test has seen.
final class OwnThreads: TaskExecutor {
    static let shared = OwnThreads()

    private let state = Mutex((jobs: [UnownedJob](), idleThreadCount: 0))
    private let hasJob = DispatchSemaphore(value: 0)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isThreadIdle = state.withLock { state in
            state.jobs.append(job)
            guard state.idleThreadCount > 0 else { return false }
            state.idleThreadCount -= 1
            return true
        }
        if isThreadIdle {
            hasJob.signal()
        } else {
            let code = startThread { self.runJobs() }
            precondition(code == 0, "no thread can be started: error \(code)")
        }
    }

    private func runJobs() {
        while true {
            let job = state.withLock { $0.jobs.removeFirst() }
            job.runSynchronously(on: asUnownedTaskExecutor())
            state.withLock { $0.idleThreadCount += 1 }
            hasJob.wait()
        }
    }
}

struct FakeError: Error {
    var message: String
    var isLeaseTimeout = false

    init(message: String) {
        self.message = message
    }

    init(_ failure: AccessFailure) {
        message = failure.message
        if case .leaseTimeout = failure { isLeaseTimeout = true }
    }
}

/// An actor whose thread is busy while a test says so.
actor BusyCaller: SerialExecutor {
    private nonisolated let state = Mutex((isStalled: false, jobs: [UnownedJob]()))

    nonisolated var unownedExecutor: UnownedSerialExecutor { asUnownedSerialExecutor() }

    func access(
        _ pool: ConnectionPool, isShort: Bool = false, _ body: @escaping @Sendable () throws -> Void = {}
    ) async throws {
        try await pool.run(isolation: self, isShort: isShort) { _ in try body() }
    }

    nonisolated func stall() {
        state.withLock { $0.isStalled = true }
    }

    nonisolated func goOn() {
        let jobs = state.withLock { state in
            defer { state = (false, []) }
            return state.jobs
        }
        for job in jobs { start(job) }
    }

    nonisolated func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isStalled = state.withLock { state in
            if state.isStalled { state.jobs.append(job) }
            return state.isStalled
        }
        if !isStalled { start(job) }
    }

    private nonisolated func start(_ job: UnownedJob) {
        DispatchQueue.global().async { job.runSynchronously(on: self.unownedExecutor) }
    }
}

/// A connection that does nothing.
final class FakeConnection: PooledConnection, Sendable {
    let interruption = FakeInterruption()
    var cancellation: any Interruptible { interruption }
    private let onClose: @Sendable () -> Void
    private let onSuspension: @Sendable () -> Void

    init(onClose: @escaping @Sendable () -> Void = {}, onSuspension: @escaping @Sendable () -> Void = {}) {
        (self.onClose, self.onSuspension) = (onClose, onSuspension)
    }

    deinit { onClose() }

    func closeForSuspension() { onSuspension() }
}

/// Identifies the current thread while it runs.
struct ThreadIdentity: Equatable, Sendable {
    private let id = ObjectIdentifier(Thread.current)
}

/// Records the cancellations.
final class FakeInterruption: Interruptible {
    private let state = Mutex((current: UInt64(0), kind: AccessKind.onThread, cancelled: [UInt64]()))

    var current: UInt64 { state.withLock { $0.current } }
    var kind: AccessKind { state.withLock { $0.kind } }
    var cancelled: [UInt64] { state.withLock { $0.cancelled } }

    func begin(_ kind: AccessKind) -> UInt64 {
        state.withLock { state in
            state.current += 1
            state.kind = kind
            return state.current
        }
    }

    func end() {}

    func cancel(_ access: UInt64) {
        state.withLock { $0.cancelled.append(access) }
    }
}

extension ConnectionPool {
    func run<Value: Sendable>(
        _ body: @escaping @Sendable (any PooledConnection) throws -> Value
    ) async throws -> Value {
        try await run(isolation: nil, body)
    }
}

/// Runs `body` on a thread of its own, because it may block.
private func inThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        let code = startThread { continuation.resume(with: Result { try body() }) }
        #expect(code == 0)
    }
}

@Suite("What commits change and fetches read")
struct RegionTests {
    @Test("topics overlap if they have one in common, with the same case")
    func topics() {
        let read = Region(topics: ["cities", "Visits"])
        #expect(Region(topics: ["visitors", "Visits"]).overlaps(read))
        #expect(!Region(topics: ["visits", "Cities"]).overlaps(read))
        #expect(!Region(topics: []).overlaps(read))
    }

    @Test("tables and columns overlap regardless of case")
    func tables() {
        var (read, written) = (Region(), Region())
        read.insert(table: "Cities", column: "Name")
        written.insert(table: "cities", column: "population")
        #expect(!written.overlaps(read))
        written.insert(table: "CITIES", column: "name")
        #expect(written.overlaps(read))
        written = Region()
        written.insert(table: "cities")
        #expect(written.overlaps(read))
    }

    @Test("only the case of ASCII letters does not matter, as in SQLite")
    func namesBeyondASCII() {
        var read = Region()
        read.insert(table: "ÄRZTE", column: "Größe")
        for (table, column, overlaps) in [
            ("Ärzte", "GRößE", true), ("ärzte", "Größe", false), ("ÄRZTE", "GRÖßE", false),
            ("A\u{308}RZTE", "Größe", false),
        ] {
            var written = Region()
            written.insert(table: table, column: column)
            #expect(written.overlaps(read) == overlaps, "\(table).\(column)")
        }
    }

    @Test("what belongs to other keys of the same name does not overlap")
    func partitions() {
        func orders(of customers: Set<Int64>?, _ name: String = "customer") -> Region {
            var region = Region()
            region.insert(table: "orders")
            return customers.map { region.within(Region.Partition(name: name, keys: $0)) } ?? region
        }
        for (written, read, overlaps) in [
            (orders(of: [7]), orders(of: [8]), false), (orders(of: [7]), orders(of: [8, 7]), true),
            (orders(of: [7]), orders(of: nil), true), (orders(of: nil), orders(of: [7]), true),
            (orders(of: [7]), orders(of: [8], "country"), true), (orders(of: []), orders(of: [8]), false),
            (orders(of: [7]), .everything, true), (.everything, orders(of: [7]), true),
        ] {
            #expect(written.overlaps(read) == overlaps, "\(written) \(read)")
            var (both, other) = (written, Region())
            other.insert(table: "countries")
            both.formUnion(other)
            #expect(both.overlaps(read) == overlaps)
            both.formUnion(orders(of: nil))
            #expect(both.overlaps(read))
        }
        #expect(!orders(of: [7]).isEmpty)
        #expect(orders(of: [7]).tableNames == orders(of: nil).tableNames)
    }

    @Test("a change of many partitions overlaps each of them", arguments: [2, 16, 17, 100])
    func manyPartitions(count: Int64) {
        var (row, written) = (Region(), Region())
        row.insert(table: "orders", column: "state")
        for key in 1...count { written.formUnion(row.within(Region.Partition(name: "customer", keys: [key]))) }
        for key in 1...count {
            #expect(written.overlaps(row.within(Region.Partition(name: "customer", keys: [key]))))
        }
        var other = Region()
        other.insert(table: "orders", column: "sum")
        #expect(!written.overlaps(other))
    }

    @Test("the tables of SQLite belong to no partition")
    func tablesOfSQLite() {
        var region = Region()
        region.insert(table: "orders")
        region.insert(table: "sqlite_sequence")
        func part(_ key: Int64) -> Region { region.within(Region.Partition(name: "customer", keys: [key])) }
        #expect(part(7).overlaps(part(8)))
    }

    @Test("everything overlaps all that is not empty")
    func everything() {
        for other in [Region(topics: ["cities"]), .everything] {
            #expect(Region.everything.overlaps(other))
            #expect(other.overlaps(.everything))
        }
        #expect(!Region.everything.overlaps(Region()))
        #expect(Region().isEmpty)
        #expect(!Region.everything.isEmpty)
    }
}
