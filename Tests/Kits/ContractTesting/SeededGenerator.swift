internal import TestReporting

/// A random number generator with the same numbers for the same seed, on every machine and in every release.
///
/// The algorithm is SplitMix64 (Steele, Lea, Flood: "Fast Splittable Pseudorandom Number Generators", 2014): fast, well
/// distributed for tests and samples, but not cryptographically secure.
///
/// ```swift
/// var random = SeededGenerator(seed: 7)
/// Int.random(in: 1...6, using: &random)
/// ```
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var generator: SplitMix64

    /// Creates a generator whose numbers follow from `seed`.
    public init(seed: UInt64) {
        generator = SplitMix64(seed: seed)
    }

    /// Returns the next 64 bits of the sequence, which follows from the seed alone.
    public mutating func next() -> UInt64 {
        generator.next()
    }
}
