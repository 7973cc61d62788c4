import TestTurns
import Testing
import TravelDomainTesting

@testable import TravelDataSQLite

@Suite("Sets of travels", .takesTurns)
struct TravelSetTests {
    static let size = TravelBitmaps.travelsPerBlock

    @Test("unions and intersections with bitmaps of any length equal those of sets", arguments: 0..<8 as Range<UInt64>)
    func operations(seed: UInt64) {
        var random = SplitMix64(state: seed)
        var (model, travels) = (Set<Int64>(), TravelSet(noneOf: 2...4))
        for step in 0..<12 {
            let block = Int64(2 + random.index(below: 3))
            let (bitmap, keys) = bitmap(of: block, &random)
            let ofBlock = block * Self.size..<(block + 1) * Self.size
            switch step % 4 {
            case 2:
                bitmap.withUnsafeBytes { travels.formIntersection($0, block) }
                model = model.filter { !ofBlock.contains($0) || keys.contains($0) }
            case 3 where step == 11:
                travels.remove(block..<block + 1)
                model = model.filter { !ofBlock.contains($0) }
            default:
                bitmap.withUnsafeBytes { travels.formUnion($0, block) }
                model.formUnion(keys)
            }
            #expect((2...4).flatMap { travels.keys(of: $0) } == model.sorted())
            #expect(travels.count == model.count)
        }
    }

    @Test("the intersection of two sets contains their common travels")
    func intersection() {
        var random = SplitMix64(state: 1)
        var (a, b) = (TravelSet(noneOf: 0...0), TravelSet(noneOf: 0...0))
        let (first, keysOfFirst) = bitmap(of: 0, &random)
        let (second, keysOfSecond) = bitmap(of: 0, &random)
        first.withUnsafeBytes { a.formUnion($0, 0) }
        second.withUnsafeBytes { b.formUnion($0, 0) }
        a.formIntersection(b)
        #expect(a.keys(of: 0) == keysOfFirst.intersection(keysOfSecond).sorted())
    }

    @Test("the complete set of some blocks contains all their keys")
    func everything() {
        let all = TravelSet(blocks: 1...2)
        #expect(all.keys(of: 1) == Array(Self.size..<2 * Self.size))
        #expect(all.count == 2 * Int(Self.size))
        var some: [Int64] = []
        all.forEach(in: 2 * Self.size..<2 * Self.size + TravelBitmaps.travelsPerLevels) { some.append($0) }
        #expect(some == Array(2 * Self.size..<2 * Self.size + TravelBitmaps.travelsPerLevels))
    }

    /// A bitmap of whole words, often shorter than its block, with the keys of its travels.
    private func bitmap(of block: Int64, _ random: inout SplitMix64) -> ([UInt8], Set<Int64>) {
        let count = random.index(below: TravelBitmaps.wordsPerBlock + 1) * 8
        var (bytes, keys) = ([UInt8](repeating: 0, count: count), Set<Int64>())
        for _ in 0..<random.index(below: 400) where count > 0 {
            let bit = random.index(below: count * 8)
            bytes[bit / 8] |= 1 << (bit % 8)
            keys.insert(block * Self.size + Int64(bit))
        }
        return (bytes, keys)
    }
}
