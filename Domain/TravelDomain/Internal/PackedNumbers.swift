/// Reads the numbers of data that a script of `Tests/Tools` has packed into a source: groups of five bits from the lowest, each
/// a character from `?` on, all but the last + 32; of a difference, the lowest bit is the sign.
package struct PackedNumbers {
    /// The characters that have not been read.
    package private(set) var rest: ArraySlice<UInt8>

    package init(_ characters: ArraySlice<UInt8>) {
        rest = characters
    }

    /// The next number; 0 at the end.
    package mutating func number() -> Int {
        var (number, shift) = (0, 0)
        while let character = rest.popFirst() {
            let group = Int(character) - 63
            number |= (group & 31) << shift
            if group < 32 { break }
            shift += 5
        }
        return number
    }

    package mutating func difference() -> Int {
        let number = number()
        return number >> 1 ^ -(number & 1)
    }

    /// Passes over characters that are no numbers.
    package mutating func skip(_ count: Int) {
        rest = rest.dropFirst(count)
    }
}
