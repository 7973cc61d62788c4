#if PostgreSQL
    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif
    internal import PostgreSQLStore
    import TravelDataSQL
    import TravelDomain

    /// A travel as a viewer sees it, from the rows of `travel`, `travel_rank`, `person` and `liked`.
    struct TravelRecord: RowDecodable {
        let travel: Travel
        /// The number of reports, which decides whether the travel is shown.
        let reports: Int

        /// The columns of a travel, and the tables that they come from. `rank` is a row of `travel_rank`.
        ///
        /// Planning the joins takes a millisecond or two, ten times as long as reading a page of travels: the server
        /// plans them once.
        static func select(seenBy viewer: User.ID?) -> SQL {
            let select: SQL = """
                SELECT travel.id, person.id, person.nickname, travel.created_at, travel.title, travel.region, travel.first_day,
                    travel.last_day, travel.themes, travel.companions, travel.headcount, travel.budget, travel.transportation,
                    rank.like_count, person.id = \(viewer?.rawValue) IS TRUE, mine.travel IS NOT NULL, travel.thumbnail,
                    travel.cover, travel.version, travel.updated_at, rank.report_count, avatar.id
                FROM travel_rank AS rank
                    JOIN travel ON travel.id = rank.travel
                    JOIN person ON person.id = travel.author
                    LEFT JOIN avatar ON avatar.person = travel.author
                    LEFT JOIN liked AS mine ON mine.travel = rank.travel AND mine.person = \(viewer?.rawValue)
                """
            return select.planned(.generic)
        }

        init(row: borrowing Row) throws {
            typealias Layout = TraitLayout
            let (nickname, title): (String, String) = (try row[2], try row[4])
            let (firstDay, lastDay): (Int, Int) = (try row[6], try row[7])
            let valid = try readingValues {
                (
                    nickname: try Nickname(nickname), title: try Title(title),
                    days: try DayRange(
                        CalendarDay(daysSince1970: firstDay), through: CalendarDay(daysSince1970: lastDay))
                )
            }
            let content = TravelContent(
                title: valid.title, region: try Layout.value(row[5], in: Layout.regions), days: valid.days,
                themes: Layout.values(try row[8], in: Layout.themes),
                companions: Layout.values(try row[9], in: Layout.companions),
                headcount: try (row[10] as Int?).map { try Layout.value($0, in: Layout.headcounts) },
                budget: try (row[11] as Int?).map { try Layout.value($0, in: Layout.budgets) },
                transportation: try (row[12] as Int?).map { try Layout.value($0, in: Layout.transportations) },
                thumbnail: (try row[16] as UUID?).map { TravelImage.ID($0) })
            let author = User(
                id: User.ID(try row[1] as UUID), nickname: valid.nickname,
                avatar: (try row[21] as UUID?).map { TravelImage.ID($0) })
            let (id, createdAt): (UUID, Double) = (try row[0], try row[3])
            let (likes, isMine, isLiked): (Int, Bool, Bool) = (try row[13], try row[14], try row[15])
            let cover = (try row[17] as UUID?).map { TravelImage.ID($0) }
            let (version, updatedAt): (Int, Double?) = (try row[18], try row[19])
            reports = try row[20]
            travel = try readingValues {
                try Travel(
                    id: Travel.ID(id), author: author, content: content,
                    createdAt: Date(timeIntervalSinceReferenceDate: createdAt),
                    updatedAt: updatedAt.map { Date(timeIntervalSinceReferenceDate: $0) },
                    version: TravelVersion(number: version) ?? .first, likeCount: likes, isLiked: isLiked,
                    isMine: isMine,
                    thumbnail: cover)
            }
        }

        /// Inserts travels with their authors, images and entries.
        static func add(_ travels: [RecordedTravel], _ new: inout NewImages, _ db: Connection) throws {
            var authors: Set<User.ID> = []
            for travel in travels {
                if authors.insert(travel.author.id).inserted { try PersonRecord.save(travel.author, db) }
                try unique(.travel(travel.id)) {
                    try db.execute(
                        """
                        INSERT INTO travel (id, author, created_at, \(columns))
                        VALUES (
                            \(travel.id.rawValue), \(travel.author.id.rawValue),
                            \(travel.createdAt.timeIntervalSinceReferenceDate), \(values(of: travel)))
                        """)
                }
                let traits = TraitLayout.traits(of: travel.content)
                try db.execute(
                    """
                    INSERT INTO travel_rank (travel, author, created_at, first_day, traits, cell, signature)
                    VALUES (
                        \(travel.id.rawValue), \(travel.author.id.rawValue),
                        \(travel.createdAt.timeIntervalSinceReferenceDate),
                        \(travel.content.days.first.daysSince1970), \(traits), \(TraitCell.number(of: traits)),
                        \(TravelTerms.signature(of: travel.content.title)))
                    """)
                try ImageRecord.insert(new.take(for: travel), travel: travel.id, db)
                try EntryRecord.insert(travel.timeline, travel: travel.id, db)
                if let track = travel.track { try TrackRecord.set(track, of: travel.id, db) }
            }
        }

        /// The form in which the index of titles stores them, and in which they begin with what someone types.
        static func titleKey(of text: String) -> String {
            CharacterKey.text(of: Keyword.folded(text))
        }

        private static let columns: SQL = """
            version, updated_at, title, region, first_day, last_day, themes, companions, headcount, budget, transportation,
            thumbnail, cover, title_key, terms
            """

        private static func values(of recorded: RecordedTravel) -> SQL {
            typealias Layout = TraitLayout
            let content = recorded.content
            let updatedAt = recorded.updatedAt == recorded.createdAt ? nil : recorded.updatedAt
            return """
                \(recorded.version.number), \(updatedAt?.timeIntervalSinceReferenceDate), \(content.title.text),
                \(Layout.position(of: content.region, in: Layout.regions)), \(content.days.first.daysSince1970),
                \(content.days.last.daysSince1970), \(Layout.bits(content.themes, in: Layout.themes)),
                \(Layout.bits(content.companions, in: Layout.companions)),
                \(content.headcount.map { Layout.position(of: $0, in: Layout.headcounts) }),
                \(content.budget.map { Layout.position(of: $0, in: Layout.budgets) }),
                \(content.transportation.map { Layout.position(of: $0, in: Layout.transportations) }),
                \(content.thumbnail?.rawValue), \(recorded.thumbnail?.rawValue),
                \(titleKey(of: content.title.text)),
                \(TravelTerms.of(content.title))
                """
        }

        /// Deletes some travels of an author, whose row is locked, with everything that belongs to them. Returns their
        /// number.
        static func removeSome(by author: User.ID, atMost limit: Int, _ db: Connection) throws -> Int {
            let some = try db.fetchAll(
                UUID.self, "SELECT id FROM travel WHERE author = \(author.rawValue) LIMIT \(raw: String(limit))")
            guard !some.isEmpty else { return 0 }
            try lock(some, db)
            try db.execute("DELETE FROM travel WHERE id = ANY(\(some))")
            return some.count
        }

        /// Locks travels until the end of the transaction, as who likes or edits them does. All lock them in this
        /// order, so that none waits for another that waits for it.
        static func lock(_ travels: [UUID], _ db: Connection) throws {
            try db.execute("SELECT travel FROM travel_rank WHERE travel = ANY(\(travels)) ORDER BY travel FOR UPDATE")
        }

        /// Replaces the content, the timeline and the images of a travel. Writes only the rows that differ.
        ///
        /// - Throws: `TravelError.conflict` when another travel has one of the entries or images, or an entry is
        ///   repeated.
        static func update(
            from recorded: RecordedTravel, to changed: RecordedTravel, _ new: inout NewImages, _ db: Connection
        ) throws {
            let id = recorded.id.rawValue
            try db.execute("UPDATE travel SET (\(columns)) = ROW(\(values(of: changed))) WHERE id = \(id)")
            if changed.content != recorded.content {
                let traits = TraitLayout.traits(of: changed.content)
                try db.execute(
                    """
                    UPDATE travel_rank SET traits = \(traits), cell = \(TraitCell.number(of: traits)),
                        first_day = \(changed.content.days.first.daysSince1970),
                        signature = \(TravelTerms.signature(of: changed.content.title))
                    WHERE travel = \(id)
                    """)
            }
            try ImageRecord.insert(new.take(for: changed, besides: recorded.images), travel: changed.id, db)
            try EntryRecord.update(from: recorded.timeline, to: changed.timeline, travel: changed.id, db)
            if changed.track != recorded.track { try TrackRecord.set(changed.track, of: changed.id, db) }
            if !recorded.images.isEmpty {
                let shown = changed.images.map(\.rawValue)
                try db.execute("DELETE FROM image WHERE travel = \(id) AND id <> ALL(\(shown))")
            }
        }
    }
#endif
