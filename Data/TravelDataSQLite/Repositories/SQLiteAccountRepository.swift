internal import SQLiteStore
internal import TravelDataShared
public import TravelDomain

/// Stores the accounts of a server and the devices that are signed in, in the SQLite file of a ``TravelDatabase``.
///
/// A backup of the file contains them. `traveline copy` takes the accounts along, but no devices: people sign in
/// again.
public struct SQLiteAccountRepository: AccountRepository {
    private let database: Database

    init(_ database: Database) {
        self.database = database
    }

    public func addAccount(
        _ user: User, password: PasswordHash, at time: Date, invitation: TokenDigest?
    ) async throws {
        let account = StoredAccount(password, since: time.timeIntervalSinceReferenceDate)
        try await database.writeMappingErrors { db in
            try AccountRecord.insert(account, of: UserRecord.insert(user, db), db)
            guard let invitation else { return }
            let use: SQL = "DELETE FROM invitation WHERE digest = \(invitation.bytes)"
            guard try db.execute(use) == 1 else { throw TravelError.invalid(.noInvitation) }
        }
    }

    public func addInvitations(_ invitations: [TokenDigest], at time: Date) async throws {
        let seconds = time.timeIntervalSinceReferenceDate
        try await database.writeMappingErrors { db in
            for invitation in invitations {
                try db.execute(
                    """
                    INSERT OR IGNORE INTO invitation (digest, made_at) VALUES (\(invitation.bytes), \(seconds))
                    """)
            }
        }
    }

    public func hasInvitation(_ invitation: TokenDigest) async throws -> Bool {
        let exists: SQL = "SELECT EXISTS (SELECT 1 FROM invitation WHERE digest = \(invitation.bytes))"
        return try await database.readMappingErrors { db in try db.fetchOne(Bool.self, exists) == true }
    }

    public func account(named nickname: Nickname) async throws -> Account? {
        let isLike: SQL = "nickname_key = \(CharacterKey.nickname(nickname))"
        return try await database.readMappingErrors { db in
            try AccountRecord.accounts(isLike, db).first { $0.user.nickname.folded == nickname.folded }
        }
    }

    public func account(of user: User.ID) async throws -> Account? {
        try await database.readMappingErrors { db in
            try AccountRecord.accounts("app_user.id = \(user)", db).first
        }
    }

    public func setPassword(
        _ password: PasswordHash, replacing former: PasswordHash, of user: User.ID
    ) async throws {
        try await database.writeMappingErrors { db in
            let key = try AccountRecord.requireKey(of: user, with: former, db)
            try db.execute("UPDATE account SET password = \(password.text) WHERE app_user = \(key)")
            try db.execute("DELETE FROM device WHERE account = \(key)")
        }
    }

    public func rehash(_ password: PasswordHash, replacing former: PasswordHash, of user: User.ID) async throws {
        try await database.writeMappingErrors { db in
            let key: SQL = "SELECT key FROM app_user WHERE id = \(user)"
            try db.execute(
                "UPDATE account SET password = \(password.text) WHERE app_user = (\(key)) AND password = \(former.text)"
            )
        }
    }

    public func addDevice(_ device: SignedInDevice, provenBy password: PasswordHash) async throws {
        try await database.writeMappingErrors { db in
            let key = try AccountRecord.requireKey(of: device.user, with: password, db)
            try AccountRecord.requireNotBlocked(key, of: device.user, db)
            try DeviceRecord.insert(device, account: key, db)
        }
    }

    public func device(withAccess digest: TokenDigest) async throws -> SignedInDevice? {
        try await database.readMappingErrors { db in
            try db.fetchOne(DeviceRecord.self, DeviceRecord.select("access = \(digest.bytes)"))?.device
        }
    }

    public func renewDevice(
        _ refresh: TokenDigest, at now: Date, with tokens: DeviceTokens
    ) async throws -> Renewal {
        let time = now.timeIntervalSinceReferenceDate
        return try await database.writeMappingErrors { db in
            let current = DeviceRecord.select("refresh = \(refresh.bytes) AND refresh_expires_at > \(time)")
            if let record = try db.fetchOne(DeviceRecord.self, current) {
                let users = try UserRecord.users("app_user.id = \(record.device.user)", db)
                guard let user = users.first else { return .unknown }
                if try DeviceRecord.isKnown(refresh: tokens.refresh, db) {
                    try db.execute("DELETE FROM device WHERE key = \(record.key)")
                    return .reused(record.device.id)
                }
                return .renewed(try DeviceRecord.renew(record, with: tokens, db), of: user)
            }
            let used: SQL = """
                SELECT device FROM used_refresh WHERE digest = \(refresh.bytes) AND expires_at > \(time)
                """
            let repeated = DeviceRecord.select(
                """
                device.key = (\(used)) AND refresh = \(tokens.refresh.bytes) AND refresh_expires_at > \(time)
                AND NOT EXISTS (
                    SELECT 1 FROM used_refresh AS later JOIN used_refresh AS this ON this.digest = \(refresh.bytes)
                    WHERE later.device = device.key AND later.expires_at > this.expires_at)
                """)
            if let record = try db.fetchOne(DeviceRecord.self, repeated) {
                let users = try UserRecord.users("app_user.id = \(record.device.user)", db)
                guard let user = users.first else { return .unknown }
                return .renewed(try DeviceRecord.replaceTokens(of: record, by: tokens, db), of: user)
            }
            let removed = try db.fetchOne("DELETE FROM device WHERE key = (\(used)) RETURNING id") { row in
                try row[0] as SignedInDevice.ID
            }
            return removed.map { .reused($0) } ?? .unknown
        }
    }

    public func removeDevice(_ id: SignedInDevice.ID) async throws {
        try await database.writeMappingErrors { db in
            _ = try db.execute("DELETE FROM device WHERE id = \(id)")
        }
    }

    public func removeExpiredDevices(at now: Date) async throws {
        let time = now.timeIntervalSinceReferenceDate
        try await database.writeMappingErrors { db in
            try db.execute("DELETE FROM device WHERE refresh_expires_at <= \(time)")
            try db.execute("DELETE FROM used_refresh WHERE expires_at <= \(time)")
        }
    }
}
