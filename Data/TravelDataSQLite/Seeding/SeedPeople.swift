internal import SQLiteStore
import TravelDomain

/// Adds seeded people to a database.
enum SeedPeople {
    /// Inserts the people who do not exist yet, and returns the keys of all.
    ///
    /// A person whose nickname is taken gets a free one of the same pattern, so that nicknames stay unique.
    ///
    /// - Throws: `TravelError.conflict` when every nickname of that pattern is taken.
    static func save(_ people: [User], _ db: Connection) throws -> [Int64] {
        try zip(1..., people).map { number, person in
            if let key = try PersonRecord.key(of: person.id, db) { return key }
            let nickname = try freeNickname(of: person, number: number, among: people.count, db)
            return try PersonRecord.save(User(id: person.id, nickname: nickname), db)
        }
    }

    /// A free nickname for `person`: their own, or a name with `number` or with a number that none of the `count`
    /// people uses.
    private static func freeNickname(
        of person: User, number: Int, among count: Int, _ db: Connection
    ) throws -> Nickname {
        func isFree(_ nickname: Nickname) throws -> Bool {
            try PersonRecord.holder(of: nickname, except: person.id, db) == nil
        }
        if try isFree(person.nickname) { return person.nickname }
        // Even the shortest names, of two characters, are too long with greater numbers.
        for number in stride(from: number, to: 100_000_000, by: count) {
            for name in SeedWords.names where "\(name)\(number)".count <= Nickname.length.upperBound {
                let nickname = try Nickname("\(name)\(number)")
                if try isFree(nickname) { return nickname }
            }
        }
        throw TravelError.conflict(.user(person.id))
    }
}
