import Synchronization

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
    /// ```swift
    /// let order = random { [1, 2, 3].shuffled(using: &$0) }
    /// ```
    ///
    /// - Throws: The errors of `body`.
    public func callAsFunction<Result>(_ body: (inout Generator) throws -> Result) rethrows -> Result {
        var generator = generator
        return try body(&generator)
    }

    /// A generator for the `using:` parameters of the standard library.
    ///
    /// ```swift
    /// var generator = RandomSource.Generator { 0 }
    /// generator.next()                                             // 0
    /// let random = RandomSource.seeded(7)
    /// let order = random { [1, 2, 3].shuffled(using: &$0) }        // the same order in each run
    /// ```
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
