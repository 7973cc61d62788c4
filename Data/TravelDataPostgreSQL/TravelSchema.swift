#if PostgreSQL
internal import PostgreSQLStore
internal import TravelDataSQL
import TravelDomain

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The migrations of a travel database.
enum TravelSchema {
    static let migrations = [
        Migration("travels", script: travels),
        Migration("searching by terms", revision: "1", SearchMigration.run),
        Migration("order by date", script: dates),
        Migration("places by name", script: placesByName),
        Migration("abroad", script: abroad),
        Migration("recorded tracks", script: tracks),
    ]

    /// The ways of recorded tracks (`TrackGeometry.bytes`), apart from the travels, whose rows are read for lists.
    private static let tracks = """
        CREATE TABLE track (
            travel uuid PRIMARY KEY REFERENCES travel (id) ON DELETE CASCADE,
            way bytea NOT NULL CHECK (length(way) >= 6)
        );
        """

    /// Allows the region 17, abroad.
    private static let abroad = """
        ALTER TABLE travel
            DROP CONSTRAINT travel_region_check, ADD CONSTRAINT travel_region_check CHECK (region BETWEEN 0 AND 17);
        """

    /// Allows a place without coordinates: one of which only the name is known.
    private static let placesByName = """
        ALTER TABLE entry
            DROP CONSTRAINT entry_check,
            ADD CHECK (num_nulls(place_name, place_address) IN (0, 2)),
            ADD CHECK (num_nulls(latitude, longitude) IN (0, 2)),
            ADD CHECK (latitude IS NULL OR place_name IS NOT NULL);
        """

    /// Orders travels by their first days, of which `travel_rank` has a copy. The indexes from which other searches
    /// are answered include it as well.
    private static let dates = """
        ALTER TABLE travel_rank ADD COLUMN first_day integer;
        UPDATE travel_rank SET first_day = travel.first_day FROM travel WHERE travel.id = travel_rank.travel;
        ALTER TABLE travel_rank ALTER first_day SET NOT NULL;
        CREATE INDEX rank_by_date
            ON travel_rank (first_day, created_at, travel) INCLUDE (traits, signature, author, report_count);
        ALTER TABLE travel_rank DROP CONSTRAINT travel_rank_pkey;
        ALTER TABLE travel_rank ADD PRIMARY KEY (travel)
            INCLUDE (created_at, like_count, first_day, traits, signature, author, report_count);
        DROP INDEX rank_author, rank_cell;
        CREATE INDEX rank_author ON travel_rank (author, created_at, travel)
            INCLUDE (like_count, first_day, traits, signature, report_count);
        CREATE INDEX rank_cell ON travel_rank (cell)
            INCLUDE (created_at, travel, like_count, first_day, traits, signature, author, report_count);
        """

