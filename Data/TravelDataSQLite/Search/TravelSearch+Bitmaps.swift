#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
internal import SQLiteStore
import TravelDomain

extension TravelSearch {
    /// The page's keys, found by the bitmaps, if at most `few` candidates must be read.
    func keysAmongMapped(_ page: inout PartialPage, atMost few: Int, _ db: Connection) throws -> [Int64]? {
        let blocks = try TravelBitmaps.blocks(db)
        var ranking = Ranking(
            few: few, candidates: try db.fetchAll(Int64.self, "SELECT key FROM travel_unmapped WHERE \(mayMatch)"))
        switch query.criteria.sort {
        case .newest: try rankByDate(blocks, &ranking, &page, db)
        case .mostLiked:
            ranking.candidates += try db.fetchAll(Int64.self, "SELECT key FROM travel_reliked WHERE \(mayMatch)")
            try rankByLikes(blocks, &ranking, &page, db)
        }
        return ranking.keys
    }

    /// The travels in these blocks that may match. Stops intersecting when few travels remain, because reading one
    /// more bitmap costs about as much as visiting two travels per block.
    private func mapped(in blocks: ClosedRange<Int64>, _ db: Connection) throws -> TravelSet {
        let values = filter.all.positionsOfBits + (grams?.signature.map { TravelBitmaps.firstOfTitles + $0 } ?? [])
        let groups = values.map { [$0] } + filter.any.map(\.positionsOfBits)
        return try TravelBitmaps.travels(in: blocks, having: groups, enough: blocks.count * 2, db)
    }

    /// The candidates found so far; those that come first in the order are added first, as far as the bitmaps can tell.
    private struct Ranking {
        let few: Int
        var candidates: [Int64]
        /// The number of candidates at the time they were last read.
        var ranked = 0
        /// The page's keys, once they are final.
        var keys: [Int64]?
    }

    /// An upper bound of the remaining travels: none has more likes, and none with as many likes is newer.
    private struct Bound {
        var likes = Int.max
        var createdAt = Double.infinity
    }

    /// Adds candidates block by block, from the newest travel, until no remaining block can contribute to the page.
    private func rankByDate(
        _ blocks: [TravelBitmaps.Block], _ ranking: inout Ranking, _ page: inout PartialPage, _ db: Connection
    ) throws {
        var rest = blocks[...]
        if case .createdAt(let date)? = query.cursor?.position {
            rest.removeAll { $0.oldest > date.timeIntervalSinceReferenceDate }
        }
        if rest.isEmpty { _ = try take([], leaving: nil, &ranking, &page, db) }
        var size = 1
        while !rest.isEmpty {
            // Reads runs of adjacent blocks together, in growing sizes.
            let run = TravelBitmaps.run(of: rest, atMost: size)
            let travels = try mapped(in: run, db)
            for _ in run {
                let block = rest.removeFirst()
                let bound = rest.first.map { Bound(createdAt: $0.newest) }
                if try take(travels.keys(of: block.number), leaving: bound, &ranking, &page, db) { return }
            }
            size *= 2
        }
    }

    /// Adds candidates level by level, from the most liked, and within a level block by block, from the newest
    /// travel, until no remaining travel can be on the page.
    private func rankByLikes(
        _ blocks: [TravelBitmaps.Block], _ ranking: inout Ranking, _ page: inout PartialPage, _ db: Connection
    ) throws {
        var (likes, date) = (Int.max, Double.infinity)
        if case .likeCount(let count, let createdAt)? = query.cursor?.position {
            (likes, date) = (count, createdAt.timeIntervalSinceReferenceDate)
        }
        let highest = LikeLevel.level(of: likes)
        var travelsOfLevels = [[Int64]](repeating: [], count: highest + 1)
        var (count, rest) = (0, blocks[...])
        while !rest.isEmpty {
            let run = TravelBitmaps.run(of: rest, atMost: 16)
            rest.removeFirst(run.count)
            let travels = try mapped(in: run, db)
            count += travels.count
            // The cost of reading a level is this fraction of the cost of a candidate.
            guard count <= ranking.few * 64 else { return }
            try TravelBitmaps.forEachLevel(of: travels, db) { travel, level in
                if level <= highest { travelsOfLevels[level].append(travel) }
            }
        }
        var levels = travelsOfLevels.indices.reversed().filter { !travelsOfLevels[$0].isEmpty }[...]
        if levels.isEmpty { _ = try take([], leaving: nil, &ranking, &page, db) }
        while let level = levels.popFirst() {
            let next = levels.first.map { Bound(likes: LikeLevel.maximumLikes(of: $0)) }
            // Of the travels with as many likes as the cursor, newer ones are on earlier pages.
            let parts = parts(of: travelsOfLevels[level], level, blocks.filter { level != likes || $0.oldest <= date })
            for (index, part) in parts.enumerated() {
                let bound = index + 1 < parts.count ? Bound(likes: level, createdAt: parts[index + 1].newest) : next
                if try take(part.travels, leaving: bound, &ranking, &page, db) { return }
            }
        }
    }

    /// Divides the travels of one level by block, if there are many and all have the same number of likes.
    private func parts(
        of travels: [Int64], _ level: Int, _ blocks: [TravelBitmaps.Block]
    ) -> [(newest: Double, travels: [Int64])] {
        guard travels.count > query.limit * 2, LikeLevel.maximumLikes(of: level) == level else {
            return [(.infinity, travels)]
        }
        let ofBlocks = Dictionary(grouping: travels) { $0 / TravelBitmaps.travelsPerBlock }
        let parts = blocks.compactMap { block in ofBlocks[block.number].map { (block.newest, $0) } }
        return parts.isEmpty ? [(.infinity, [])] : parts
    }

    /// Adds candidates; none of the remaining travels precedes `bound`, or none remains.
    ///
    /// Returns whether the search is over: because the page is complete, or because there are too many candidates.
    private func take(
        _ travels: [Int64], leaving bound: Bound?, _ ranking: inout Ranking, _ page: inout PartialPage, _ db: Connection
    ) throws -> Bool {
        ranking.candidates += travels
        guard ranking.candidates.count <= ranking.few else { return true }
        // Reading the candidates again pays off when their number has doubled.
        guard bound == nil || ranking.candidates.count > max(query.limit, ranking.ranked * 2) else { return false }
        ranking.ranked = ranking.candidates.count
        let keys = try keys(among: ofKeys(ranking.candidates), &page, db)
        if let bound {
            guard keys.count > query.limit, let last = keys.last, try isBefore(bound, last, db) else { return false }
        }
        ranking.keys = keys
        return true
    }

    private func isBefore(_ bound: Bound, _ travel: Int64, _ db: Connection) throws -> Bool {
        try db.fetchAll("SELECT like_count, created_at FROM travel WHERE key = \(travel)") { row in
            let (likes, createdAt): (Int, Double) = (try row[0], try row[1])
            return switch query.criteria.sort {
            case .newest: createdAt > bound.createdAt
            case .mostLiked: (likes, createdAt) > (bound.likes, bound.createdAt)
            }
        }.first == true
    }
}
