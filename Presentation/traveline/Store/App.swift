import Foundation
import TravelDataFiles
import TravelDataInMemory
import TravelDataSQLite
import TravelDomain
import TravelPresentation

/// The composition root: everything that commands and screens need, made once.
struct App: Sendable {
    /// The database in use.
    let database: TravelDatabase
    /// Who is signed in: on this device, or for this command.
    let session: any SessionRepository
    /// The account that signing in leads to.
    let identity: any IdentityProvider
    /// The language of the person.
    let language: Language

    /// Where travels are stored.
    var store: any TravelStore { database.travels }
    /// The directory of places.
    var places: any PlaceRepository { KoreanPlaces() }
    /// The reader of when photos were taken.
    static var photoDates: any PhotoDating { ExifReader() }
    /// The clock.
    var now: @Sendable () -> Date { { Date() } }

    /// Runs `work` with the database at `path`, or the person's own, and closes it, so that its one file holds everything.
    ///
    /// A database that does not exist yet is created and filled with sample trips. The first use of a database signs the
    /// person of the device in.
    static func run<Value>(_ options: StoreOptions, _ work: (App) async throws -> Value) async throws -> Value {
        let language = options.language ?? Standard.language
        let path = try options.database ?? DataDirectory.databasePath(in: ProcessInfo.processInfo.environment)
        return try await FileError.naming(path, in: language) {
            if !FileManager.default.fileExists(atPath: path) {
                let isNamed = options.database != nil
                let isNew = try await SampleDatabase(path: path, makesFolders: !isNamed).create()
                if isNamed, isNew {
                    Standard.note(
                        language.say(
                            "\(path): there was no such file; a new database was created",
                            "\(path): 파일이 없어서 새 데이터베이스를 만들었습니다"))
                }
            }
            let database = try await TravelDatabase.open(path: path)
            do {
                let value = try await work(try await App(database, as: options.account, in: language))
                await database.close()
                return value
            } catch {
                await database.close()
                throw error
            }
        }
    }

    /// Composes the parts; with an account, that account acts, even if another one is signed in on the device.
    private init(_ database: TravelDatabase, as account: String?, in language: Language) async throws {
        self.database = database
        self.language = language
        if let account {
            let (user, nickname) = try LocalIdentity.account(named: account)
            identity = LocalIdentity(user)
            session = InMemorySession(device: user)
            try await signIn(as: nickname)
        } else {
            let isNew = !LocalIdentity.isStored(in: ProcessInfo.processInfo.environment)
            let device = try await Self.device(of: database)
            identity = device
            session = RefreshingSession(database.session, identity: device, now: { Date() })
            // Earlier versions had no sessions: their person has an account without ever having signed in.
            try await signInForTheFirstTime(
                device.user, despiteAccount: isNew && device.user == LocalIdentity.ofEarlierVersions)
        }
    }

    /// Signs the account of ``identity`` in; a new one gets that nickname.
    @discardableResult
    func signIn(as nickname: Nickname) async throws -> User {
        try await signIn(as: nickname, identity)
    }

    /// Signs the account of `identity` in; a new one gets that nickname.
    ///
    /// - Throws: `CommandError` when somebody else has the nickname.
    @discardableResult
    func signIn(as nickname: Nickname, _ identity: any IdentityProvider) async throws -> User {
        do {
            return try await SignIn(identity: identity, users: store, session: session)(as: nickname)
        } catch TravelError.conflict(.user) {
            throw CommandError(
                language.say(
                    "someone else has the nickname '\(nickname)'; choose another name",
                    "'\(nickname)'은(는) 다른 사람의 별명입니다. 다른 이름을 고르세요"), .dataError)
        }
    }

    /// Signs the person of the device in, unless they have an account: then they may have signed out.
    private func signInForTheFirstTime(_ person: User.ID, despiteAccount: Bool) async throws {
        guard try await session.session() == nil else { return }
        if !despiteAccount, try await Self.hasAccount(person, in: store) { return }
        do {
            try await signInOnDevice(identity)
        } catch TravelError.unavailable {
            // What can be read is shown without an account.
        }
    }

    private static func hasAccount(_ person: User.ID, in store: any UserRepository) async throws -> Bool {
        do {
            _ = try await store.user(person)
            return true
        } catch TravelError.notFound {
            return false
        }
    }

    /// Signs the person of the device in, with the first nickname that nobody else has if they are new.
    @discardableResult
    func signInOnDevice(_ identity: any IdentityProvider) async throws -> User {
        for nickname in try LocalIdentity.deviceNicknames {
            do {
                return try await SignIn(identity: identity, users: store, session: session)(as: nickname)
            } catch TravelError.conflict(.user) {
                continue
            }
        }
        return try await signIn(as: Nickname("나그네100"), identity)
    }

    /// The person of the device; without a data directory, that of the database.
    ///
    /// A device without an ID whose database was written by an earlier version keeps the person of that version, so that
    /// their trips stay theirs.
    static func device(of database: TravelDatabase) async throws -> LocalIdentity {
        let earlier = try await personOfEarlierVersions(in: database)
        do {
            return try LocalIdentity.device(in: ProcessInfo.processInfo.environment, new: earlier ?? User.ID())
        } catch {
            return LocalIdentity(try await database.session.identify().user)
        }
    }

    private static func personOfEarlierVersions(in database: TravelDatabase) async throws -> User.ID? {
        guard let id = LocalIdentity.ofEarlierVersions else { return nil }
        return try await hasAccount(id, in: database.travels) ? id : nil
    }
}
