import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Dependencies of nearly every screen. None has a test value: a test sets the time, identifiers or numbers explicitly.
extension DependencyValues {
    /// The current time. In tests, `.constant(…)`.
    public var date: DateGenerator {
        get { self[DateKey.self] }
        set { self[DateKey.self] = newValue }
    }

    /// The calendar, time zone and locale. The live value is the user's, which updates automatically.
    public var calendar: Calendar {
        get { self[CalendarKey.self] }
        set { self[CalendarKey.self] = newValue }
    }

    /// Unique identifiers. In tests, `.incrementing` or `.constant(…)`.
    public var uuid: UUIDGenerator {
        get { self[UUIDKey.self] }
        set { self[UUIDKey.self] = newValue }
    }

    /// The clock of asynchronous sleeps. In tests, `virtualClock` of a `TestScheduler`.
    public var clock: any Clock<Duration> {
        get { self[ClockKey.self] }
        set { self[ClockKey.self] = newValue }
    }

    /// Random numbers. In tests, `.seeded(…)`.
    public var random: RandomSource {
        get { self[RandomKey.self] }
        set { self[RandomKey.self] = newValue }
    }
}

private enum DateKey: DependencyKey {
    static let liveValue = DateGenerator { Date() }
}

private enum CalendarKey: DependencyKey {
    static let liveValue = Calendar.autoupdatingCurrent
}

private enum UUIDKey: DependencyKey {
    static let liveValue = UUIDGenerator { UUID() }
}

private enum ClockKey: DependencyKey {
    static let liveValue: any Clock<Duration> = ContinuousClock()
}

private enum RandomKey: DependencyKey {
    static let liveValue = RandomSource.system
}

/// A source of the current time.
///
/// ```swift
/// @Dependency(\.date) private var date
/// let entry = Entry(createdAt: date.now)
/// ```
public struct DateGenerator: Sendable {
    private let generate: @Sendable () -> Date

    /// Creates a generator that returns the times of `generate`, which is called on the calling thread.
    public init(_ generate: @escaping @Sendable () -> Date) {
        self.generate = generate
    }

    public static func constant(_ date: Date) -> DateGenerator { DateGenerator { date } }

    public var now: Date { generate() }

    /// The current time; `date()` is the same as `date.now`.
    public func callAsFunction() -> Date { generate() }
}

/// A generator of unique identifiers.
///
/// ```swift
/// @Dependency(\.uuid) private var uuid
/// let draft = Draft(id: uuid())
/// ```
public struct UUIDGenerator: Sendable {
    private let generate: @Sendable () -> UUID

    /// Creates a generator that returns the identifiers of `generate`, which is called on the calling thread.
    public init(_ generate: @escaping @Sendable () -> UUID) {
        self.generate = generate
    }

    public static func constant(_ uuid: UUID) -> UUIDGenerator { UUIDGenerator { uuid } }

    /// A generator that counts in hexadecimal: `00000000-0000-0000-0000-000000000000`, `…-000000000001`, and so on.
    /// Each access of `incrementing` returns a generator that starts at 0; several threads may use it.
    public static var incrementing: UUIDGenerator {
        let counter = Counter()
        return UUIDGenerator { UUID(number: counter.next()) }
    }

    /// Returns the next identifier, on the calling thread.
    ///
    /// ```swift
    /// let uuid = UUIDGenerator.incrementing
    /// uuid().uuidString    // 00000000-0000-0000-0000-000000000000
    /// uuid().uuidString    // 00000000-0000-0000-0000-000000000001
    /// ```
    public func callAsFunction() -> UUID { generate() }
}

private final class Counter: Sendable {
    private let count = Atomic<UInt64>(0)

    func next() -> UInt64 { count.add(1, ordering: .relaxed).oldValue }
}

extension UUID {
    /// Stores the number in the last 8 bytes, the most significant first; the others are 0.
    package init(number: UInt64) {
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
        self.init(
            uuid: (
                0, 0, 0, 0, 0, 0, 0, 0, bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7]
            ))
    }
}

/// A source of random numbers.
///
/// ```swift
/// @Dependency(\.random) private var random
/// let roll = random { Int.random(in: 1...6, using: &$0) }
/// let deck = random { cards.shuffled(using: &$0) }
/// ```
public struct RandomSource: Sendable {
    private let generator: Generator

    /// Creates a source from `next`, which is called on the calling thread.
    public init(_ next: @escaping @Sendable () -> UInt64) {
        generator = Generator(next)
    }

    /// The system's random numbers: different in each run, and cryptographically secure.
    public static let system = RandomSource {
        var system = SystemRandomNumberGenerator()
        return system.next()
    }

    /// A source of the same numbers for the same seed, on every platform (SplitMix64; not cryptographically secure).
    /// Each call of `seeded` starts a new sequence; copies of its result share one sequence.
    ///
    /// ```swift
    /// let (a, b) = (RandomSource.seeded(7), RandomSource.seeded(7))
    /// a { $0.next() } == b { $0.next() }    // true
    /// ```
    public static func seeded(_ seed: UInt64) -> RandomSource {
        let sequence = SplitMix64(seed: seed)
        return RandomSource { sequence.next() }
    }

    /// Calls `body` with a generator, and returns its result.
    ///
    /// - Throws: The errors of `body`.
    public func callAsFunction<Result>(_ body: (inout Generator) throws -> Result) rethrows -> Result {
        var generator = generator
        return try body(&generator)
    }

    /// A generator for the `using:` parameters of the standard library.
    public struct Generator: RandomNumberGenerator, Sendable {
        let source: @Sendable () -> UInt64

        /// Creates a generator from `next`, to test functions that take one.
        public init(_ next: @escaping @Sendable () -> UInt64) {
            source = next
        }

        /// The next number of the source; all its generators share one sequence.
        public mutating func next() -> UInt64 { source() }
    }
}

/// A small generator by Guy Steele, Doug Lea and Christine Flood, "Fast splittable pseudorandom number generators",
/// 2014.
private final class SplitMix64: Sendable {
    private let state: Mutex<UInt64>

    init(seed: UInt64) {
        state = Mutex(seed)
    }

    func next() -> UInt64 {
        state.withLock { state in
            state &+= 0x9e37_79b9_7f4a_7c15
            var bits = state
            bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
            bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
            return bits ^ (bits >> 31)
        }
    }
}
