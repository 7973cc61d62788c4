/// The travels of one block that are in at least one bitmap of each group.
struct BitmapIntersection {
    private var group = 0
    private var intersection = [UInt64](repeating: .max, count: TravelBitmaps.wordsPerBlock)
    private var union = [UInt64](repeating: 0, count: TravelBitmaps.wordsPerBlock)

    /// Takes in a bitmap of a group; the groups must come in order.
    ///
    /// Bit *n* of byte *m* is that of travel 8 *m* + *n*; what is missing at the end is zero.
    mutating func insert(_ bitmap: UnsafeRawBufferPointer, group: Int) {
        endGroups(before: group)
        let words = min(bitmap.count / 8, union.count)
        union.withUnsafeMutableBufferPointer { union in
            for word in 0..<words {
                union[word] |= UInt64(littleEndian: bitmap.loadUnaligned(fromByteOffset: word * 8, as: UInt64.self))
            }
        }
    }

    /// Ends all groups before this one: of those without a bitmap, no travel is in one.
    mutating func endGroups(before next: Int) {
        while group < next {
            group += 1
            intersection.withUnsafeMutableBufferPointer { intersection in
                union.withUnsafeMutableBufferPointer { union in
                    for word in intersection.indices {
                        intersection[word] &= union[word]
                        union[word] = 0
                    }
                }
            }
        }
    }

    /// Takes the travels that are in `bitmap` too out of the intersection, and calls `body` with the number of each.
    mutating func remove(in bitmap: UnsafeRawBufferPointer, _ body: (Int) -> Void) {
        for word in 0..<min(bitmap.count / 8, intersection.count) where intersection[word] != 0 {
            let bits = UInt64(littleEndian: bitmap.loadUnaligned(fromByteOffset: word * 8, as: UInt64.self))
            Self.forEachBit(of: intersection[word] & bits, in: word, body)
            intersection[word] &= ~bits
        }
    }

    /// Calls `body` with the number of each travel, in order.
    func forEachTravel(_ body: (Int) -> Void) {
        for word in intersection.indices { Self.forEachBit(of: intersection[word], in: word, body) }
    }

    private static func forEachBit(of bits: UInt64, in word: Int, _ body: (Int) -> Void) {
        var rest = bits
        while rest != 0 {
            body(word * UInt64.bitWidth + rest.trailingZeroBitCount)
            rest &= rest - 1
        }
    }
}
