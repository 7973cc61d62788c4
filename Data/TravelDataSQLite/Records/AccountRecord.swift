internal import SQLiteStore
import TravelDataShared
import TravelDomain

enum AccountRecord {
    /// Inserts the account of a user, unless they have one.
    static func insert(_ account: StoredAccount, of user: Int64, _ db: Connection) throws {
        try db.execute(
            """
            INSERT OR IGNORE INTO account (app_user, password, since, blocked_at)
            VALUES (\(user), \(account.password.text), \(account.since), \(account.blockedAt))
            """)
    }

    /// The accounts whose people meet `condition`.
    static func accounts(_ condition: SQL, _ db: Connection) throws -> [Account] {
        try db.fetchAll(
            """
            SELECT app_user.id, nickname, avatar.id, password FROM app_user JOIN account ON account.app_user = key
            LEFT JOIN avatar ON avatar.app_user = key WHERE \(condition) ORDER BY key
            """
        ) { try $0.read { try Account(user: UserRecord.user(&$0), password: $0.next() as String) } }
    }

    /// The accounts of the people who meet `condition`, where they have one.
    static func stored(_ condition: SQL, _ db: Connection) throws -> [User.ID: StoredAccount] {
        let accounts = try db.fetchAll(
            """
            SELECT app_user.id, password, since, blocked_at FROM app_user JOIN account ON account.app_user = key
            WHERE \(condition)
            """
        ) { row in
            try row.read { columns in
                let user: User.ID = try columns.next()
                guard let password = PasswordHash(try columns.next() as String) else {
                    throw TravelError.unavailable(.invalidValues)
                }
                return (user, StoredAccount(password, since: try columns.next(), blockedAt: try columns.next()))
            }
        }
        return Dictionary(uniqueKeysWithValues: accounts)
    }

    /// Throws `TravelError.forbidden` if the owner of the store has blocked the account with the key `key` of `user`.
    static func requireNotBlocked(_ key: Int64, of user: User.ID, _ db: Connection) throws {
        let isBlocked: SQL = "SELECT blocked_at IS NOT NULL FROM account WHERE app_user = \(key)"
        if try db.fetchOne(Bool.self, isBlocked) == true { throw TravelError.forbidden(.user(user)) }
    }

    /// The key of the user.
    ///
    /// - Throws: `TravelError.notFound` when they have no account; `TravelError.wrongCredentials` when it has another
    ///   password.
    static func requireKey(of user: User.ID, with password: PasswordHash, _ db: Connection) throws -> Int64 {
        let account = try db.fetchOne(
            "SELECT key, password FROM app_user JOIN account ON account.app_user = key WHERE id = \(user)"
        ) { try $0.read { (key: try $0.next() as Int64, password: try $0.next() as String) } }
        guard let account else { throw TravelError.notFound(.user(user)) }
        guard account.password == password.text else { throw TravelError.wrongCredentials }
        return account.key
    }
}

struct DeviceRecord: RowDecodable {
    let key: Int64
    let device: SignedInDevice

    static func select(_ condition: SQL) -> SQL {
        """
        SELECT device.key, device.id, app_user.id, access, access_expires_at, refresh, refresh_expires_at
        FROM device JOIN app_user ON app_user.key = device.account WHERE \(condition)
        """
    }

    init(row: borrowing Row) throws {
        (key, device) = try row.read { columns in
            let key: Int64 = try columns.next()
            let device = try SignedInDevice(
                id: columns.next(), user: columns.next(), access: columns.next(), accessExpiresAt: columns.next(),
                refresh: columns.next(), refreshExpiresAt: columns.next())
            return (key, device)
        }
    }

    static func insert(_ device: SignedInDevice, account: Int64, _ db: Connection) throws {
        let tokens = device.tokens
        try db.execute(
            """
            INSERT INTO device (id, account, access, access_expires_at, refresh, refresh_expires_at)
            VALUES (
                \(device.id), \(account),
                \(tokens.access.bytes), \(tokens.accessExpiresAt.timeIntervalSinceReferenceDate),
                \(tokens.refresh.bytes), \(tokens.refreshExpiresAt.timeIntervalSinceReferenceDate))
            """)
    }

    /// Replaces the tokens of a device, and keeps the digest of the refresh token that was used.
    static func renew(_ record: DeviceRecord, with tokens: DeviceTokens, _ db: Connection) throws -> SignedInDevice {
        let former = record.device.tokens
        try db.execute(
            """
            INSERT INTO used_refresh (digest, device, expires_at) VALUES (
                \(former.refresh.bytes), \(record.key), \(former.refreshExpiresAt.timeIntervalSinceReferenceDate))
            """)
        return try replaceTokens(of: record, by: tokens, db)
    }

    /// Whether a device has or had a refresh token with that digest.
    static func isKnown(refresh: TokenDigest, _ db: Connection) throws -> Bool {
        let known: SQL = """
            SELECT EXISTS (SELECT 1 FROM used_refresh WHERE digest = \(refresh.bytes))
                OR EXISTS (SELECT 1 FROM device WHERE refresh = \(refresh.bytes))
            """
        return try db.fetchOne(Bool.self, known) ?? false
    }

    static func replaceTokens(
        of record: DeviceRecord, by tokens: DeviceTokens, _ db: Connection
    ) throws -> SignedInDevice {
        try db.execute(
            """
            UPDATE device SET access = \(tokens.access.bytes), refresh = \(tokens.refresh.bytes),
                access_expires_at = \(tokens.accessExpiresAt.timeIntervalSinceReferenceDate),
                refresh_expires_at = \(tokens.refreshExpiresAt.timeIntervalSinceReferenceDate)
            WHERE key = \(record.key)
            """)
        return SignedInDevice(id: record.device.id, user: record.device.user, tokens: tokens)
    }
}
