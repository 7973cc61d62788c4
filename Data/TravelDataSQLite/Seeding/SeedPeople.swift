internal import SQLiteStore
import TravelDomain

/// Adds seeded people to those of a database.
enum SeedPeople {
    /// Adds those who are not there yet, and returns the keys of all.
    ///
    /// Whose nickname is taken gets one of the same kind that is free, so that nobody has that of another.
    ///
    /// - Throws: `TravelError.conflict` when every nickname of that kind is taken.
    static func save(_ people: [User], _ db: Connection) throws -> [Int64] {
        try zip(1..., people).map { number, person in
            if let key = try PersonRecord.key(of: person.id, db) { return key }
            let nickname = try freeNickname(of: person, number: number, among: people.count, db)
            return try PersonRecord.save(User(id: person.id, nickname: nickname), db)
        }
    }

    /// The nickname of `person`, or another name with `number`, or with a number that none of the `count` has.
    private static func freeNickname(
        of person: User, number: Int, among count: Int, _ db: Connection
    ) throws -> Nickname {
        func isFree(_ nickname: Nickname) throws -> Bool {
            try PersonRecord.holder(of: nickname, except: person.id, db) == nil
        }
        if try isFree(person.nickname) { return person.nickname }
        // With the shortest names, of two characters, greater numbers would be too long.
        for number in stride(from: number, to: 100_000_000, by: count) {
            for name in SeedWords.names where "\(name)\(number)".count <= Nickname.length.upperBound {
                let nickname = try Nickname("\(name)\(number)")
                if try isFree(nickname) { return nickname }
            }
        }
        throw TravelError.conflict(.user(person.id))
    }
}
