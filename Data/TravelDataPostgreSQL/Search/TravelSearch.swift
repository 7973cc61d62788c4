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
    /// The travels of a person, and those that someone likes, are a range of an index. Other searches look for their page in
    /// the next few thousand travels of the order, where those with many results find it, and in more of them if some were
    /// found there. A page of few results is found by the terms of the keyword and the filters, which are intersected, or
    /// in the cells of several filters, and is sorted. Only if there is too much of it, the whole order is read. Each step
    /// is a statement of its own, because the server cannot know which of them is the best.
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
            guard isSelective else { return try travels(from: .order, db).page }
            let numbers = TraitCell.numbers(meeting: filter, atMost: effort.cellCount)
            func cells(atMost count: Int) -> Source? {
                numbers.flatMap { $0.count <= count ? .cells($0) : nil }
            }
            if let few = cells(atMost: effort.fewCells) { return try travels(from: few, db).page }
            let recent = try travels(from: .next(effort.recentCount), db)
            if recent.isFull { return recent.page }
            // As many as a full page takes if they are as frequent there.
            let expected = effort.recentCount * (query.limit + 1) / max(recent.page.count, 1)
            if expected <= effort.furtherCount, expected > effort.recentCount {
                let further = try travels(from: .next(effort.furtherCount), db)
                if further.isFull { return further.page }
            }
            let source = try cells(atMost: effort.someCells) ?? withTerms(db) ?? cells(atMost: effort.cellCount)
            return try travels(from: source ?? .order, db).page
        }

        /// The travels of the page that `source` has, and whether they fill it.
        private func travels(from source: Source, _ db: Connection) throws -> (page: [Travel], isFull: Bool) {
            var page: [Travel] = []
            var cursor = query.cursor
            while true {
                let found = try db.fetchAll(TravelRecord.self, select(from: source, after: cursor)).map(\.travel)
                // The terms only show that a title may contain the keyword.
                page += found.filter { query.criteria.keyword?.matches($0.title) ?? true }
                if page.count > query.limit { return (Array(page.prefix(query.limit + 1)), true) }
                guard found.count > query.limit, let last = found.last else { return (page, false) }
                cursor = TravelCursor(after: last, in: query.criteria.sort)
            }
        }

        /// Where a page is looked for.
        private enum Source {
            /// That number of travels that come next in the order.
            case next(Int)
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

        /// The travels with the terms of the keyword and of the filters; `nil` if they are too many, or there is no keyword.
        private func withTerms(_ db: Connection) throws -> Source? {
            guard let keyword = query.criteria.keyword else { return nil }
            // Lists of terms are read as a whole: more of them cost more than they rule out.
            let terms = TravelTerms.grams(of: keyword) + TravelTerms.mostSelective(3, of: filter.all)
            let travels = try db.fetchAll(
                UUID.self,
                "SELECT id FROM travel WHERE terms @> \(terms) LIMIT \(raw: String(effort.sortedCount + 1))")
            return travels.count <= effort.sortedCount ? .travels(travels) : nil
        }

        /// Selects the travels of `source` after the cursor that meet all conditions: as many as the page has, and one more.
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
            var titles: SQL = ""
            if let keyword = criteria.keyword {
                let signature = TravelTerms.signature(of: keyword)
                conditions.append("rank.signature & \(signature) = \(signature)")
                // Appending nothing keeps the server from the index of terms: it takes terms for independent, expects a few
                // titles where there are thousands, and would begin with them.
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
            case .next(let count): ranks = inOrder(after: query.cursor, atMost: count)
            case .order where isSelective: ranks = inOrder(after: cursor, atMost: .max)
            case .travels(let ids): conditions.append("rank.travel = ANY(\(ids))")
            case .cells(let cells): conditions.append("rank.cell = ANY(\(cells))")
            case .order: break
            }
            if let cursor { conditions.append(isAfter(cursor, in: ordering)) }
            return """
                SELECT rank.travel FROM \(ranks)\(titles) WHERE \(conditions.joined(separator: " AND "))
                ORDER BY \(order(of: ordering))
                """
        }

        /// The next rows of `travel_rank`, called `rank`.
        ///
        /// The limit keeps the server from applying conditions before: it would expect few rows, and sort the whole table.
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
