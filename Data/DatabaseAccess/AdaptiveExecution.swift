internal import Synchronization

// Adaptive execution: an access that is known to be short runs on the thread of its caller, because a change of thread takes
// several times as long as the access.
//
// ```
// run, at Feed.swift:80 ──▶ the estimate of this line is short? ──no──▶ a thread of the pool (PoolThreads.swift)
//                                         │yes                                           ▲
//                           a connection is free? ──no──▶ waits (`WaitingAccess`), and   │
//                                         │yes            runs on the thread before it   │
//                           runs on the caller's thread ──must wait for a lock───────────┘
//                                         │
//                           records its time; runs the short accesses that wait (`releaseHelping`);
//                           yields the thread when its turn is over (`ThreadTurn`)
// ```
//
// The accesses of an unknown line run on threads of the pool, which record their times, until the line is known to be short.

extension ConnectionPool {
    /// Whether the accesses of `site` are known to be short.
    func areShort(at site: AccessSite) -> Bool { durations.areShort(at: site) }

    /// Runs `body`, which is known to be short, on the caller's thread if a connection is free.
    func runShort<Value: Sendable>(
        isolation: isolated (any Actor)?, at site: AccessSite?,
        _ body: @escaping @Sendable (any PooledConnection) throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        guard let slot = state.withLock({ $0.acquireSlotForShortAccess(mayOpen: openQuickly != nil) }) else {
            return try await runShortWhenFree(isolation: isolation, at: site, body)
        }
        do {
            // An actor's thread runs nothing for tasks that do not call the actor: it may be the main thread.
            let value = try runOnCallersThread(slot, at: site, helps: isolation == nil, body)
            if ThreadTurn.isOver { await ThreadTurn.yield() }
            return value
        } catch is MustWait {
            return try await runOnThread(isolation: isolation, at: site, on: slot, body)
        }
    }

    /// Runs `body`, which is known to be short, when a slot is available.
    private func runShortWhenFree<Value: Sendable>(
        isolation: isolated (any Actor)?, at site: AccessSite?,
        _ body: @escaping @Sendable (any PooledConnection) throws -> Value
    ) async throws -> Value {
        guard AccessPriority(Task.currentPriority) > .low else {
            return try await runOnThread(isolation: isolation, at: site, body)
        }
        let waiting = WaitingAccess(at: site, of: self)
        let outcome = try await outcome(of: waiting, isolation: isolation, body)
        switch outcome {
        case .value(let value): return value
        case .onThread(let access): return try await value(of: access, isolation: isolation)
        }
    }

    private func outcome<Value: Sendable>(
        of waiting: WaitingAccess, isolation: isolated (any Actor)?,
        _ body: @escaping @Sendable (any PooledConnection) throws -> Value
    ) async throws -> WaitingAccess.Outcome<Value> {
        defer { ThreadTurn.endWait() }
        return try await withTaskCancellationHandler {
            // Capturing the isolation makes the closure run on the caller's executor instead of another thread.
            _ = isolation
            return try await waiting.outcome(of: body)
        } onCancel: {
            waiting.cancel()
        }
    }

    /// Runs `body` on the caller's thread. Throws `MustWait`, and keeps the slot, if it needs a lock of another process.
    private func runOnCallersThread<Value>(
        _ slot: PoolSlot, at site: AccessSite?, helps: Bool, _ body: (any PooledConnection) throws -> Value
    ) throws -> Value {
        var (start, keepsSlot) = (now(), false)
        // Comes after the last use of the connection: a pool that closes must be the only one to hold it.
        defer {
            let duration = now() - start
            ThreadTurn.add(duration)
            if !keepsSlot {
                if let site { durations.record(duration, at: site) }
                if helps { releaseHelping(slot) } else { release(slot) }
            }
        }
        do {
            if slot.opened == nil {
                _ = try connection(of: slot, quickly: true)
                // Opening is no part of the access.
                start = now()
            }
            let connection = try connection(of: slot)
            let cancellation = connection.cancellation
            _ = cancellation.begin(.shortInTask)
            defer { cancellation.end() }
            return try body(connection)
        } catch let error as MustWait {
            keepsSlot = true
            throw error
        }
    }

    /// Releases the slot of a short access. Those that wait for it and are short, too, run on the caller's thread: waking a
    /// thread of the pool for each would take longer. No further one begins after 100 microseconds of them.
    private func releaseHelping(_ slot: PoolSlot) {
        var (next, time) = (returnSlot(slot), 0)
        afterAccess?()
        while let waiter = next {
            guard time < 100_000, slot.opened != nil,
                case .job(let job) = waiter, let access = job as? WaitingAccess, access.isShort
            else { return pass(slot, to: waiter) }
            next = nil
            let start = now()
            access.run(on: slot) {
                let duration = now() - start
                time += duration
                ThreadTurn.add(duration)
                if let site = access.site { durations.record(duration, at: site) }
                next = returnSlot(slot)
                afterAccess?()
            }
        }
    }
}

