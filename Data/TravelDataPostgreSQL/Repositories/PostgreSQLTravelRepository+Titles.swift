#if PostgreSQL
    internal import PostgreSQLStore
    public import TravelDomain

    extension PostgreSQLTravelRepository: TitleRepository {
        /// Returns titles of visible travels: those that begin with `text`, in the order of their characters, then
        /// those that contain it, then those of which it opens a word.
        ///
        /// - Throws: `TravelError.unavailable`; `CancellationError`.
        public func titles(containing text: Keyword, viewer: User.ID?, limit: Int) async throws -> [Title] {
            try await database.readTravels { db in
                var suggestions = Suggestions(limit: limit, sees: Viewer(viewer).sees, commonTerms: commonTerms)
                try suggestions.addBeginning(with: text, db)
                let signature = TravelTerms.signature(of: text)
                try suggestions.add(having: TravelTerms.grams(of: text), signature, db) { text.matches($0) }
                try suggestions.add(having: TravelTerms.opening(by: text), nil, db) { text.opens($0) }
                return suggestions.titles
            }
        }
    }

    /// The titles for what someone is typing.
    private struct Suggestions {
        let limit: Int
        /// The condition that a travel is shown.
        let sees: SQL
        let commonTerms: CommonTerms
        private(set) var titles: [Title] = []
        /// Titles that differ only in their Unicode encoding are equal.
        private var known: Set<Title> = []
        /// The UTF-8 bytes of the titles that need not be read again for the same condition.
        private var examined: Set<[UInt8]> = []

        /// The number of titles that are read at a time: the same title is often that of several travels.
        private static let batchSize = 32
        /// The number of the newest travels among which common terms are looked for first.
        private static let recentCount = 300
        /// The same if a signature rejects most of them, before their titles are read.
        private static let signedCount = 2_000

        init(limit: Int, sees: SQL, commonTerms: CommonTerms) {
            (self.limit, self.sees, self.commonTerms) = (limit, sees, commonTerms)
        }

        private var isFull: Bool { titles.count >= limit }

        /// Adds titles from a range of the index of titles.
        mutating func addBeginning(with text: Keyword, _ db: Connection) throws {
            let first = TravelRecord.titleKey(of: text.text)
            let end = first + "\u{10FFFF}"
            var last = (key: first, title: "")
            while !isFull {
                let next: SQL = """
                    SELECT travel.title_key, travel.title
                    FROM travel JOIN travel_rank AS rank ON rank.travel = travel.id
                    WHERE (travel.title_key, travel.title COLLATE "C") > (\(last.key), \(last.title))
                        AND travel.title_key < \(end) AND \(sees)
                    ORDER BY travel.title_key, travel.title COLLATE "C" LIMIT \(raw: String(Self.batchSize))
                    """
                let rows = try db.fetchAll(next) { row in (key: try row[0] as String, title: try row[1] as String) }
                for row in rows { try add(row.title) { text.begins($0) } }
                guard rows.count == Self.batchSize, let row = rows.last else { return }
                last = row
            }
        }

        /// Adds titles that have all terms, and the signature if there is one, and meet a condition: first those of the
        /// newest travels if all terms are common, because reading all that have a common term would take long.
        mutating func add(
            having terms: [Int32], _ signature: Int64?, _ db: Connection, where isWanted: (Title) -> Bool
        ) throws {
            guard !isFull else { return }
            examined = Set(titles.map { Array($0.text.utf8) })
            if try commonTerms.rare(among: terms, db).isEmpty {
                let count = signature == nil ? Self.recentCount : Self.signedCount
                let recent: SQL = """
                    SELECT travel.title
                    FROM (
                        SELECT travel, author, report_count, signature FROM travel_rank
                        ORDER BY created_at DESC, travel DESC LIMIT \(raw: String(count))
                    ) AS rank JOIN travel ON travel.id = rank.travel
                    WHERE rank.signature & \(signature ?? 0) = \(signature ?? 0)
                        AND \(TravelSearch.hasTerms(terms, "travel")) AND \(sees)
                    LIMIT \(raw: String(Self.batchSize))
                    """
                for title in try db.fetchAll(String.self, recent) { try add(title, where: isWanted) }
            }
            var count = Self.batchSize
            while !isFull, count == Self.batchSize {
                let others: SQL = """
                    SELECT travel.title FROM travel JOIN travel_rank AS rank ON rank.travel = travel.id
                    WHERE travel.terms @> \(terms) AND travel.title <> ALL(\(examinedTitles)) AND \(sees)
                    LIMIT \(raw: String(Self.batchSize))
                    """
                let found = try db.fetchAll(String.self, others)
                for title in found { try add(title, where: isWanted) }
                count = found.count
            }
        }

        private var examinedTitles: [String] { examined.map { String(decoding: $0, as: UTF8.self) } }

        /// Adds a title if it is new and wanted.
        private mutating func add(_ text: String, where isWanted: (Title) -> Bool) throws {
            guard !isFull, examined.insert(Array(text.utf8)).inserted else { return }
            let title = try readingValues { try Title(text) }
            if isWanted(title), known.insert(title).inserted { titles.append(title) }
        }
    }
#endif
