import Foundation
import SQLiteStore
import SQLiteStoreTesting
import TestConcurrency
import Testing
import TravelDataShared
import TravelDomain
import TravelDomainTesting

@testable import TravelDataSQLite

@Suite("Accounts in a file", .limitedConcurrency)
struct AccountTests {
    private let now = Date(timeIntervalSinceReferenceDate: 757_382_400)
    private let hash = PasswordHash(seed: 1)

    /// Adds the account and the device of seed 1.
    private func signIn(to database: TravelDatabase) async throws -> SignedInDevice {
        let user = try User(seed: 1)
        try await database.accounts.addAccount(user, password: hash)
        let device = try SignedInDevice(seed: 1, user: user.id, at: now)
        try await database.accounts.addDevice(device, provenBy: hash)
        return device
    }

    @Test("a token finds its device by an index, and nothing that accounts do reads a whole table")
    func plans() async throws {
        try await withTemporaryDatabase(migrations: TravelSchema.migrations) { database in
            try await database.read { db in
                let digest = TokenDigest(seed: 1).bytes
                let lookup = try db.queryPlan(DeviceRecord.select("access = \(digest)"))
                try lookup.require(.noFullScan, .noAutomaticIndex)
                #expect(lookup.steps.count == 2, "\(lookup.steps)")
                for statement: SQL in [
                    DeviceRecord.select("refresh = \(digest) AND refresh_expires_at > 1"),
                    "SELECT device FROM used_refresh WHERE digest = \(digest) AND expires_at > 1",
                    "DELETE FROM device WHERE refresh_expires_at <= 1",
                    "DELETE FROM used_refresh WHERE expires_at <= 1", "DELETE FROM device WHERE account = 1",
                    "SELECT 1 FROM used_refresh WHERE device = 1",
                    """
                    SELECT 1 FROM app_user JOIN account ON account.app_user = key
                    LEFT JOIN avatar ON avatar.app_user = key WHERE nickname_key = 'mina'
                    """,
                    "SELECT id FROM app_user WHERE \(UserRecord.mayLookLike(try Nickname("mina")))",
                ] {
                    try db.queryPlan(statement).require(.noFullScan, .noAutomaticIndex)
                }
            }
        }
    }

