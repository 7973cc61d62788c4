internal import SQLiteStore

extension TravelBitmaps {
    /// What the bitmaps know of a travel.
    struct MappedTravel {
        let key: Int64
        let createdAt: Double
        /// The bits of the bitmaps before and from `firstOfTitles` on.
        private let bits: Int64
        private let titleBits: Int64

        init(key: Int64, traits: Int64, titleBits: Int64, likes: Int, createdAt: Double) {
            (self.key, self.createdAt, self.titleBits) = (key, createdAt, titleBits)
            bits = LikeLevel.levels(of: likes).reduce(traits) { $0 | 1 << Int64(LikeLevel.firstBitmap + $1) }
        }

        /// Whether it is in that bitmap.
        func isIn(_ bitmap: Int) -> Bool {
            let bits = bitmap < firstOfTitles ? bits : titleBits
            return bits & 1 << Int64(bitmap % firstOfTitles) != 0
        }
    }

    /// Writes what `travel_unmapped` holds into the bitmaps, if that is so much that a search takes notice: an eighth of all
    /// travels, or 512. To be called at the end of every transaction that adds travels or changes them.
    static func updateIfOutdated(_ db: Connection) throws {
        let travels: SQL = "(SELECT ifnull(max(key), 0) FROM travel)"
        let isOutdated: SQL = "SELECT count(*) > min(\(travels) / 8, 512) FROM travel_unmapped"
        if try db.fetchOne(Bool.self, isOutdated) == true { try update(db) }
    }

    /// Writes what `travel_unmapped` holds into the bitmaps.
    private static func update(_ db: Connection) throws {
        let travels = try db.fetchAll(
            """
            SELECT key, travel.traits, travel.title_bits, like_count, created_at
            FROM travel_unmapped JOIN travel USING (key) ORDER BY key
            """
        ) { row in
            MappedTravel(
                key: try row[0], traits: try row[1], titleBits: try row[2], likes: try row[3], createdAt: try row[4])
        }
        try map(travels, db)
        try db.execute("DELETE FROM travel_unmapped")
    }

    /// Writes travels, in the order of their keys, into the bitmaps.
    static func map(_ travels: [MappedTravel], _ db: Connection) throws {
        var rest = travels[...]
        while let block = rest.first.map({ $0.key / travelsPerBlock }) {
            let ofBlock = rest.prefix { $0.key / travelsPerBlock == block }
            try map(ofBlock, in: block, db)
            rest = rest[ofBlock.endIndex...]
        }
    }

    private static func map(_ travels: ArraySlice<MappedTravel>, in block: Int64, _ db: Connection) throws {
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
                if matrix.set(bitmap, travel: number, to: travel.isIn(bitmap)) { isChanged = true }
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
