#if PostgreSQL
    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif
    internal import PostgreSQLStore
    import TravelDataSQL
    import TravelDomain

    extension TravelRecord {
        /// Inserts many new travels of people who are stored, without new images, each with the people who like it:
        /// with `COPY`, which takes a fraction of the time of single inserts.
        ///
        /// - Parameters:
        ///   - travels: The travels.
        ///   - likers: For each travel the different people who like it.
        /// - Throws: `TravelError.conflict` for a travel or an entry whose ID is known; it names the first one of them
        ///   all, because the server does not say which. `TravelError.notFound` for an unknown person; it names the
        ///   first author.
        static func load(_ travels: [RecordedTravel], likedBy likers: [[User.ID]], _ db: Connection) throws {
            guard let first = travels.first else { return }
            do {
                try copyTravels(travels, db)
                try copyRanks(zip(travels, likers), db)
                try copyLikes(zip(travels, likers), db)
                try copyEntries(of: travels, db)
                try copyTracks(of: travels, db)
            } catch let error as PostgreSQLError where error.code == .uniqueViolation {
                throw TravelError.conflict(.travel(first.id))
            } catch let error as PostgreSQLError where error.code == .foreignKeyViolation {
                throw TravelError.notFound(.user(first.author.id))
            }
        }

        private static func copyTravels(_ travels: [RecordedTravel], _ db: Connection) throws {
            typealias Layout = TraitLayout
            let columns = [
                "id", "author", "created_at", "version", "updated_at", "title", "region", "first_day", "last_day",
                "themes", "companions", "headcount", "budget", "transportation", "thumbnail", "cover", "title_key",
                "terms",
            ]
            try db.copy(into: "travel", columns: columns, travels) { travel, values in
                let content = travel.content
                try values.bind(travel.id.rawValue)
                try values.bind(travel.author.id.rawValue)
                try values.bind(travel.createdAt.timeIntervalSinceReferenceDate)
                try values.bind(travel.version.number)
                let updatedAt = travel.updatedAt == travel.createdAt ? nil : travel.updatedAt
                try values.bind(updatedAt?.timeIntervalSinceReferenceDate)
                try values.bind(content.title.text)
                try values.bind(Layout.position(of: content.region, in: Layout.regions))
                try values.bind(content.days.first.daysSince1970)
                try values.bind(content.days.last.daysSince1970)
                try values.bind(Layout.bits(content.themes, in: Layout.themes))
                try values.bind(Layout.bits(content.companions, in: Layout.companions))
                try values.bind(content.headcount.map { Layout.position(of: $0, in: Layout.headcounts) })
                try values.bind(content.budget.map { Layout.position(of: $0, in: Layout.budgets) })
                try values.bind(content.transportation.map { Layout.position(of: $0, in: Layout.transportations) })
                try values.bind(content.thumbnail?.rawValue)
                try values.bind(travel.thumbnail?.rawValue)
                try values.bind(titleKey(of: content.title.text))
                try values.bind(TravelTerms.of(content.title))
            }
        }

        private static func copyRanks(
            _ travels: Zip2Sequence<[RecordedTravel], [[User.ID]]>, _ db: Connection
        ) throws {
            let columns = ["travel", "author", "created_at", "first_day", "like_count", "traits", "cell", "signature"]
            try db.copy(into: "travel_rank", columns: columns, travels) { pair, values in
                let (travel, likers) = pair
                try values.bind(travel.id.rawValue)
                try values.bind(travel.author.id.rawValue)
                try values.bind(travel.createdAt.timeIntervalSinceReferenceDate)
                try values.bind(travel.content.days.first.daysSince1970)
                try values.bind(likers.count)
                let traits = TraitLayout.traits(of: travel.content)
                try values.bind(traits)
                try values.bind(TraitCell.number(of: traits))
                try values.bind(TravelTerms.signature(of: travel.content.title))
            }
        }

        private static func copyLikes(
            _ travels: Zip2Sequence<[RecordedTravel], [[User.ID]]>, _ db: Connection
        ) throws {
            let likes = travels.lazy.flatMap { travel, likers in likers.lazy.map { (travel: travel, liker: $0) } }
            try db.copy(into: "liked", columns: ["travel", "person", "created_at"], likes) { like, values in
                try values.bind(like.travel.id.rawValue)
                try values.bind(like.liker.rawValue)
                try values.bind(like.travel.createdAt.timeIntervalSinceReferenceDate)
            }
        }

        private static func copyTracks(of travels: [RecordedTravel], _ db: Connection) throws {
            let tracks = travels.lazy.compactMap { travel in travel.track.map { (travel: travel.id, track: $0) } }
            try db.copy(into: "track", columns: ["travel", "way"], tracks) { pair, values in
                try values.bind(pair.travel.rawValue)
                try values.bind(Data(pair.track.bytes))
            }
        }

        private static func copyEntries(of travels: [RecordedTravel], _ db: Connection) throws {
            let entries = travels.lazy.flatMap { travel in travel.timeline.lazy.map { (travel: travel.id, entry: $0) } }
            try db.copy(into: "entry", columns: EntryRecord.columns, entries) { pair, values in
                try EntryRecord.bind(pair.entry, of: pair.travel, to: &values)
            }
        }
    }
#endif
