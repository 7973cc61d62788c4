/// The random numbers of the searches (Steele, Lea, Flood: "Fast Splittable Pseudorandom Number Generators", 2014): the
/// same for the same state.
struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }

    mutating func index(below bound: Int) -> Int {
        Int(next().multipliedFullWidth(by: UInt64(bound)).high)
    }

    /// One of `values`, which is not empty.
    mutating func pick<Value>(_ values: [Value]) -> Value {
        values[index(below: values.count)]
    }

    /// One to `maximum` of `values`.
    mutating func some<Value: Hashable>(of values: [Value], atMost maximum: Int) -> Set<Value> {
        Set((0...index(below: maximum)).map { _ in pick(values) })
    }
}
