#if PostgreSQL
internal import PostgreSQLStore
internal import TravelDataShared
public import TravelDomain

/// Stores the accounts of a server and the devices that are signed in, in a ``PostgreSQLTravelDatabase``.
///
/// Any number of servers can use the same database. `traveline copy` takes the accounts along, but no devices: people sign
/// in again.
public struct PostgreSQLAccountRepository: AccountRepository {
    private let database: Database

    init(_ database: Database) {
        self.database = database
    }

    public func addAccount(
        _ user: User, password: PasswordHash, at time: Date, invitation: TokenDigest?
    ) async throws {
        let account = StoredAccount(password, since: time.timeIntervalSinceReferenceDate)
        try await write(isolation: .serializable) { db in
            try UserRecord.insert(user, db)
            try AccountRecord.insert(account, of: user.id, db)
            guard let invitation else { return }
            let use: SQL = "DELETE FROM invitation WHERE digest = \(invitation.bytes)"
            guard try db.execute(use) == 1 else { throw TravelError.invalid(.noInvitation) }
        }
    }

    public func addInvitations(_ invitations: [TokenDigest], at time: Date) async throws {
        let seconds = time.timeIntervalSinceReferenceDate
        try await write { db in
            for invitation in invitations {
                try db.execute(
                    """
                    INSERT INTO invitation (digest, made_at) VALUES (\(invitation.bytes), \(seconds)) ON CONFLICT DO NOTHING
                    """)
            }
        }
    }

    public func hasInvitation(_ invitation: TokenDigest) async throws -> Bool {
        let exists: SQL = "SELECT EXISTS (SELECT 1 FROM invitation WHERE digest = \(invitation.bytes))"
        return try await run { db in try db.fetchOne(Bool.self, exists) == true }
    }

    public func account(named nickname: Nickname) async throws -> Account? {
        let isLike: SQL = "nickname_key = \(CharacterKey.nickname(nickname))"
        return try await run { db in
            try AccountRecord.accounts(isLike, db).first { $0.user.nickname.folded == nickname.folded }
        }
    }

    public func account(of user: User.ID) async throws -> Account? {
        try await run { db in try AccountRecord.accounts("app_user.id = \(user)", db).first }
    }

    public func setPassword(
        _ password: PasswordHash, replacing former: PasswordHash, of user: User.ID
    ) async throws {
        try await write { db in
            // The lock orders this and other sign-ins.
            try AccountRecord.require(user, with: former, "FOR UPDATE", db)
            try db.execute("UPDATE account SET password = \(password.text) WHERE app_user = \(user)")
            try db.execute("DELETE FROM device WHERE account = \(user)")
        }
    }

    public func rehash(_ password: PasswordHash, replacing former: PasswordHash, of user: User.ID) async throws {
        try await write { db in
            _ = try db.execute(
                """
                UPDATE account SET password = \(password.text)
                WHERE app_user = \(user) AND password = \(former.text)
                """)
        }
    }

    public func addDevice(_ device: SignedInDevice, provenBy password: PasswordHash) async throws {
        try await write { db in
            try AccountRecord.require(device.user, with: password, "FOR SHARE", db)
            try AccountRecord.requireNotBlocked(device.user, db)
            try DeviceRecord.insert(device, db)
        }
    }

    public func device(withAccess digest: TokenDigest) async throws -> SignedInDevice? {
        try await run { db in
            try db.fetchOne("\(DeviceRecord.select) WHERE access = \(digest.bytes)", DeviceRecord.device)
        }
    }

    public func renewDevice(
        _ refresh: TokenDigest, at now: Date, with tokens: DeviceTokens
    ) async throws -> Renewal {
        let time = now.timeIntervalSinceReferenceDate
        return try await write { db in
            // Of two at once, the second waits for the first, and then finds another token in the row.
            let current: SQL = """
                \(DeviceRecord.select) WHERE refresh = \(refresh.bytes) AND refresh_expires_at > \(time) FOR UPDATE
                """
            if let device = try db.fetchOne(current, DeviceRecord.device) {
                guard let user = try UserRecord.find(device.user, db) else { return .unknown }
                if try DeviceRecord.isKnown(refresh: tokens.refresh, db) {
                    _ = try db.execute("DELETE FROM device WHERE id = \(device.id)")
                    return .reused(device.id)
                }
                return .renewed(try DeviceRecord.renew(device, with: tokens, db), of: user)
            }
            // A statement of its own, which sees what the first one has committed.
            let used: SQL = """
                SELECT device FROM used_refresh WHERE digest = \(refresh.bytes) AND expires_at > \(time)
                """
            let repeated: SQL = """
                \(DeviceRecord.select) WHERE id = (\(used)) AND refresh = \(tokens.refresh.bytes)
                AND refresh_expires_at > \(time) AND NOT EXISTS (
                    SELECT FROM used_refresh AS later JOIN used_refresh AS this ON this.digest = \(refresh.bytes)
                    WHERE later.device = device.id AND later.expires_at > this.expires_at)
                FOR UPDATE OF device
                """
            if let device = try db.fetchOne(repeated, DeviceRecord.device) {
                guard let user = try UserRecord.find(device.user, db) else { return .unknown }
                return .renewed(try DeviceRecord.replaceTokens(of: device, by: tokens, db), of: user)
            }
            let removed = try db.fetchOne(
                SignedInDevice.ID.self, "DELETE FROM device WHERE id = (\(used)) RETURNING id")
            return removed.map { .reused($0) } ?? .unknown
        }
    }

    public func removeDevice(_ id: SignedInDevice.ID) async throws {
        try await run { db in
            _ = try db.execute("DELETE FROM device WHERE id = \(id)")
        }
    }

