internal import SQLiteStore
internal import TravelDataSQL

/// The migrations of a travel database.
enum TravelSchema {
    /// The `PRAGMA application_id` that identifies a SQLite file as a travel database: "TRVL" in ASCII.
    static let applicationID: Int32 = 0x5452_564C

    /// All migrations, from an empty file to the current schema. A released migration never changes; add a new one.
    static let migrations = [
        Migration("travels, timelines, likes, reports", script: AddTravels.script),
        Migration("recent keywords", script: AddRecentKeywords.script),
        Migration("session", script: AddSession.script),
        Migration("bitmaps", script: AddBitmaps.script),
        Migration("images", script: AddImages.script),
        Migration("levels of likes", script: AddLevelsOfLikes.script),
        Migration("rules", script: AddRules.script),
        Migration("expiry of the session", script: AddExpiryOfSession.script),
        Migration("versions of travels", script: AddVersions.script),
        Migration("searches by person", script: IndexByPerson.script),
        Migration("no reports by authors", script: RejectReportsByAuthors.script),
        Migration("nicknames of any characters", script: AcceptAnyNickname.script),
        Migration("comparison of texts", revision: "1", CompareNicknamesAnew.run),
        Migration("cache of another store", script: AddCacheOfAnotherStore.script),
        Migration("sets of rows", revision: "1", ReplaceBitmapsWithRowSets.run),
        Migration("pictures of people", script: AddPicturesOfPeople.script),
        Migration("people without a profile", script: AddPeopleWithoutProfile.script),
        Migration("order by date", script: IndexByDate.script),
        Migration("places by name", revision: "1", AllowPlacesByName.run),
        Migration("abroad", revision: "1", AddAbroad.run),
        Migration("recorded tracks", script: AddTracks.script),
    ]
}

extension Connection {
    /// A kind of schema object that belongs to a table and can be dropped temporarily.
    enum Attachment: String {
        case trigger, index
    }

    /// Drops these triggers or indexes, calls `body`, and creates them again. If it throws, the enclosing transaction
    /// must be rolled back.
    ///
    /// - Parameter restoring: Called with the 1-based number of each object before it is created again.
    func without(
        _ kind: Attachment, _ names: [String], restoring: (Int) -> Void = { _ in }, _ body: () throws -> Void
    ) throws {
        let definitions = try fetchAll(
            String.self, "SELECT sql FROM sqlite_schema WHERE type = \(kind.rawValue) AND name IN \(names)")
        for name in names { try execute("DROP \(raw: kind.rawValue) \(identifier: name)") }
        try body()
        for (number, definition) in zip(1..., definitions) {
            restoring(number)
            try executeScript(definition)
        }
    }
}

extension TraitLayout {
    /// The value at `position`.
    ///
    /// - Throws: `SQLiteError` when this version has no value at that position.
    static func value<Value>(_ position: Int, in list: [Value]) throws -> Value {
        if let value = value(at: position, in: list) { return value }
        throw SQLiteError(.mismatch, "unknown \(Value.self) number \(position)")
    }
}
