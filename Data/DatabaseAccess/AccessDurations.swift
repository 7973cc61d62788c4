internal import Synchronization

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
