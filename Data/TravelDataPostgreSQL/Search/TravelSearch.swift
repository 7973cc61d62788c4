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
    /// The travels of a person, and those that someone likes, are a range of an index. Other searches look for their
    /// page in the next few thousand travels of the order, where those with many results find it. Otherwise a rare
    /// keyword is looked up in the index of terms, and several filters in the index of cells, and what they find is
    /// sorted. Only if there is too much of it, the order is read until the page is full. Each step is a statement of
    /// its own, because the server cannot know which of them is the best.
    struct TravelSearch {
        private let query: TravelQuery
        private let effort: SearchEffort
        private let filter: TraitFilter

        init(_ query: TravelQuery, effort: SearchEffort) {
            (self.query, self.effort) = (query, effort)
            filter = TraitFilter(query.criteria)
        }

        /// The travels of the page in order, and one more if the page is not the last.
        func travels(_ db: Connection) throws -> [Travel] {
            var travels: [Travel] = []
            var source = isSelective ? Source.recent : .order
            var cursor = query.cursor
            while true {
                let found = try db.fetchAll(TravelRecord.self, select(from: source, after: cursor)).map(\.travel)
                // The terms only show that a title may contain the keyword.
                travels += found.filter { query.criteria.keyword?.matches($0.title) ?? true }
                if travels.count > query.limit { return Array(travels.prefix(query.limit + 1)) }
                if found.count > query.limit, let last = found.last {
                    cursor = TravelCursor(after: last, in: query.criteria.sort)
                } else if case .recent = source {
                    source = try furtherSource(db)
                    (travels, cursor) = ([], query.cursor)
                } else {
                    return travels
                }
            }
        }

        /// Where a page is looked for.
        private enum Source {
            /// The next travels of the order.
            case recent
            /// These travels.
            case travels([UUID])
            /// The travels in these cells.
            case cells([Int32])
            /// All travels in order.
            case order
        }

        /// Whether there are filters or a keyword, and no person to whose travels the search is restricted.
        private var isSelective: Bool {
            let criteria = query.criteria
            return criteria.author == nil && criteria.likedBy == nil && (criteria.keyword != nil || !filter.isEmpty)
        }

        /// Returns where the page is when it is not among the next travels of the order.
        private func furtherSource(_ db: Connection) throws -> Source {
            if let keyword = query.criteria.keyword, try isRare(keyword, db) {
                let travels = try db.fetchAll(
                    UUID.self,
                    """
                    SELECT id FROM travel WHERE terms @> \(TravelTerms.grams(of: keyword))
                    LIMIT \(raw: String(effort.sortedCount + 1))
                    """)
                if travels.count <= effort.sortedCount { return .travels(travels) }
            }
            return TraitCell.numbers(meeting: filter, atMost: effort.cellCount).map { .cells($0) } ?? .order
        }

        /// Whether few titles have the keyword, judging by the newest. Reading the whole list of a frequent term would
        /// take longer than the search.
        private func isRare(_ keyword: Keyword, _ db: Connection) throws -> Bool {
            // Without filters few of the next travels of the order had it.
            if filter.isEmpty { return true }
            let signature = TravelTerms.signature(of: keyword)
            let count = try db.fetchOne(
                Int.self,
                """
                SELECT count(*) FROM (
                    SELECT travel, signature FROM travel_rank
                    ORDER BY created_at DESC, travel DESC LIMIT \(raw: String(effort.sampleCount))
                ) AS rank JOIN travel ON travel.id = rank.travel
                WHERE rank.signature & \(signature) = \(signature) AND travel.terms @> \(TravelTerms.grams(of: keyword))
                """)
            return (count ?? 0) <= effort.rareCount
        }

        /// Selects the travels of `source` after the cursor that meet all conditions: as many as the page has, and one
        /// more.
        private func select(from source: Source, after cursor: TravelCursor?) -> SQL {
            """
            \(TravelRecord.select(seenBy: query.viewer))
                JOIN (\(page(from: source, after: cursor)) LIMIT \(raw: String(query.limit + 1))) AS page
                    ON page.travel = rank.travel
            ORDER BY \(order(of: "rank"))
            """
        }

        private func page(from source: Source, after cursor: TravelCursor?) -> SQL {
            let criteria = query.criteria
            var conditions: [SQL] = [filter.condition, Viewer(query.viewer).sees]
            if let author = criteria.author { conditions.append("rank.author = \(author.rawValue)") }
            var (titles, keyword): (SQL, Keyword?) = ("", criteria.keyword)
            // These were found by the terms of the keyword.
            if case .travels = source { keyword = nil }
            if let keyword {
                let signature = TravelTerms.signature(of: keyword)
                conditions.append("rank.signature & \(signature) = \(signature)")
                // Appending nothing keeps the server from the index of terms: it takes terms for independent, expects a
                // few titles where there are thousands, and would begin with them.
                titles = """
                     JOIN travel AS titled ON titled.id = rank.travel
                        AND (titled.terms || '{}'::integer[]) @> \(TravelTerms.grams(of: keyword))
                    """
            }
            var (ranks, ordering): (SQL, SQL) = ("travel_rank AS rank", "rank")
            if let person = criteria.likedBy {
                ranks = "liked AS likes JOIN travel_rank AS rank ON rank.travel = likes.travel"
                conditions.append("likes.person = \(person.rawValue)")
                // The likes of a person are in the order of the travels.
                if criteria.sort == .newest { ordering = "likes" }
            }
            switch source {
            case .recent: ranks = inOrder(after: cursor, atMost: effort.recentCount)
            case .order where isSelective: ranks = inOrder(after: cursor, atMost: .max)
            case .travels(let ids): conditions.append("rank.travel = ANY(\(ids))")
            case .cells(let cells): conditions.append("rank.cell = ANY(\(cells))")
            case .order: break
            }
            if let cursor { conditions.append(isAfter(cursor, in: ordering)) }
            if case .cells = source, keyword != nil {
                // Sorted before their titles are read, so that few of these are.
                ranks = """
                    (SELECT travel, created_at, like_count FROM travel_rank AS rank
                    WHERE \(conditions.joined(separator: " AND "))
                    ORDER BY \(order(of: "rank")) LIMIT \(raw: String(Int.max))) AS rank
                    """
                conditions = ["TRUE"]
            }
            return """
                SELECT rank.travel FROM \(ranks)\(titles) WHERE \(conditions.joined(separator: " AND "))
                ORDER BY \(order(of: ordering))
                """
        }

        /// The next rows of `travel_rank`, called `rank`.
        ///
        /// The limit keeps the server from applying conditions before: it would expect few rows, and sort the whole
        /// table.
        private func inOrder(after cursor: TravelCursor?, atMost limit: Int) -> SQL {
            let condition: SQL = cursor.map { "WHERE \(isAfter($0, in: "rank"))" } ?? ""
            return """
                (SELECT travel, created_at, like_count, traits, signature, author, report_count FROM travel_rank AS rank
                \(condition) ORDER BY \(order(of: "rank")) LIMIT \(raw: String(limit))) AS rank
                """
        }

        private func order(of table: SQL) -> SQL {
            switch query.criteria.sort {
            case .newest: "\(table).created_at DESC, \(table).travel DESC"
            case .mostLiked: "\(table).like_count DESC, \(table).created_at DESC, \(table).travel DESC"
            }
        }

        private func isAfter(_ cursor: TravelCursor, in table: SQL) -> SQL {
            switch cursor.position {
            case .createdAt(let date):
                """
                (\(table).created_at, \(table).travel)
                    < (\(date.timeIntervalSinceReferenceDate), \(cursor.id.rawValue))
                """
            case .likeCount(let count, let date):
                """
                (\(table).like_count, \(table).created_at, \(table).travel)
                    < (\(count), \(date.timeIntervalSinceReferenceDate), \(cursor.id.rawValue))
                """
            }
        }
    }
#endif
