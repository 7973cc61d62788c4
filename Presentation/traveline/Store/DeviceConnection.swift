import Foundation
import TravelDataCached
import TravelDataRemote
import TravelDataSQLite
import TravelDomain
import TravelPresentation

/// The server with which this device keeps its trips alike, as `traveline connect` has set it up.
///
/// Everything about it is in the folder `server` of the data directory: the address, the tokens, the trips that the
/// device has seen, and the changes that wait. The user's own database stays as it is.
struct DeviceConnection: Codable, Hashable, Sendable {
    /// The address of the server, which is also the name under which the device knows the place.
    let address: String
    let user: UUID

    struct Files: Sendable {
        let folder: URL
        var connection: URL { folder.appendingPathComponent("connection.json") }
        var tokens: URL { folder.appendingPathComponent("tokens") }
        var cache: URL { folder.appendingPathComponent("cache.sqlite") }
        var outbox: URL { folder.appendingPathComponent("outbox") }

        init(in environment: [String: String]) throws {
            let database = URL(fileURLWithPath: try DataDirectory.databasePath(in: environment))
            folder = database.deletingLastPathComponent().appendingPathComponent("server")
        }
    }

    /// The connection of this device; `nil` if it has none.
    ///
    /// - Throws: `FileError` when its file is damaged or cannot be read.
    static func current(in environment: [String: String]) throws -> DeviceConnection? {
        let file: URL
        do {
            file = try Files(in: environment).connection
        } catch let error where DataDirectory.isMissing(error) {
            return nil
        }
        do {
            return try JSONDecoder().decode(Self.self, from: Data(contentsOf: file))
        } catch CocoaError.fileReadNoSuchFile {
            return nil
        } catch {
            throw FileError(
                file.path,
                "the connection cannot be read; check its permissions, connect again, or discard what exists only on "
                    + "this device: traveline disconnect --yes",
                "연결 정보를 읽을 수 없습니다. 권한을 확인하거나 다시 연결하세요. 이 기기에만 있는 것을 잃어도 되면: traveline disconnect --yes",
                .unavailable)
        }
    }

    /// The user whose trips and changes this device has; `nil` if it has no connection.
    ///
    /// - Throws: `FileError` when the file of the connection cannot be read, and the tokens do not say who it is.
    static func user(in environment: [String: String]) async throws -> User.ID? {
        do {
            return try current(in: environment).map { User.ID($0.user) }
        } catch let error as FileError {
            do {
                let tokens = try FileTokenStore(folder: Files(in: environment).tokens.path)
                guard let user = try await tokens.tokens()?.user else { throw error }
                return user.id
            } catch is TravelError {
                throw error
            }
        }
    }

    /// Makes this the connection of the device.
    func save(in files: Files) throws {
        try JSONEncoder().encode(self).write(to: files.connection, options: .atomic)
    }

    /// Removes the connection with everything that the device has of the server.
    static func remove(_ files: Files) throws {
        // The connection first, so that a process that ends in between leaves none without its files.
        for file in [files.connection, files.folder] where FileManager.default.fileExists(atPath: file.path) {
            try FileManager.default.removeItem(at: file)
        }
    }
}

/// The cached store of a connection, while it is open.
struct ConnectedStore: Sendable {
    let trips: CachedTripRepository
    let remote: RemoteSession
    let cache: TravelDatabase

    /// Opens the store.
    ///
    /// - Parameters:
    ///   - owner: The user whose trips the device has, if it is connected.
    ///   - asksFirst: Whether a read asks the server before it answers from this device, as a command does that shows
    ///     what it reads.
    ///   - askPassword: Returns the password of the user, before the account is removed.
    /// - Throws: `FileError` that names the file when the copies of trips cannot be opened; `CommandError` when another
    ///   process uses the connection; `TravelError`.
    static func open(
        _ address: String, _ files: DeviceConnection.Files, of owner: UUID?, asksFirst: Bool = true,
        askPassword: @escaping @Sendable () async throws -> Password = { throw TravelError.signedOut }
    ) async throws -> ConnectedStore {
        let remote = RemoteSession(
            server: try ServerAddress(address), tokens: try FileTokenStore(folder: files.tokens.path),
            timeout: timeout, password: askPassword)
        let cache = try await cache(files.cache.path)
        do {
            let trips = try await CachedTripRepository.open(
                local: cache.trips, remote: RemoteTravelStore(remote), outbox: outbox(in: files),
                owner: owner.map { User.ID($0) }, remoteTimeout: asksFirst ? patience : nil, now: { Date() })
            return ConnectedStore(trips: trips, remote: remote, cache: cache)
        } catch {
            await cache.close()
            throw error
        }
    }

