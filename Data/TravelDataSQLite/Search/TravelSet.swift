/// A set of travels in adjacent blocks, with one bit for each key.
struct TravelSet {
    /// The numbers of the blocks.
    let blocks: ClosedRange<Int64>
    private var words: [UInt64]

    /// Creates the set of all keys in these blocks.
    init(blocks: ClosedRange<Int64>) { self.init(blocks, repeating: .max) }

    /// Creates an empty set.
    init(noneOf blocks: ClosedRange<Int64>) { self.init(blocks, repeating: 0) }

    private init(_ blocks: ClosedRange<Int64>, repeating word: UInt64) {
        self.blocks = blocks
        words = [UInt64](repeating: word, count: blocks.count * TravelBitmaps.wordsPerBlock)
    }

    /// The number of travels.
    var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

    /// Adds the travels of one block that are in its bitmap.
    ///
    /// Bit *n* of byte *m* represents travel 8 *m* + *n*; missing bytes at the end are zero.
    mutating func formUnion(_ bitmap: UnsafeRawBufferPointer, _ block: Int64) {
        withWords(of: block) { words in
            words.combine(with: bitmap) { $0 | $1 }
        }
    }

    /// Keeps only the travels of one block that are in its bitmap.
    mutating func formIntersection(_ bitmap: UnsafeRawBufferPointer, _ block: Int64) {
        withWords(of: block) { words in
            let count = words.combine(with: bitmap) { $0 & $1 }
            for word in count..<words.count { words[word] = 0 }
        }
    }

    /// Keeps only the travels that are also in `other`, which has the same blocks.
    mutating func formIntersection(_ other: TravelSet) {
        precondition(blocks == other.blocks)
        words.withUnsafeMutableBufferPointer { words in
            other.words.withUnsafeBufferPointer { other in
                for word in words.indices { words[word] &= other[word] }
            }
        }
    }

    /// Removes all travels of these blocks.
    mutating func remove(_ blocks: Range<Int64>) {
        for block in blocks {
            withWords(of: block) { words in
                for word in words.indices { words[word] = 0 }
            }
        }
    }

    /// The keys of the travels in one block, ascending.
    func keys(of block: Int64) -> [Int64] {
        var keys: [Int64] = []
        let first = block * TravelBitmaps.travelsPerBlock
        forEach(in: first..<first + TravelBitmaps.travelsPerBlock) { keys.append($0) }
        return keys
    }

    /// Calls `body` with the keys of the set within `keys`, ascending. The range must consist of whole words.
    func forEach(in keys: Range<Int64>, _ body: (Int64) -> Void) {
        let first = blocks.lowerBound * TravelBitmaps.travelsPerBlock
        let range = Int(keys.lowerBound - first) / UInt64.bitWidth..<Int(keys.upperBound - first) / UInt64.bitWidth
        for word in range where words[word] != 0 {
            var rest = words[word]
            while rest != 0 {
                body(first + Int64(word * UInt64.bitWidth + rest.trailingZeroBitCount))
                rest &= rest - 1
            }
        }
    }

    private mutating func withWords(of block: Int64, _ body: (UnsafeMutableBufferPointer<UInt64>) -> Void) {
        let first = Int(block - blocks.lowerBound) * TravelBitmaps.wordsPerBlock
        words.withUnsafeMutableBufferPointer { words in
            body(UnsafeMutableBufferPointer(rebasing: words[first..<first + TravelBitmaps.wordsPerBlock]))
        }
    }
}

extension UnsafeMutableBufferPointer<UInt64> {
    /// Combines each word with the corresponding word of `bytes`, and returns the number of words in `bytes`.
    /// Processes eight words at a time, because this loop dominates searches by likes.
    @inline(__always)
    @discardableResult
    fileprivate func combine(
        with bytes: UnsafeRawBufferPointer, _ operation: (SIMD8<UInt64>, SIMD8<UInt64>) -> SIMD8<UInt64>
    ) -> Int {
        let count = Swift.min(bytes.count / 8, self.count)
        let words = UnsafeMutableRawBufferPointer(self)
        var word = 0
        #if _endian(little)
            while word + 8 <= count {
                let others = bytes.loadUnaligned(fromByteOffset: word * 8, as: SIMD8<UInt64>.self)
                let combined = operation(words.loadUnaligned(fromByteOffset: word * 8, as: SIMD8<UInt64>.self), others)
                words.storeBytes(of: combined, toByteOffset: word * 8, as: SIMD8<UInt64>.self)
                word += 8
            }
        #endif
        while word < count {
            let other = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: word * 8, as: UInt64.self))
            self[word] = operation(SIMD8(repeating: self[word]), SIMD8(repeating: other))[0]
            word += 1
        }
        return count
    }
}