/// What requests similar accesses: a line of source code, or an observed query.
package struct AccessSite: Sendable {
    private let hash: UInt64

    /// Creates a site from `#fileID` and `#line`. The address of the text identifies the file: two files never share one.
    package init(_ file: StaticString, _ line: UInt) {
        let address = file.hasPointerRepresentation ? UInt(bitPattern: file.utf8Start) : 0
        hash = UInt64(address) &* 0x9e37_79b9_7f4a_7c15 ^ UInt64(line) &* 0xc2b2_ae3d_27d4_eb4f
    }

    init(_ query: QueryKey) {
        hash = UInt64(truncatingIfNeeded: query.hashValue) &* 0x9e37_79b9_7f4a_7c15
    }

    // The upper bits of a product depend on all bits of its factors.
    fileprivate var bucket: Int { Int(truncatingIfNeeded: hash >> 54) }
    fileprivate var tag: UInt64 { hash >> 22 & 0xFFFF_FFFF }
}

/// How long the accesses of each site take, as far as it is known.
///
/// The estimate of a site is a moving average, to which each access contributes 1/32 of its time. One very long access
/// raises it above the limit: after 500 milliseconds, about the next 140 accesses of the site run on threads, however
/// short. A thread that the system has paused for a few milliseconds costs the site only some.
/// Two sites with the same bucket displace each other, and are then unknown. Of two accesses that end at the same time,
/// one may not count. All times are in nanoseconds.
///
/// `@unchecked Sendable`: the entries are atomic, and their memory is never released before this object.
package final class AccessDurations: @unchecked Sendable {
    /// The estimates of all databases of the process: what a line of source code does takes about the same time in each.
    package static let shared = AccessDurations()

    /// The longest duration of a short access: several times that of a change of thread, and short for a thread that
    /// other tasks wait for.
    private static let limit: Int64 = 200_000
    /// The estimate of an unknown site. Eight short accesses make it short.
    private static let unknown = limit * 5 / 4
    private static let count = 1024

    /// The upper half of an entry is the tag of its site, the lower half the estimate.
    private let entries = UnsafeMutablePointer<Atomic<UInt64>>.allocate(capacity: AccessDurations.count)

    package init() {
        for index in 0..<Self.count { (entries + index).initialize(to: Atomic(.max)) }
    }

    deinit {
        entries.deinitialize(count: Self.count)
        entries.deallocate()
    }

    func areShort(at site: AccessSite) -> Bool {
        let entry = entries[site.bucket].load(ordering: .relaxed)
        return entry >> 32 == site.tag && entry & 0xFFFF_FFFF <= UInt64(Self.limit)
    }

    func record(_ duration: Int, at site: AccessSite) {
        let last = entries[site.bucket].load(ordering: .relaxed)
        let earlier = last >> 32 == site.tag ? Int64(last & 0xFFFF_FFFF) : Self.unknown
        let estimate = min(max(earlier + (Int64(duration) - earlier) / 32, 0), 0xFFFF_FFFF)
        entries[site.bucket].store(site.tag << 32 | UInt64(estimate), ordering: .relaxed)
    }
}

/// The turn of a task on a thread that it shares with others.
///
/// An access on the caller's thread does not suspend its task: a task with many of them would keep the thread from other
/// tasks, such as those whose accesses have ended on threads. The turn is over after accesses of 25 microseconds if such
/// a task is waiting, and after 2 milliseconds if none is: then other work may be.
enum ThreadTurn {
    /// The number of tasks that can go on when a thread is free.
    private static let waiters = Atomic(0)
    /// The time in nanoseconds that accesses have taken on the thread during the turn.
    private static let time = ThreadLocal()

    private static var elapsed: Int {
        get { Int(bitPattern: time.value) }
        set { time.value = UnsafeMutableRawPointer(bitPattern: newValue) }
    }

    /// Counts an access on the current thread.
    static func add(_ duration: Int) {
        elapsed &+= duration
    }

    /// Whether the task should yield now.
    static var isOver: Bool {
        elapsed > (waiters.load(ordering: .relaxed) > 0 ? 25_000 : 2_000_000)
    }

    /// Ends the turn, and returns when the task has the next one.
    static func yield() async {
        elapsed = 0
        beginWait()
        await Task.yield()
        endWait()
    }

    /// Counts a task that is resumed.
    static func beginWait() {
        waiters.add(1, ordering: .relaxed)
    }

    /// The task is running again.
    static func endWait() {
        waiters.subtract(1, ordering: .relaxed)
    }
}
