internal import SQLiteStore

extension TravelBitmaps {
    /// Whether so many travels are in `travel_unmapped` that a search takes notice: an eighth of all, or 512.
    static func areOutdated(_ db: Connection) throws -> Bool {
        let travels: SQL = "(SELECT ifnull(max(key), 0) FROM travel)"
        return try db.fetchOne(Bool.self, "SELECT count(*) > min(\(travels) / 8, 512) FROM travel_unmapped") ?? false
    }

    /// Writes what `travel_unmapped` holds into the bitmaps.
    static func update(_ db: Connection) throws {
        let travels = try db.fetchAll(
            """
            SELECT key, travel.traits, travel.title_bits, like_count, created_at
            FROM travel_unmapped JOIN travel USING (key) ORDER BY key
            """
        ) { row in
            var bits: Int64 = try row[1]
            for level in LikeLevel.levels(of: try row[3]) { bits |= 1 << Int64(LikeLevel.firstBitmap + level) }
            return Unmapped(key: try row[0], bits: bits, titleBits: try row[2], createdAt: try row[4])
        }
        var rest = travels[...]
        while let block = rest.first.map({ $0.key / travelsPerBlock }) {
            let ofBlock = rest.prefix { $0.key / travelsPerBlock == block }
            try write(ofBlock, into: block, db)
            rest = rest[ofBlock.endIndex...]
        }
        try db.execute("DELETE FROM travel_unmapped")
    }

    private struct Unmapped {
        let key: Int64
        let bits: Int64
        let titleBits: Int64
        let createdAt: Double

        func has(_ bitmap: Int) -> Bool {
            let bits = bitmap < firstOfTitles ? self.bits : titleBits
            return bits & 1 << Int64(bitmap % firstOfTitles) != 0
        }
    }

    private static func write(_ travels: ArraySlice<Unmapped>, into block: Int64, _ db: Connection) throws {
        let firstKey = block * Int64(count)
        var matrix = BitMatrix()
        try db.forEach(
            "SELECT key, travels FROM travel_bitmap WHERE key BETWEEN \(firstKey) AND \(firstKey + Int64(count) - 1)"
        ) { row in
            let key: Int64 = try row[0]
            try row.withColumn(1) { column in
                try column.withBlobBytes { matrix.insert(UnsafeRawBufferPointer($0), into: Int(key - firstKey)) }
            }
        }
        for bitmap in 0..<count {
            var isChanged = false
            for travel in travels {
                let number = Int(travel.key % travelsPerBlock)
                if matrix.set(bitmap, travel: number, to: travel.has(bitmap)) { isChanged = true }
            }
            guard isChanged else { continue }
            try db.execute(
                """
                INSERT INTO travel_bitmap (key, travels) VALUES (\(firstKey + Int64(bitmap)), \(matrix.bytes(of: bitmap)))
                ON CONFLICT (key) DO UPDATE SET travels = excluded.travels
                """)
        }
        for date in [travels.lazy.map(\.createdAt).min(), travels.lazy.map(\.createdAt).max()] {
            try db.execute(
                """
                INSERT INTO travel_block (number, oldest, newest) VALUES (\(block), \(date), \(date))
                ON CONFLICT (number) DO UPDATE
                SET oldest = min(oldest, excluded.oldest), newest = max(newest, excluded.newest)
                """)
        }
    }
}
