internal import SQLiteStore

/// The bitmaps of a travel database: which travels have which bit of `traits` and of `title_bits`.
///
/// There is a bitmap for each bit, cut into blocks of travels with neighbouring keys. The travels that meet several
/// filters are the intersection of their bitmaps, which takes a fraction of a nanosecond for each travel there is.
///
/// Bitmaps may say yes wrongly, of a travel that was removed, but never no: whatever was added or changed since they were
/// written is in the table `travel_unmapped`, where triggers put it until ``updateIfOutdated(_:)`` takes it out.
///
/// All of it is stored in the file: a change of these numbers takes a migration.
enum TravelBitmaps {
    /// How many bitmaps there can be: bit *n* of `traits` has number *n*, bit *n* of `title_bits` number 64 + *n*, and
    /// in between are those of `LikeLevel`.
    static let count = 128
    /// The number of the bitmap of the lowest bit of `title_bits`.
    static let firstOfTitles = 64
    /// How many travels a block has; the first block has those with the keys from 0 on.
    static let travelsPerBlock: Int64 = 32_768
    static let wordsPerBlock = Int(travelsPerBlock) / UInt64.bitWidth

    /// A row of `travel_block`: when the first and the last of its travels were recorded.
    struct Block {
        let number: Int64
        let oldest: Double
        let newest: Double

        /// The least key that one of its travels can have.
        var firstTravel: Int64 { number * travelsPerBlock }
    }

    /// Every block, the one with the newest travel first.
    static func blocks(_ db: Connection) throws -> [Block] {
        try db.fetchAll("SELECT number, oldest, newest FROM travel_block ORDER BY newest DESC") { row in
            Block(number: try row[0], oldest: try row[1], newest: try row[2])
        }
    }
}

extension TravelBitmaps {
    /// Calls `body` for each of `blocks`, in order, until it says that this is enough: with the keys of all its travels that
    /// have at least one bit of each of `groups`, and perhaps of a few that have not.
    ///
    /// The travels come in parts: those in the first bitmap of `parts`, then those of the others in the second, and so
    /// on; the last part is the rest.
    static func forEach(
        _ blocks: [Block], having groups: [[Int]], parts: [Int] = [], _ db: Connection,
        _ body: (_ block: Int, _ travels: [[Int64]]) throws -> Bool
    ) throws {
        let bitmaps = groups.flatMap(\.self) + parts
        let groupOfBitmap = groups.enumerated().flatMap { group in group.element.map { _ in group.offset } }
        var (block, intersection) = (0, BitmapIntersection())
        var travels = [[Int64]](repeating: [], count: parts.count + 1)
        func endBlock() throws -> Bool {
            intersection.endGroups(before: groups.count)
            intersection.forEachTravel { travels[parts.count].append(blocks[block].firstTravel + Int64($0)) }
            defer {
                (block, intersection) = (block + 1, BitmapIntersection())
                for part in travels.indices { travels[part] = [] }
            }
            return try body(block, travels)
        }
        try db.forEach(select(bitmaps, of: blocks)) { row, isEnough in
            let (blockOfRow, bitmap): (Int, Int) = (try row[0], try row[1])
            while block < blockOfRow, !isEnough { isEnough = try endBlock() }
            guard !isEnough else { return }
            try row.withColumn(2) { column in
                try column.withBlobBytes { bytes in
                    if bitmap < groupOfBitmap.count {
                        intersection.insert(UnsafeRawBufferPointer(bytes), group: groupOfBitmap[bitmap])
                    } else {
                        intersection.endGroups(before: groups.count)
                        intersection.remove(in: UnsafeRawBufferPointer(bytes)) {
                            travels[bitmap - groupOfBitmap.count].append(blocks[block].firstTravel + Int64($0))
                        }
                    }
                }
            }
        }
        while block < blocks.count { if try endBlock() { return } }
    }

    /// The positions of block and bitmap in these lists, and the bitmap; block by block, and in that order.
    static func select(_ bitmaps: [Int], of blocks: [Block]) -> SQL {
        """
        SELECT block.key, bitmap.key, travels
        FROM json_each(\(json: blocks.map(\.number))) AS block CROSS JOIN json_each(\(json: bitmaps)) AS bitmap
            CROSS JOIN travel_bitmap ON travel_bitmap.key = block.value * \(count) + bitmap.value
        """
    }
}
