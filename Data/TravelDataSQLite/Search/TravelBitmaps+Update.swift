internal import SQLiteStore
import TravelDomain

extension TravelBitmaps {
    /// Updates the bitmaps with the travels that were added, changed or liked since the last update, if they are
    /// numerous enough to slow down searches. Must be called at the end of every transaction that changes travels.
    static func update(_ db: Connection, ifMoreThan few: Int = 512) throws {
        if try db.fetchOne(Bool.self, "SELECT count(*) > \(few) FROM travel_unmapped") == true { try updateAll(db) }
        if try db.fetchOne(Bool.self, "SELECT count(*) > \(few) FROM travel_reliked") == true { try updateLevels(db) }
    }

    /// Updates the bitmaps with the travels in `travel_unmapped`.
    private static func updateAll(_ db: Connection) throws {
        var signatures: [String: TitleGrams.Signature] = [:]
        let travels = try db.fetchAll(
            """
            SELECT travel.key, travel.traits, text, like_count, created_at
            FROM travel_unmapped JOIN travel USING (key) JOIN title ON title.key = travel.title ORDER BY travel.key
            """
        ) { row in
            let title: String = try row[2]
            let signature = try signatures[title] ?? readingValues { TitleGrams.Signature(of: try Title(title)) }
            signatures[title] = signature
            return MappedTravel(
                key: try row[0], traits: try row[1], signature: signature, likes: try row[3], createdAt: try row[4])
        }
        try map(travels, db)
        try db.execute("DELETE FROM travel_unmapped")
    }

    /// Writes travels, ordered by key, to the bitmaps.
    static func map(_ travels: [MappedTravel], _ db: Connection) throws {
        try forEachGroup(of: travels, by: travelsPerBlock, \.key) { block, travels in
            try map(travels, in: block, db)
            try widen(block, to: travels, db)
        }
        try writeLevels(travels.map { ($0.key, $0.level) }, db)
    }

    private static func map(_ travels: ArraySlice<MappedTravel>, in block: Int64, _ db: Connection) throws {
        // The travels' bits in all bitmaps of the block, and a bitmap with all of these travels.
        var bits = [UInt64](repeating: 0, count: count * wordsPerBlock)
        var all = [UInt64](repeating: 0, count: wordsPerBlock)
        for travel in travels {
            let (word, bit) = Int(travel.key % travelsPerBlock).quotientAndRemainder(dividingBy: UInt64.bitWidth)
            all[word] |= 1 << UInt64(bit)
            for bitmap in travel.bitmaps { bits[bitmap * wordsPerBlock + word] |= 1 << UInt64(bit) }
        }
        // Words after the last of these travels do not change, and are missing in a new block.
        let end = (all.lastIndex { $0 != 0 } ?? -1) + 1
        for bitmap in 0..<count {
            let key = key(of: bitmap, block: block)
            let before = try db.fetchOne([UInt8].self, "SELECT travels FROM travel_bitmap WHERE key = \(key)") ?? []
            var after = [UInt64](littleEndian: before, count: max(end, before.count / 8))
            for word in 0..<end {
                after[word] = after[word] & ~all[word] | bits[bitmap * wordsPerBlock + word]
            }
            let bytes = after.littleEndianBytes
            guard bytes != before else { continue }
            try db.execute(
                """
                INSERT INTO travel_bitmap (key, travels) VALUES (\(key), \(bytes))
                ON CONFLICT (key) DO UPDATE SET travels = excluded.travels
                """)
        }
    }

    /// Extends the range of dates of a block.
    private static func widen(_ block: Int64, to travels: ArraySlice<MappedTravel>, _ db: Connection) throws {
        for date in [travels.lazy.map(\.createdAt).min(), travels.lazy.map(\.createdAt).max()] {
            try db.execute(
                """
                INSERT INTO travel_block (number, oldest, newest) VALUES (\(block), \(date), \(date))
                ON CONFLICT (number) DO UPDATE
                SET oldest = min(oldest, excluded.oldest), newest = max(newest, excluded.newest)
                """)
        }
    }

    /// Updates the levels of the travels in `travel_reliked`.
    private static func updateLevels(_ db: Connection) throws {
        let travels = try db.fetchAll(
            "SELECT key, like_count FROM travel_reliked JOIN travel USING (key) ORDER BY key"
        ) { row in (key: try row[0] as Int64, level: LikeLevel.level(of: try row[1])) }
        try writeLevels(travels, db)
        try db.execute("DELETE FROM travel_reliked")
    }

    private static func writeLevels(_ travels: [(key: Int64, level: Int)], _ db: Connection) throws {
        try forEachGroup(of: travels, by: travelsPerLevels, \.key) { row, travels in
            let before = try db.fetchOne([UInt8].self, "SELECT levels FROM travel_level WHERE key = \(row)") ?? []
            var levels = before
            for travel in travels {
                let byte = Int(travel.key % travelsPerLevels)
                if byte >= levels.count { levels += repeatElement(0, count: byte + 1 - levels.count) }
                levels[byte] = UInt8(travel.level)
            }
            guard levels != before else { return }
            try db.execute(
                """
                INSERT INTO travel_level (key, levels) VALUES (\(row), \(levels))
                ON CONFLICT (key) DO UPDATE SET levels = excluded.levels
                """)
        }
    }

    /// Calls `body` for each quotient of `key` and `size`, with the travels of that group. Travels must be ordered by
    /// key.
    private static func forEachGroup<Travel>(
        of travels: [Travel], by size: Int64, _ key: (Travel) -> Int64,
        _ body: (Int64, ArraySlice<Travel>) throws -> Void
    ) throws {
        var rest = travels[...]
        while let number = rest.first.map({ key($0) / size }) {
            let group = rest.prefix { key($0) / size == number }
            try body(number, group)
            rest = rest[group.endIndex...]
        }
    }
}

extension [UInt64] {
    /// Decodes `count` little-endian words; missing words at the end are zero.
    fileprivate init(littleEndian bytes: [UInt8], count: Int) {
        self = bytes.withUnsafeBytes { bytes in
            (0..<count).map { word in
                word * 8 + 8 <= bytes.count
                    ? UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: word * 8, as: UInt64.self)) : 0
            }
        }
    }

    /// Encodes the words in little-endian order, without trailing zero words.
    fileprivate var littleEndianBytes: [UInt8] {
        let end = lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
        return self[..<end].map(\.littleEndian).withUnsafeBytes { [UInt8]($0) }
    }
}