    /// The content of a travel, which changes rarely and has large rows and a large index, is stored apart from
    /// what orders and filters travels, which changes with each like (`travel_rank`).
    ///
    /// Both orders of `travel_rank` include the columns that a search filters by; `SearchMigration` adds the
    /// columns and indexes for keywords. `cover` is the first image. Everything that belongs to a travel refers to
    /// it by `travel`, by which it could be distributed over several servers.
    private static let travels = """
        CREATE TABLE person (
            id uuid PRIMARY KEY,
            nickname text NOT NULL CHECK (length(nickname) >= 2),
            nickname_key text NOT NULL CHECK (nickname_key <> '')
        );
        CREATE INDEX person_nickname ON person (nickname_key);

        CREATE TABLE avatar (
            id uuid PRIMARY KEY,
            person uuid NOT NULL UNIQUE REFERENCES person (id),
            bytes bytea NOT NULL CHECK (length(bytes) BETWEEN 1 AND 10485760)
        );
        ALTER TABLE avatar ALTER bytes SET STORAGE EXTERNAL;

        CREATE TABLE travel (
            id uuid PRIMARY KEY,
            author uuid NOT NULL REFERENCES person (id),
            created_at double precision NOT NULL,
            updated_at double precision,
            version bigint NOT NULL CHECK (version >= 1),
            title text NOT NULL CHECK (title <> ''),
            region smallint NOT NULL CHECK (region BETWEEN 0 AND 16),
            first_day integer NOT NULL CHECK (first_day BETWEEN -719162 AND 2932896),
            last_day integer NOT NULL CHECK (last_day BETWEEN first_day AND 2932896),
            themes integer NOT NULL CHECK (themes BETWEEN 0 AND 511),
            companions integer NOT NULL CHECK (companions BETWEEN 0 AND 15),
            headcount smallint CHECK (headcount BETWEEN 0 AND 4),
            budget smallint CHECK (budget BETWEEN 0 AND 3),
            transportation smallint CHECK (transportation BETWEEN 0 AND 1),
            thumbnail uuid,
            cover uuid,
            grams integer[] NOT NULL
        );
        CREATE INDEX travel_author ON travel (author);
        CREATE INDEX travel_title ON travel (title);
        CREATE INDEX travel_grams ON travel USING gin (grams);

        CREATE TABLE travel_rank (
            travel uuid PRIMARY KEY REFERENCES travel (id) ON DELETE CASCADE,
            author uuid NOT NULL,
            created_at double precision NOT NULL,
            like_count integer NOT NULL DEFAULT 0 CHECK (like_count >= 0),
            report_count integer NOT NULL DEFAULT 0 CHECK (report_count >= 0),
            traits bigint NOT NULL
        );
        CREATE INDEX rank_newest ON travel_rank (created_at, travel) INCLUDE (traits, author, report_count);
        CREATE INDEX rank_most_liked
            ON travel_rank (like_count, created_at, travel) INCLUDE (traits, author, report_count);
        CREATE INDEX rank_author ON travel_rank (author, created_at, travel) INCLUDE (traits, report_count);

        CREATE TABLE liked (
            travel uuid NOT NULL REFERENCES travel (id) ON DELETE CASCADE,
            person uuid NOT NULL REFERENCES person (id),
            PRIMARY KEY (travel, person)
        );
        CREATE INDEX liked_person ON liked (person, travel);

        CREATE TABLE reported (
            travel uuid NOT NULL REFERENCES travel (id) ON DELETE CASCADE,
            person uuid NOT NULL REFERENCES person (id),
            PRIMARY KEY (travel, person)
        );
        CREATE INDEX reported_person ON reported (person, travel);

        CREATE TABLE blocked (
            person uuid NOT NULL REFERENCES person (id),
            author uuid NOT NULL REFERENCES person (id) CHECK (author <> person),
            PRIMARY KEY (person, author)
        );
        CREATE INDEX blocked_author ON blocked (author);

        CREATE TABLE image (
            id uuid PRIMARY KEY,
            travel uuid NOT NULL REFERENCES travel (id) ON DELETE CASCADE,
            bytes bytea NOT NULL CHECK (length(bytes) BETWEEN 1 AND 10485760)
        );
        ALTER TABLE image ALTER bytes SET STORAGE EXTERNAL;
        CREATE INDEX image_travel ON image (travel);

        CREATE TABLE entry (
            id uuid PRIMARY KEY,
            travel uuid NOT NULL REFERENCES travel (id) ON DELETE CASCADE,
            day integer NOT NULL CHECK (day >= 1),
            minutes smallint NOT NULL CHECK (minutes BETWEEN 0 AND 1439),
            title text NOT NULL CHECK (title <> ''),
            text text NOT NULL CHECK (text <> ''),
            place_name text CHECK (place_name <> ''),
            place_address text,
            latitude double precision CHECK (latitude BETWEEN -90 AND 90),
            longitude double precision CHECK (longitude BETWEEN -180 AND 180),
            image uuid,
            CHECK (num_nulls(place_name, place_address, latitude, longitude) IN (0, 4))
        );
        CREATE INDEX entry_travel ON entry (travel, day, minutes, id);
        """
}

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

extension TraitLayout {
    /// The value at `position`.
    ///
    /// - Throws: `PostgreSQLError` when this version has no value at that position.
    static func value<Value>(_ position: Int, in list: [Value]) throws -> Value {
        if let value = value(at: position, in: list) { return value }
        throw PostgreSQLError(.mismatch, "unknown \(Value.self) number \(position)")
    }
}
#endif
