/// All bitmaps of one block, to be changed.
struct BitMatrix {
    private var words = [UInt64](repeating: 0, count: TravelBitmaps.count * TravelBitmaps.wordsPerBlock)

    /// Takes over the bytes of a bitmap, as they are stored.
    mutating func insert(_ bytes: UnsafeRawBufferPointer, into bitmap: Int) {
        for word in 0..<min(bytes.count / 8, TravelBitmaps.wordsPerBlock) {
            let bits = bytes.loadUnaligned(fromByteOffset: word * 8, as: UInt64.self)
            words[bitmap * TravelBitmaps.wordsPerBlock + word] = UInt64(littleEndian: bits)
        }
    }

    /// The bytes of a bitmap to store: whole words, those at the end left out that are zero.
    func bytes(of bitmap: Int) -> [UInt8] {
        let first = bitmap * TravelBitmaps.wordsPerBlock
        let words = words[first..<first + TravelBitmaps.wordsPerBlock]
        let end = words.lastIndex { $0 != 0 }.map { $0 + 1 } ?? first
        return words[..<end].flatMap { word in withUnsafeBytes(of: word.littleEndian) { Array($0) } }
    }

    /// Sets or clears the bit of a travel, by its number in the block; whether that changed it.
    mutating func set(_ bitmap: Int, travel: Int, to isSet: Bool) -> Bool {
        let word = bitmap * TravelBitmaps.wordsPerBlock + travel / UInt64.bitWidth
        let bit = UInt64(1) << UInt64(travel % UInt64.bitWidth)
        guard (words[word] & bit != 0) != isSet else { return false }
        words[word] ^= bit
        return true
    }
}
