#if PostgreSQL
    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif
    internal import PostgreSQLStore
    import TravelDomain

    /// Lets travels be found by the terms of their titles (`TravelTerms`) and by their filters together (`TraitCell`),
    /// and titles by how they begin.
    enum SearchMigration {
        /// The number of travels that are read at a time.
        private static let batchSize = 1_000

        static func run(_ db: Connection) throws {
            try db.executeScript(columns)
            var last: UUID?
            while let id = try fill(after: last, db) { last = id }
            try db.executeScript(indexes)
        }

        /// Fills the columns of some travels, and returns the ID of the last.
        private static func fill(after last: UUID?, _ db: Connection) throws -> UUID? {
            let isAfter: SQL = last.map { "WHERE travel.id > \($0)" } ?? ""
            let rows = try db.fetchAll(
                """
                SELECT travel.id, travel.title, rank.traits
                FROM travel JOIN travel_rank AS rank ON rank.travel = travel.id
                \(isAfter) ORDER BY travel.id LIMIT \(batchSize)
                """
            ) { row in (id: try row[0] as UUID, title: try row[1] as String, traits: try row[2] as Int64) }
            let travels = try readingValues {
                try rows.map { (id: $0.id, title: try Title($0.title), traits: $0.traits) }
            }
            try db.execute("UPDATE travel SET title_key = $1, terms = $2 WHERE id = $3", forEach: travels) {
                travel, values in
                try values.bind(TravelRecord.titleKey(of: travel.title.text))
                try values.bind(TravelTerms.of(travel.title))
                try values.bind(travel.id)
            }
            try db.execute("UPDATE travel_rank SET cell = $1, signature = $2 WHERE travel = $3", forEach: travels) {
                travel, values in
                try values.bind(TraitCell.number(of: travel.traits))
                try values.bind(TravelTerms.signature(of: travel.title))
                try values.bind(travel.id)
            }
            return travels.last?.id
        }

        private static let columns = """
            DROP INDEX travel_author, travel_title, travel_grams;
            ALTER TABLE travel DROP COLUMN grams, ADD COLUMN title_key text COLLATE "C", ADD COLUMN terms integer[];

            DROP INDEX rank_newest, rank_most_liked, rank_author;
            ALTER TABLE travel_rank DROP CONSTRAINT travel_rank_pkey, ADD COLUMN cell integer, ADD COLUMN signature bigint;
            ALTER TABLE travel_rank ADD PRIMARY KEY (travel)
                INCLUDE (created_at, like_count, traits, signature, author, report_count);

            DROP INDEX liked_person;
            ALTER TABLE liked ADD COLUMN created_at double precision;
            UPDATE liked SET created_at = travel.created_at FROM travel WHERE travel.id = liked.travel;
            """

        /// The index of terms has no list of pending changes, which each search would have to read.
        private static let indexes = """
            ALTER TABLE travel ALTER title_key SET NOT NULL, ALTER terms SET NOT NULL;
            CREATE INDEX travel_author ON travel (author);
            CREATE INDEX travel_title ON travel (title_key, title COLLATE "C");
            CREATE INDEX travel_terms ON travel USING gin (terms) WITH (fastupdate = off);

            ALTER TABLE travel_rank ALTER cell SET NOT NULL, ALTER signature SET NOT NULL;
            CREATE INDEX rank_newest
                ON travel_rank (created_at, travel) INCLUDE (traits, signature, author, report_count);
            CREATE INDEX rank_most_liked
                ON travel_rank (like_count, created_at, travel) INCLUDE (traits, signature, author, report_count);
            CREATE INDEX rank_author
                ON travel_rank (author, created_at, travel) INCLUDE (like_count, traits, signature, report_count);

            CREATE INDEX rank_cell ON travel_rank (cell)
                INCLUDE (created_at, travel, like_count, traits, signature, author, report_count);

            ALTER TABLE liked ALTER created_at SET NOT NULL;
            CREATE INDEX liked_person ON liked (person, created_at, travel);
            """
    }
#endif
