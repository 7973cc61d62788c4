internal import SQLiteStore

/// The bitmaps of a travel database: which travels have which bit of `traits` and of the signature of their title, and how
/// liked each is.
///
/// There is a bitmap for each bit, cut into blocks of travels with neighbouring keys. The travels that meet several
/// filters are the intersection of their bitmaps, which takes a small fraction of a nanosecond for each travel there is.
/// Beside them, a byte for each travel has its `LikeLevel`.
///
/// Bitmaps may say yes wrongly, of a travel that was removed, but never no: whatever was added or changed since they were
/// written is in the table `travel_unmapped`, and what was liked since in `travel_reliked`, where triggers put it until
/// ``update(_:ifMoreThan:)`` takes it out.
///
/// All of it is stored in the file: a change of these numbers takes a migration.
enum TravelBitmaps {
    /// How many bitmaps there can be: bit *n* of `traits` has number *n*, bit *n* of the signature number 64 + *n*.
    static let count = firstOfTitles + TitleGrams.Signature.bitCount
    /// The number of the bitmap of the signature's first bit.
    static let firstOfTitles = 64
    /// How many travels a block has; the first block has those with the keys from 0 on. Its bitmaps are as long as a
    /// page of 4,096 bytes has room for, so that SQLite reads one with one look.
    static let travelsPerBlock = Int64(wordsPerBlock * UInt64.bitWidth)
    static let wordsPerBlock = 504
    /// How many travels a row of `travel_level` has: an eighth of a block, which is as many bytes as a bitmap has.
    static let travelsPerLevels = Int64(wordsPerBlock * 8)
    /// The row of a bitmap's block; those of its other blocks lie beside it.
    static func key(of bitmap: Int, block: Int64) -> Int64 { Int64(bitmap) << 20 | block }

    /// A row of `travel_block`: when the first and the last of its travels were recorded.
    struct Block {
        let number: Int64
        let oldest: Double
        let newest: Double
    }

    /// Every block, the one with the newest travel first.
    static func blocks(_ db: Connection) throws -> [Block] {
        try db.fetchAll("SELECT number, oldest, newest FROM travel_block ORDER BY newest DESC") { row in
            Block(number: try row[0], oldest: try row[1], newest: try row[2])
        }
    }

    /// The numbers of the first of `blocks`, and of those after it that come right before it, one by one.
    static func run(of blocks: ArraySlice<Block>, atMost count: Int) -> ClosedRange<Int64> {
        let numbers = blocks.prefix(count).map(\.number)
        let length = zip(numbers, 0...).prefix { $0 == numbers[0] - $1 }.count
        return numbers[length - 1]...numbers[0]
    }

    /// The travels in these blocks that have at least one bit of each of `groups`, and perhaps a few that are gone.
    ///
    /// - Parameter enough: When there are so few, the other groups are not read, and the travels need not have them.
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

    /// The numbers of these blocks that the bitmap has, ascending, and what it has of them.
    static func select(_ bitmap: Int, of blocks: ClosedRange<Int64>) -> SQL {
        let (first, last) = (key(of: bitmap, block: blocks.lowerBound), key(of: bitmap, block: blocks.upperBound))
        return """
            SELECT key & \(1 << 20 - 1 as Int64), travels FROM travel_bitmap
            WHERE key BETWEEN \(first) AND \(last) ORDER BY key
            """
    }

    /// Calls `body` with the keys of `travels`, ascending, and how liked each of them is.
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