    @Test("a file without accounts is migrated, and keeps its people, who have none")
    func migration() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/trips.db"
            let old = try await Database.open(
                .file(path), configuration: Database.Configuration().with { $0.journalMode = .writeAheadLog },
                migrations: Array(TravelSchema.migrations.prefix(1)))
            try await old.write { db in
                try db.execute(
                    """
                    INSERT INTO app_user (id, nickname, nickname_key)
                    VALUES (\(User.ID(seed: 9)), 'Mina', \(CharacterKey.nickname(Nickname("Mina"))))
                    """)
            }
            await old.close()
            let database = try await TravelDatabase.open(path: path)
            #expect(try await database.trips.user(User.ID(seed: 9)).nickname.text == "Mina")
            #expect(try await database.accounts.account(of: User.ID(seed: 9)) == nil)
            await #expect(throws: TravelError.conflict(.user(User.ID(seed: 9)))) {
                try await database.accounts.addAccount(User(seed: 2, nickname: "mina"), password: hash)
            }
            let device = try await signIn(to: database)
            #expect(try await database.accounts.device(withAccess: device.tokens.access) == device)
            await database.close()
        }
    }

    @Test("people of a file from before nicknames were compared by skeletons keep theirs, which nobody else gets")
    func skeletons() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/trips.db"
            let old = try await Database.open(
                .file(path), configuration: Database.Configuration().with { $0.journalMode = .writeAheadLog },
                migrations: Array(TravelSchema.migrations.prefix { $0.name != "nickname skeletons" }))
            let names = ["mina", "rnina", "Мила", "민지"]
            try await old.write { db in
                for (seed, name) in zip(UInt64(1)..., names) {
                    let nickname = try Nickname(name)
                    try db.execute(
                        """
                        INSERT INTO app_user (key, id, nickname, nickname_key)
                        VALUES (\(Int64(seed)), \(User.ID(seed: seed)), \(name), \(CharacterKey.nickname(nickname)))
                        """)
                    try db.execute(
                        "INSERT INTO account (app_user, password) VALUES (\(Int64(seed)), \(PasswordHash(seed: seed).text))"
                    )
                }
            }
            await old.close()
            let database = try await TravelDatabase.open(path: path)
            for (seed, name) in zip(UInt64(1)..., names) {
                let account = try await database.accounts.account(named: Nickname(name))
                #expect(account?.user.id == User.ID(seed: seed) && account?.password == PasswordHash(seed: seed))
            }
            for (name, holder) in [("MlNA", UInt64(1)), ("RNINA", 1), ("Mила", 3)] {
                let holders = holder == 1 ? [User.ID(seed: 1), User.ID(seed: 2)] : [User.ID(seed: holder)]
                await #expect {
                    try await database.accounts.addAccount(User(seed: 9, nickname: name), password: hash)
                } throws: { error in
                    holders.contains { error as? TravelError == .conflict(.user($0)) }
                }
            }
            // They may keep what they have, and look alike from then on.
            try await database.trips.rename(User.ID(seed: 1), to: Nickname("minho"), by: User.ID(seed: 1))
            await #expect(throws: TravelError.conflict(.user(User.ID(seed: 2)))) {
                try await database.trips.rename(User.ID(seed: 1), to: Nickname("mina"), by: User.ID(seed: 1))
            }
            await database.close()
        }
    }

    @Test("accounts, devices and used tokens survive a restart, and are part of a backup")
    func restart() async throws {
        try await withTemporaryFolder { folder in
            let first = try await TravelDatabase.open(path: folder + "/trips.db")
            let device = try await signIn(to: first)
            let tokens = try DeviceTokens(seed: 2, at: now)
            _ = try await first.accounts.renewDevice(device.tokens.refresh, at: now, with: tokens)
            try await first.backup(to: folder + "/backup.db")
            await first.close()
            for name in ["trips.db", "backup.db"] {
                let database = try await TravelDatabase.open(path: folder + "/" + name)
                #expect(try await database.accounts.account(named: Nickname("person 1"))?.password == hash)
                #expect(try await database.accounts.device(withAccess: tokens.access)?.id == device.id)
                let renewal = try await database.accounts.renewDevice(
                    device.tokens.refresh, at: now, with: DeviceTokens(seed: 3, at: now))
                #expect(renewal == .reused(device.id))
                await database.close()
            }
        }
    }

    @Test("of renewals with one token by two processes at once, one succeeds")
    func processes() async throws {
        try await withTemporaryFolder { folder in
            let databases = [
                try await TravelDatabase.open(path: folder + "/trips.db"),
                try await TravelDatabase.open(path: folder + "/trips.db"),
            ]
            let device = try await signIn(to: databases[0])
            let renewals = try await withThrowingTaskGroup(of: Renewal.self) { group in
                for number in UInt64(10)..<16 {
                    group.addTask { [now] in
                        try await databases[Int(number % 2)].accounts.renewDevice(
                            device.tokens.refresh, at: now, with: DeviceTokens(seed: number, at: now))
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(renewals.filter { if case .renewed = $0 { true } else { false } }.count == 1)
            #expect(renewals.filter { $0 == .reused(device.id) }.count == 1)
            for database in databases { await database.close() }
        }
    }

    @Test("a stored value that breaks a rule of the domain is reported as damage")
    func damage() async throws {
        let database = try await TravelDatabase.copied()
        let device = try await signIn(to: database)
        try await database.database.write { db in try db.execute("UPDATE account SET password = 'a b'") }
        await #expect(throws: TravelError.unavailable(.invalidValues)) {
            try await database.accounts.account(of: device.user)
        }
        await database.close()
    }
}
