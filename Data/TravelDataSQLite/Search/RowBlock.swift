/// The members of a set among the row IDs of one block.
struct RowBlock {
    /// The number of row IDs in a block.
    static let size = 32_000
    /// The size of a bitmap in bytes. A shorter record is a list of places, with two bytes each.
    private static let bitmapSize = size / 8

    let block: Int64
    private var words = [UInt64](repeating: 0, count: size / 64)

    /// Creates an empty set of rows of a block.
    init(_ block: Int64) { self.block = block }

    var isEmpty: Bool { !words.contains { $0 != 0 } }

    /// The number of rows.
    var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

    /// The row IDs, ascending.
    var rows: [Int64] {
        var rows: [Int64] = []
        forEachPlace { rows.append(block * Int64(Self.size) + Int64($0)) }
        return rows
    }

    func contains(_ row: Int64) -> Bool {
        let place = Int(row - block * Int64(Self.size))
        return words[place >> 6] & 1 << UInt64(place & 63) != 0
    }

    mutating func formIntersection(_ other: RowBlock) {
        // Without bounds checks, the compiler uses vector instructions.
        words.withUnsafeMutableBufferPointer { words in
            other.words.withUnsafeBufferPointer { other in
                for word in words.indices { words[word] &= other[word] }
            }
        }
    }

    mutating func subtract(_ other: RowBlock) {
        for word in words.indices { words[word] &= ~other.words[word] }
    }

    /// Adds or removes a row.
    mutating func set(_ row: Int64, isMember: Bool) { set(Int(row - block * Int64(Self.size)), isMember: isMember) }

    /// Adds or removes the row at a place in the block.
    private mutating func set(_ place: Int, isMember: Bool) {
        let bit = 1 << UInt64(place & 63) as UInt64
        if isMember { words[place >> 6] |= bit } else { words[place >> 6] &= ~bit }
    }

    /// Adds the rows of a stored record.
    mutating func formUnion(_ bytes: UnsafeRawBufferPointer) {
        // A loop over an array would check for each word whether the array is shared, and its bounds.
        words.withUnsafeMutableBufferPointer { words in
            if bytes.count == Self.bitmapSize {
                for word in words.indices {
                    words[word] |= UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: word * 8, as: UInt64.self))
                }
            } else {
                for index in 0..<bytes.count / 2 {
                    let place = Int(
                        UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: index * 2, as: UInt16.self)))
                    // A place outside of the block is damage, which must not end the process.
                    if place < Self.size { words[place >> 6] |= 1 << UInt64(place & 63) }
                }
            }
        }
    }

    /// The record to store.
    var bytes: [UInt8] {
        let count = count
        guard count * 2 < Self.bitmapSize else {
            return words.flatMap { word in withUnsafeBytes(of: word.littleEndian) { Array($0) } }
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count * 2)
        forEachPlace { bytes += [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        return bytes
    }

    private func forEachPlace(_ body: (Int) -> Void) {
        for (number, word) in words.enumerated() where word != 0 {
            var rest = word
            while rest != 0 {
                body(number << 6 + rest.trailingZeroBitCount)
                rest &= rest - 1
            }
        }
    }
}
