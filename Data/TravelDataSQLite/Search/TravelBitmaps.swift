internal import SQLiteStore

/// Bitmap indexes of a travel database: one bitmap for each bit of `traits` and of the title signature, and the level
/// of likes of each travel.
///
/// A bitmap is divided into blocks of travels with adjacent keys. The travels that match several filters are the
/// intersection of their bitmaps, which takes a small fraction of a nanosecond per travel. In addition, each travel
/// has one byte with its `LikeLevel`.
///
/// Bitmaps may have false positives, for removed travels, but no false negatives: triggers record each travel that is
/// added or changed after the last update in the table `travel_unmapped`, and each like in `travel_reliked`, until
/// ``update(_:ifMoreThan:)`` removes them.
///
/// The numbers are part of the file format; changing them requires a migration.
enum TravelBitmaps {
    /// The number of bitmaps: bit *n* of `traits` has number *n*, bit *n* of the signature has number 64 + *n*.
    static let count = firstOfTitles + TitleGrams.Signature.bitCount
    /// The number of the bitmap of the signature's first bit.
    static let firstOfTitles = 64
    /// The number of travels in a block; the first block has the keys from 0. A bitmap of a block fills a page of 4,096
    /// bytes, so that SQLite reads it in one access.
    static let travelsPerBlock = Int64(wordsPerBlock * UInt64.bitWidth)
    static let wordsPerBlock = 504
    /// The number of travels in a row of `travel_level`: an eighth of a block, with as many bytes as a bitmap.
    static let travelsPerLevels = Int64(wordsPerBlock * 8)
    /// The key of a bitmap's block; the blocks of a bitmap are adjacent.
    static func key(of bitmap: Int, block: Int64) -> Int64 { Int64(bitmap) << 20 | block }

    /// A row of `travel_block`: the earliest and the latest time of recording of its travels.
    struct Block {
        let number: Int64
        let oldest: Double
        let newest: Double
    }

    /// All blocks, in descending order of their newest travels.
    static func blocks(_ db: Connection) throws -> [Block] {
        try db.fetchAll("SELECT number, oldest, newest FROM travel_block ORDER BY newest DESC") { row in
            Block(number: try row[0], oldest: try row[1], newest: try row[2])
        }
    }

    /// The longest range of consecutive block numbers that descends from the first of `blocks`, in their order.
    static func run(of blocks: ArraySlice<Block>, atMost count: Int) -> ClosedRange<Int64> {
        let numbers = blocks.prefix(count).map(\.number)
        let length = zip(numbers, 0...).prefix { $0 == numbers[0] - $1 }.count
        return numbers[length - 1]...numbers[0]
    }

    /// The travels in these blocks that have at least one bit of each of `groups`, possibly with some removed travels.
    ///
    /// - Parameter enough: The number of travels at which further groups are not read, and need not match.
    static func travels(
        in blocks: ClosedRange<Int64>, having groups: [[Int]], enough: Int = 0, _ db: Connection
    ) throws -> TravelSet {
        var travels = TravelSet(blocks: blocks)
        for group in groups where travels.count > enough {
            if group.count == 1 {
                try intersect(&travels, with: group[0], db)
            } else {
                var union = TravelSet(noneOf: blocks)
                for bitmap in group {
                    try db.forEach(select(bitmap, of: blocks)) { row in
                        let block: Int64 = try row[0]
                        try row.withColumn(1) {
                            try $0.withBlobBytes { union.formUnion(UnsafeRawBufferPointer($0), block) }
                        }
                    }
                }
                travels.formIntersection(union)
            }
        }
        return travels
    }

    private static func intersect(_ travels: inout TravelSet, with bitmap: Int, _ db: Connection) throws {
        var next = travels.blocks.lowerBound
        try db.forEach(select(bitmap, of: travels.blocks)) { row in
            let block: Int64 = try row[0]
            travels.remove(next..<block)
            try row.withColumn(1) { column in
                try column.withBlobBytes { travels.formIntersection(UnsafeRawBufferPointer($0), block) }
            }
            next = block + 1
        }
        travels.remove(next..<travels.blocks.upperBound + 1)
    }

    /// Selects the blocks of a bitmap within a range: their numbers in ascending order, and their bits.
    static func select(_ bitmap: Int, of blocks: ClosedRange<Int64>) -> SQL {
        let (first, last) = (key(of: bitmap, block: blocks.lowerBound), key(of: bitmap, block: blocks.upperBound))
        return """
            SELECT key & \(1 << 20 - 1 as Int64), travels FROM travel_bitmap
            WHERE key BETWEEN \(first) AND \(last) ORDER BY key
            """
    }

    /// Calls `body` with the keys of `travels` in ascending order, and the level of each.
    static func forEachLevel(
        of travels: TravelSet, _ db: Connection, _ body: (_ travel: Int64, _ level: Int) -> Void
    ) throws {
        let rows = 8 * travels.blocks.lowerBound...8 * travels.blocks.upperBound + 7
        try db.forEach(
            """
            SELECT key, levels FROM travel_level
            WHERE key BETWEEN \(rows.lowerBound) AND \(rows.upperBound) ORDER BY key
            """
        ) { row in
            let first = try (row[0] as Int64) * travelsPerLevels
            try row.withColumn(1) { column in
                try column.withBlobBytes { levels in
                    travels.forEach(in: first..<first + travelsPerLevels) { travel in
                        let number = Int(travel - first)
                        body(travel, number < levels.count ? Int(levels[number]) : 0)
                    }
                }
            }
        }
    }
}
