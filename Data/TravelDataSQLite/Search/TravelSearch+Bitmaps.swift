#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
internal import SQLiteStore
import TravelDomain

extension TravelSearch {
    /// The page's keys, found among the travels that may match by the bitmaps, if at most `few` need to be looked at.
    func keysAmongMapped(_ page: inout Page, atMost few: Int, _ db: Connection) throws -> [Int64]? {
        var groups = filter.groups
        if let grams { groups += grams.bits.positionsOfBits.map { [TravelBitmaps.firstOfTitles + $0] } }
        let blocks = try TravelBitmaps.blocks(db)
        var ranking = Ranking(
            few: few, candidates: try db.fetchAll(Int64.self, "SELECT key FROM travel_unmapped WHERE \(mayMatch)"))
        switch query.criteria.sort {
        case .newest: try rankByDate(groups, blocks, &ranking, &page, db)
        case .mostLiked: try rankByLikes(groups, blocks, &ranking, &page, db)
        }
        return ranking.keys
    }

    /// Candidates, of which those are taken in first that come first in the order, as far as the bitmaps know.
    private struct Ranking {
        let few: Int
        var candidates: [Int64]
        /// How many candidates there were when they were last looked at.
        var ranked = 0
        /// The page's keys, once they are certain.
        var keys: [Int64]?
    }

    /// From the block with the newest travel on, until no other block can have travels for the page.
    private func rankByDate(
        _ groups: [[Int]], _ blocks: [TravelBitmaps.Block], _ ranking: inout Ranking, _ page: inout Page,
        _ db: Connection
    ) throws {
        var blocks = blocks
        if case .createdAt(let date)? = query.cursor?.position {
            blocks.removeAll { $0.oldest > date.timeIntervalSinceReferenceDate }
        }
        var isEnough = false
        try TravelBitmaps.forEach(blocks, having: groups, db) { block, travels in
            let next = blocks[(block + 1)...].first
            isEnough = try take(travels[0], leaving: next?.newest, &ranking, &page, db)
            return isEnough
        }
        if blocks.isEmpty { _ = try take([], leaving: nil, &ranking, &page, db) }
    }

    /// From the highest level of likes on, until no lower level can have travels for the page.
    private func rankByLikes(
        _ groups: [[Int]], _ blocks: [TravelBitmaps.Block], _ ranking: inout Ranking, _ page: inout Page,
        _ db: Connection
    ) throws {
        var levels = LikeLevel.fewestLikes.indices.map { $0 }
        // Those in the level above the cursor, and higher, come before it.
        var above: Int?
        if case .likeCount(let likes)? = query.cursor?.position {
            above = levels.first { LikeLevel.fewestLikes[$0] > likes }
            levels.removeAll { LikeLevel.fewestLikes[$0] > likes }
        }
        let parts = (above.map { [$0] } ?? []) + levels.reversed()
        var travelsOfParts = [[Int64]](repeating: [], count: parts.count + 1)
        var isTooMuch = false
        let bitmaps = parts.map { LikeLevel.firstBitmap + $0 }
        try TravelBitmaps.forEach(blocks, having: groups, parts: bitmaps, db) { _, travels in
            for (part, travels) in travels.enumerated() { travelsOfParts[part] += travels }
            isTooMuch = travelsOfParts.reduce(0) { $0 + $1.count } > ranking.few * 8
            return isTooMuch
        }
        if isTooMuch { return }
        for part in (above == nil ? 0 : 1)...parts.count {
            let most = part < parts.count ? Double(LikeLevel.fewestLikes[parts[part]] - 1) : nil
            if try take(travelsOfParts[part], leaving: most, &ranking, &page, db) { return }
        }
    }

    /// Takes in candidates; those that are left have at most `bound` for what the order looks at first, or are none.
    /// Whether that is enough: because the page is found, or because the candidates are too many.
    private func take(
        _ travels: [Int64], leaving bound: Double?, _ ranking: inout Ranking, _ page: inout Page, _ db: Connection
    ) throws -> Bool {
        ranking.candidates += travels
        guard ranking.candidates.count <= ranking.few else { return true }
        // To look again is worth while when there are twice as many.
        guard bound == nil || ranking.candidates.count > max(query.limit, ranking.ranked * 2) else { return false }
        ranking.ranked = ranking.candidates.count
        let keys = try keys(among: ofKeys(ranking.candidates), &page, db)
        guard let bound else {
            ranking.keys = keys
            return true
        }
        guard keys.count > query.limit, let last = keys.last else { return false }
        let position: SQL = query.criteria.sort == .newest ? "created_at" : "like_count"
        guard try db.fetchOne(Double.self, "SELECT \(position) FROM travel WHERE key = \(last)") ?? 0 > bound else {
            return false
        }
        ranking.keys = keys
        return true
    }
}
