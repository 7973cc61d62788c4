internal import SQLiteStore
import TravelDomain
internal import TravelSamples

/// Adds generated people to a database.
enum SeedPeople {
    /// Inserts the people of `source` who do not exist yet, and returns the keys of all.
    ///
    /// A person whose nickname is taken gets a free one of the same pattern, so that nicknames stay unique.
    ///
    /// - Throws: `TravelError.conflict` when every nickname of that pattern is taken.
    static func save(_ source: GeneratedTravels, _ db: Connection) throws -> [Int64] {
        try source.people.enumerated().map { index, person in
            if let key = try PersonRecord.key(of: person.id, db) { return key }
            func isFree(_ nickname: Nickname) throws -> Bool {
                try PersonRecord.holder(of: nickname, except: person.id, db) == nil
            }
            if try isFree(person.nickname) { return try PersonRecord.save(person, db) }
            for nickname in source.nicknames(forPersonAt: index) where try isFree(nickname) {
                return try PersonRecord.save(User(id: person.id, nickname: nickname), db)
            }
            throw TravelError.conflict(.user(person.id))
        }
    }
}