    /// Opens the copies of the server's trips, without which the outbox can do: their file may be removed.
    private static func cache(_ path: String) async throws -> TravelDatabase {
        try await FileError.naming(path) {
            do {
                return try await TravelDatabase.open(path: path)
            } catch TravelError.unavailable(let outage) where [.damaged, .notATravelDatabase].contains(outage.cause) {
                throw FileError(
                    path, "the copies of the server's trips are damaged; remove this file, and they are fetched again",
                    "서버에서 받은 여행이 손상되었습니다. 이 파일을 지우면 다시 받습니다", .unavailable)
            }
        }
    }

    /// Opens the outbox, which one process at a time uses: waits for another command, and not for the app.
    ///
    /// - Throws: `CommandError` that names the app when another process has it open; `TravelError`.
    private static func outbox(in files: DeviceConnection.Files) async throws -> FileOutbox {
        let end = ContinuousClock.now + patience
        while true {
            do {
                return try FileOutbox(folder: files.outbox.path)
            } catch TravelError.unavailable(let outage) where outage.cause == .busy {
                guard ContinuousClock.now < end else {
                    throw CommandError(
                        "the app or another command is using the connection to the server; close it, and try again",
                        "앱이나 다른 명령이 서버 연결을 쓰고 있습니다. 끝낸 뒤 다시 시도하세요", .temporaryFailure)
                }
                try await Task.sleep(for: .milliseconds(50))
            }
        }
    }

    func close() async { await cache.close() }

    /// Signs the device in, and sends pending changes.
    ///
    /// - Throws: `TravelError.forbidden` when the account is another one than that of `owner`, whose trips this device
    ///   has; the errors of the server.
    func signIn(_ nickname: Nickname, _ password: Password, owner: User.ID?) async throws -> User {
        let user = try await remote.signIn(nickname, password, onlyAs: owner)
        await trips.reconnect()
        return user
    }

    /// The time in seconds in which something of a request or of its answer must pass. It is tried three times.
    private static let timeout = 15.0

    /// How long a command waits for the server: to read, before it answers with what the device has, and after its work,
    /// before it leaves what was not sent to the next one.
    static let patience = Duration.seconds(3)

    /// Runs `work` while the store sends changes and asks the server, and then waits for what is still to be sent or
    /// asked, but not for a server that does not answer. With `savesFirst`, nothing is sent before `work` has ended. With
    /// `follows`, what `work` observes changes with the server.
    func running<Value>(
        savesFirst: Bool = false, follows: Bool = false, _ work: () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Void.self) { group in
            if !savesFirst { group.addTask { await trips.run() } }
            if follows { group.addTask { await trips.follow() } }
            defer { group.cancelAll() }
            let value = try await work()
            if savesFirst { group.addTask { await trips.run() } }
            await trips.settle(within: Self.patience)
            return value
        }
    }
}

/// The identity of a user who has entered their password.
struct ProvenIdentity: IdentityProvider {
    let session: RemoteSession
    let password: Password

    func identify() async throws -> Session { try await session.identify() }
    func refresh(_ expired: Session) async throws -> Session { try await session.refresh(expired) }
    func reauthenticate() async throws -> User.ID { try await session.reauthenticate(with: password) }
}

/// The session of a connected device: signing out also ends the tokens at the server, after the changes that wait have
/// been sent. If the server does not answer, the device keeps the tokens for these changes.
struct ConnectedSession: SessionRepository {
    let stored: any SessionRepository
    let store: ConnectedStore

    func session() async throws -> Session? { try await stored.session() }

    func updateSession(_ change: @escaping @Sendable (inout Session?) -> Void) async throws {
        try await stored.updateSession(change)
        guard try await stored.session() == nil else { return }
        await store.trips.settle(within: ConnectedStore.patience)
        guard await store.trips.status().pendingWrites == 0 else { return }
        do {
            try await store.remote.signOut()
        } catch TravelError.unavailable {
            // The device has no tokens any more; on the server they expire.
        }
    }

    func observeSession() -> any AsyncSequence<Session?, any Error> & Sendable { stored.observeSession() }
}
