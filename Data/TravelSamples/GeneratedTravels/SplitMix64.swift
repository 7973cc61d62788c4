#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// A pseudorandom number generator (Steele, Lea, Flood: "Fast Splittable Pseudorandom Number Generators", 2014). Its
/// sequence for a given state never changes.
package struct SplitMix64 {
    package var state: UInt64

    /// Creates a generator with that state.
    package init(state: UInt64) {
        self.state = state
    }

    /// Generates 64 random bits.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }

    /// Generates a number in `0..<bound`.
    package mutating func index(below bound: Int) -> Int {
        Int(next().multipliedFullWidth(by: UInt64(bound)).high)
    }

    /// Generates a number in `0..<bound`; smaller numbers are more probable.
    package mutating func skewed(below bound: Int) -> Int {
        min(index(below: bound), index(below: bound))
    }

    /// Generates a number in `0..<1`.
    package mutating func unit() -> Double {
        Double(next() >> 11) * 0x1p-53
    }

    /// Generates a UUID of version 7 (RFC 9562): milliseconds since 1970, followed by random bits.
    package mutating func uuid(at milliseconds: UInt64) -> UUID {
        let high = milliseconds << 16 | 0x7000 | next() >> 52
        let low = 1 << 63 | next() >> 2
        return withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { UUID(uuid: $0.load(as: uuid_t.self)) }
    }

    /// Picks one of `values`, which must not be empty.
    package mutating func pick<Value>(_ values: [Value]) -> Value {
        values[index(below: values.count)]
    }

    /// Picks one of `values`, or `nil` in one of five cases.
    package mutating func maybe<Value>(_ values: [Value]) -> Value? {
        index(below: 5) == 0 ? nil : pick(values)
    }

    /// Picks between one and `maximum` of `values`.
    package mutating func some<Value: Hashable>(of values: [Value], atMost maximum: Int) -> Set<Value> {
        Set((0...index(below: maximum)).map { _ in pick(values) })
    }
}