    public func removeExpiredDevices(at now: Date) async throws {
        let time = now.timeIntervalSinceReferenceDate
        try await write { db in
            try db.execute("DELETE FROM device WHERE refresh_expires_at <= \(time)")
            try db.execute("DELETE FROM used_refresh WHERE expires_at <= \(time)")
        }
    }

    /// Runs one statement, which takes one round trip.
    private func run<Value: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        try await mappingErrors { try await database.writeWithoutTransaction(body) }
    }

    /// Runs a transaction that changes nothing that observers of trips see.
    private func write<Value: Sendable>(
        isolation: Database.Isolation = .readCommitted, _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        try await mappingErrors { try await database.write(isolation: isolation, body) }
    }
}

enum AccountRecord {
    /// Inserts the account of a user, unless they have one.
    static func insert(_ account: StoredAccount, of user: User.ID, _ db: Connection) throws {
        try db.execute(
            """
            INSERT INTO account (app_user, password, since, blocked_at)
            VALUES (\(user), \(account.password.text), \(account.since), \(account.blockedAt)) ON CONFLICT DO NOTHING
            """)
    }

    /// The accounts whose people meet `condition`.
    static func accounts(_ condition: SQL, _ db: Connection) throws -> [Account] {
        try db.fetchAll(
            """
            SELECT app_user.id, nickname, avatar.id, password FROM app_user JOIN account ON account.app_user = app_user.id
            LEFT JOIN avatar ON avatar.app_user = app_user.id WHERE \(condition) ORDER BY app_user.id
            """
        ) { try $0.read { try Account(user: UserRecord.user(&$0), password: $0.next() as String) } }
    }

    /// The accounts of those people, where they have one.
    static func stored(_ users: [User.ID], _ db: Connection) throws -> [User.ID: StoredAccount] {
        let accounts = try db.fetchAll(
            "SELECT app_user, password, since, blocked_at FROM account WHERE app_user = ANY(\(users))"
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

    /// Throws `TravelError.forbidden` if the owner of the store has blocked the account.
    static func requireNotBlocked(_ user: User.ID, _ db: Connection) throws {
        let isBlocked: SQL = "SELECT blocked_at IS NOT NULL FROM account WHERE app_user = \(user)"
        if try db.fetchOne(Bool.self, isBlocked) == true { throw TravelError.forbidden(.user(user)) }
    }

    /// Locks the row.
    ///
    /// - Throws: `TravelError.notFound` when the user has no account; `TravelError.wrongCredentials` when it has another
    ///   password.
    static func require(_ user: User.ID, with password: PasswordHash, _ lock: SQL, _ db: Connection) throws {
        let current = try db.fetchOne(
            String.self, "SELECT password FROM account WHERE app_user = \(user) \(lock)")
        guard let current else { throw TravelError.notFound(.user(user)) }
        guard current == password.text else { throw TravelError.wrongCredentials }
    }
}

enum DeviceRecord {
    /// Selects devices for ``device(row:)``.
    static let select: SQL = """
        SELECT id, account, access, access_expires_at, refresh, refresh_expires_at FROM device
        """

    static func device(row: borrowing Row) throws -> SignedInDevice {
        try row.read { columns in
            try SignedInDevice(
                id: columns.next(), user: columns.next(), access: columns.next(), accessExpiresAt: columns.next(),
                refresh: columns.next(), refreshExpiresAt: columns.next())
        }
    }

    static func insert(_ device: SignedInDevice, _ db: Connection) throws {
        let tokens = device.tokens
        try db.execute(
            """
            INSERT INTO device (id, account, access, access_expires_at, refresh, refresh_expires_at)
            VALUES (
                \(device.id), \(device.user),
                \(tokens.access.bytes), \(tokens.accessExpiresAt.timeIntervalSinceReferenceDate),
                \(tokens.refresh.bytes), \(tokens.refreshExpiresAt.timeIntervalSinceReferenceDate))
            """)
    }

    /// Replaces the tokens of a device, whose row is locked, and keeps the digest of the refresh token that was used.
    static func renew(_ device: SignedInDevice, with tokens: DeviceTokens, _ db: Connection) throws -> SignedInDevice {
        let former = device.tokens
        try db.execute(
            """
            INSERT INTO used_refresh (digest, device, expires_at) VALUES (
                \(former.refresh.bytes), \(device.id),
                \(former.refreshExpiresAt.timeIntervalSinceReferenceDate))
            """)
        return try replaceTokens(of: device, by: tokens, db)
    }

    /// Whether a device has or had a refresh token with that digest.
    static func isKnown(refresh: TokenDigest, _ db: Connection) throws -> Bool {
        let known: SQL = """
            SELECT EXISTS (SELECT FROM used_refresh WHERE digest = \(refresh.bytes))
                OR EXISTS (SELECT FROM device WHERE refresh = \(refresh.bytes))
            """
        return try db.fetchOne(Bool.self, known) ?? false
    }

    /// Replaces the tokens of a device, whose row is locked.
    static func replaceTokens(
        of device: SignedInDevice, by tokens: DeviceTokens, _ db: Connection
    ) throws -> SignedInDevice {
        try db.execute(
            """
            UPDATE device SET access = \(tokens.access.bytes), refresh = \(tokens.refresh.bytes),
                access_expires_at = \(tokens.accessExpiresAt.timeIntervalSinceReferenceDate),
                refresh_expires_at = \(tokens.refreshExpiresAt.timeIntervalSinceReferenceDate)
            WHERE id = \(device.id)
            """)
        return SignedInDevice(id: device.id, user: device.user, tokens: tokens)
    }
}
#endif
