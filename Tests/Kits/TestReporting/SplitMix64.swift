/// The seeded generator of the kits and the tests: the same numbers for the same seed, on every platform and in every
/// release (Steele, Lea, Flood: "Fast Splittable Pseudorandom Number Generators", 2014).
///
/// It is here because every kit imports this module. Three others cannot share it: that of `RandomSource.seeded` in
/// `Composition`, which imports nothing; that of the generated travels, which are no kit; and that of the benchmarks,
/// which are another package.
package struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}
