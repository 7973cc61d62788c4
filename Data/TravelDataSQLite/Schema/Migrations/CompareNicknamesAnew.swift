internal import SQLiteStore
import TravelDomain

/// Writes again what the index stores about nicknames, after the domain has changed how it compares them. What searches
/// store about titles is replaced by ``ReplaceBitmapsWithRowSets``.
enum CompareNicknamesAnew {
    static func run(_ db: Connection) throws {
        let rows = try db.fetchAll("SELECT key, nickname FROM person") { row in
            (key: try row[0] as Int64, nickname: try row[1] as String)
        }
        for row in rows {
            // A nickname that breaks a rule is reported when it is read.
            guard let nickname = try? Nickname(row.nickname) else { continue }
            let key = PersonRecord.nicknameKey(of: nickname)
            try db.execute(
                "UPDATE person SET nickname_key = \(key) WHERE key = \(row.key) AND nickname_key <> \(key)")
        }
    }
}
