#if PostgreSQL
    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif
    internal import PostgreSQLStore
    import TravelDomain

    /// A search for one page.
    ///
    /// The server plans each search for its values: it reads one of the orders until the page is full, or sorts the few
    /// travels that the index of grams or of people yields.
    struct TravelSearch {
        let query: TravelQuery
        let viewer: Viewer

        /// The travels of the page in order, and one more if the page is not the last.
        func travels(_ db: Connection) throws -> [Travel] {
            var travels: [Travel] = []
            var cursor = query.cursor
            while true {
                let wanted = query.limit + 1 - travels.count
                let found = try db.fetchAll(TravelRecord.self, select(after: cursor, limit: wanted)).map(\.travel)
                // The gram only shows that a title may contain the keyword.
                travels += found.filter { query.criteria.keyword?.matches($0.title) ?? true }
                guard let last = found.last, found.count == wanted, travels.count <= query.limit else { return travels }
                cursor = TravelCursor(after: last, in: query.criteria.sort)
            }
        }

        private func select(after cursor: TravelCursor?, limit: Int) -> SQL {
            let criteria = query.criteria
            var conditions: [SQL] = [TraitFilter(criteria).condition, viewer.sees]
            if let cursor { conditions.append(isAfter(cursor)) }
            if let author = criteria.author { conditions.append("rank.author = \(author.rawValue)") }
            if let keyword = criteria.keyword, let gram = TitleGrams.of(keyword) {
                conditions.append("travel.grams @> \([gram])")
            }
            var join: SQL = ""
            if let person = criteria.likedBy {
                join = " JOIN liked AS likes ON likes.travel = rank.travel AND likes.person = \(person.rawValue)"
            }
            let condition: SQL = "\(join) WHERE \(conditions.joined(separator: " AND "))"
            let select: SQL
            if criteria.keyword == nil {
                // An index alone yields the page: it includes all columns of the conditions.
                select = """
                    \(TravelRecord.select(seenBy: query.viewer))
                        JOIN (
                            SELECT rank.travel FROM travel_rank AS rank\(condition) ORDER BY \(order) LIMIT \(limit)
                        ) AS page ON page.travel = rank.travel
                    ORDER BY \(order)
                    """
            } else {
                select = "\(TravelRecord.select(seenBy: query.viewer))\(condition) ORDER BY \(order) LIMIT \(limit)"
            }
            return select.planned(.custom)
        }

        private var order: SQL {
            switch query.criteria.sort {
            case .newest: "rank.created_at DESC, rank.travel DESC"
            case .mostLiked: "rank.like_count DESC, rank.created_at DESC, rank.travel DESC"
            }
        }

        private func isAfter(_ cursor: TravelCursor) -> SQL {
            switch cursor.position {
            case .createdAt(let date):
                "(rank.created_at, rank.travel) < (\(date.timeIntervalSinceReferenceDate), \(cursor.id.rawValue))"
            case .likeCount(let count, let date):
                """
                (rank.like_count, rank.created_at, rank.travel)
                    < (\(count), \(date.timeIntervalSinceReferenceDate), \(cursor.id.rawValue))
                """
            }
        }
    }
#endif
