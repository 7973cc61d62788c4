#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// What requests similar accesses: a line of source code, or an observed query.
package struct AccessSite: Hashable, Sendable {
    private let address: UInt
    private let line: UInt

    /// Creates a site from `#fileID` and `#line`. The address of the text identifies the file: two files never share one.
    package init(_ file: StaticString, _ line: UInt) {
        address = file.hasPointerRepresentation ? UInt(bitPattern: file.utf8Start) : 0
        self.line = line
    }

    init(_ query: QueryKey) {
        (address, line) = (UInt(bitPattern: query.hashValue), 0)
    }

    /// The upper bits of a product depend on all bits of the site.
    fileprivate var bucket: Int {
        Int(truncatingIfNeeded: ((address ^ line << 48 ^ line) &* 0x9e37_79b9_7f4a_7c15) >> (UInt.bitWidth - 8))
    }
}

/// How long the accesses of each site take, as far as it is known.
///
/// The estimate of a site is a moving average, to which each access contributes a thirty-second. One very long access
/// raises it above the limit: after 500 milliseconds, the next 160 accesses of the site run on threads, however short. A
/// thread that the system has paused for a few milliseconds costs the site only some.
/// Two sites with the same bucket displace each other, and are then unknown. All times are in nanoseconds.
struct AccessDurations {
    /// The longest duration of a short access: several times that of a change of thread, and short for a thread that
    /// other tasks wait for.
    private static let limit = 100_000
    /// The estimate of an unknown site. Eight short accesses make it short.
    private static let unknown = limit * 5 / 4

    private var estimates: [(site: AccessSite?, duration: Int)] = []

    func areShort(at site: AccessSite) -> Bool {
        guard !estimates.isEmpty else { return false }
        let estimate = estimates[site.bucket]
        return estimate.duration <= Self.limit && estimate.site == site
    }

    mutating func record(_ duration: Int, at site: AccessSite) {
        if estimates.isEmpty { estimates = Array(repeating: (nil, 0), count: 256) }
        let last = estimates[site.bucket]
        let earlier = last.site == site ? last.duration : Self.unknown
        estimates[site.bucket] = (site, earlier + (duration - earlier) / 32)
    }
}

/// The turn of a task on a thread that it shares with others.
///
/// An access on the caller's thread does not suspend its task: a task with many of them would keep the thread from other
/// tasks, such as those whose accesses have ended on threads.
enum ThreadTurn {
    /// In nanoseconds: several times what a change of tasks takes on the main thread.
    private static let length = 200_000

    private static let key = ThreadLocalKey().key

    /// Returns whether the task should yield now, and then begin another turn.
    static func isOver(at time: Int) -> Bool {
        let start = UInt(bitPattern: pthread_getspecific(key))
        return UInt(bitPattern: time) &- start > UInt(length)
    }

    /// Begins a turn on the current thread. The time that a task waits for its turn is no part of it.
    static func begin(at time: Int) {
        pthread_setspecific(key, UnsafeMutableRawPointer(bitPattern: UInt(bitPattern: time)))
    }
}
