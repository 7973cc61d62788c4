internal import SQLiteStore
import TravelDomain

/// The trips that meet the criteria of a search, apart from its author, and whose audience the viewer belongs to; computed block
/// by block, as needed.
///
/// There may be more: removed and reported trips, those of blocked authors, long titles, texts with the keyword's pairs of
/// characters in another order, entries that have them only together, and former texts.
struct Matches {
    private var keyword: [[RowSets.Number]]
    /// The groups of sets that long texts have instead.
    private var ofLong: [[RowSets.Number]] = []
    private var filters: [[RowSets.Number]]
    private var liked: [Int64: RowBlock]?
    private var blocks: [Int64: RowBlock] = [:]

    /// Creates the matches of `criteria` for `viewer`, by titles or by entries; with `user`, of the trips that they like.
    init(
        _ criteria: TripCriteria, by rank: TripMatch.Rank, likedBy user: Int64?, for viewer: Viewer, _ db: Connection
    ) throws {
        switch (rank, criteria.keyword) {
        case (_, nil): keyword = []
        case (.title, let text?): (keyword, ofLong) = (TripSets.groups(text), [[TripSets.long]])
        case (.entry, let text?): (keyword, ofLong) = TripSets.groups(ofEntriesWith: text)
        }
        filters = TripSets.filters(criteria) + [viewer.sets]
        guard let user else { return }
        var (liked, rows): ([Int64: RowBlock], RowBlock) = ([:], RowBlock(0))
        try db.forEach("SELECT trip FROM liked WHERE app_user = \(user)") { row in
            let trip: Int64 = try row[0]
            let block = RowSets.block(of: trip)
            if block != rows.block {
                liked[rows.block] = rows
                rows = liked.removeValue(forKey: block) ?? RowBlock(block)
            }
            rows.set(trip, isMember: true)
        }
        liked[rows.block] = rows
        self.liked = liked
    }

    mutating func contains(_ trip: Int64, _ db: Connection) throws -> Bool {
        try rows(in: RowSets.block(of: trip), db).contains(trip)
    }

    /// Whether probably fewer than `needed` of the `count` trips that come first are matches, judging by the block of
    /// the newest. From then on, the groups with the fewest rows in that block are read first.
    mutating func seemRare(_ needed: Int, among count: Int, _ db: Connection) throws -> Bool {
        let last = try lastKey(db)
        let block = RowSets.block(of: last)
        var rows: RowBlock?
        try sort(&keyword, by: block, &rows, db)
        if rows != nil { try addLong(to: &rows, in: block, db) }
        if let liked {
            let liked = liked[block] ?? RowBlock(block)
            rows?.formIntersection(liked)
            rows = rows ?? liked
        }
        try sort(&filters, by: block, &rows, db)
        blocks[block] = rows
        return (rows?.count ?? 0) * count < needed * (Int(last) % RowBlock.size + 1)
    }

    private func addLong(to rows: inout RowBlock?, in block: Int64, _ db: Connection) throws {
        guard !ofLong.isEmpty else { return }
        rows?.formUnion(try RowSets.rows(in: block, ofEach: ofLong, db))
    }

    /// Sorts groups by the number of their rows in a block, and intersects `rows` with them.
    private func sort(
        _ groups: inout [[RowSets.Number]], by block: Int64, _ rows: inout RowBlock?, _ db: Connection
    ) throws {
        var counts: [Int] = []
        for group in groups {
            let union = try RowSets.rows(in: block, ofEach: [group], db)
            counts.append(union.count)
            rows?.formIntersection(union)
            rows = rows ?? union
        }
        groups = zip(groups, counts).sorted { $0.1 < $1.1 }.map(\.0)
    }

    /// All matches, if reading and sorting them costs less than walking all trips in order until `needed` are found.
    mutating func few(for needed: Int, _ effort: SearchEffort, _ db: Connection) throws -> [Int64]? {
        let last = try lastKey(db)
        let blocks = 0...RowSets.block(of: last)
        var count = 0
        for block in blocks.reversed() {
            count += try rows(in: block, db).count
            // On average, one match comes after every `last / count` trips.
            guard count * count * effort.sorting <= needed * Int(last) else { return nil }
        }
        return try blocks.flatMap { try rows(in: $0, db).rows }
    }

    private func lastKey(_ db: Connection) throws -> Int64 {
        try db.fetchOne(Int64.self, "SELECT ifnull(max(key), 0) FROM trip") ?? 0
    }

    private mutating func rows(in block: Int64, _ db: Connection) throws -> RowBlock {
        if let rows = blocks[block] { return rows }
        var within = liked.map { $0[block] ?? RowBlock(block) }
        if !keyword.isEmpty {
            var found: RowBlock? = try RowSets.rows(in: block, ofEach: keyword, db)
            try addLong(to: &found, in: block, db)
            if let found { within?.formIntersection(found) }
            within = within ?? found
        }
        let rows = try RowSets.rows(in: block, ofEach: filters, within: within, db)
        blocks[block] = rows
        return rows
    }
}

/// The limits of a walk through an index. The results of a search do not depend on them.
struct SearchEffort {
    /// The number of trips to visit before the matches are counted.
    var patience = 1_000
    /// Whether matches that seem rare are counted before the walk.
    var estimates = true
    /// The cost of reading and sorting a match, in visited trips.
    var sorting = 5
}

/// The people whom criteria name, by key.
struct Users {
    let author: Int64?
    let likingUser: Int64?

    /// Returns `nil` when one of them does not exist, and has therefore neither recorded nor liked a trip.
    init?(_ criteria: TripCriteria, _ db: Connection) throws {
        author = try criteria.author.flatMap { try UserRecord.key(of: $0, db) }
        likingUser = try criteria.likedBy.flatMap { try UserRecord.key(of: $0, db) }
        if (author == nil) != (criteria.author == nil) || (likingUser == nil) != (criteria.likedBy == nil) {
            return nil
        }
    }
}
