#if Server
import Foundation
import PostgreSQLStoreTesting
import Synchronization
import TestConcurrency
import Testing
import TravelDataInMemory
import TravelDataPostgreSQL
import TravelDataRemote
import TravelDataSQLite
import TravelDomainTesting

@testable import TravelServer

@Suite("A remote store fulfils the contracts of a store through a socket", .limitedConcurrency)
struct RemoteContractTests {
    /// Runs a check on stores of servers that are stopped afterwards.
    @Test(arguments: Backing.each(TravelStoreContract.checks))
    func fulfilsTravelStoreContract(backing: Backing, check: ContractCheck<any TravelStore>) async throws {
        try await backing.withStores { make in
            let opened = Mutex<[StoreOfManyUsers]>([])
            let result: Result<Void, any Error>
            do {
                try await check.run {
                    let store = try await StoreOfManyUsers(over: make())
                    opened.withLock { $0.append(store) }
                    return store
                }
                result = .success(())
            } catch {
                result = .failure(error)
            }
            for store in opened.withLock(\.self) { await store.server.drain() }
            try result.get()
        }
    }

    @Test("an edit does not show an image that it does not bring, though one that was refused has sent it")
    func imageOfARefusedEdit() async throws {
        let store = try await StoreOfManyUsers(over: InMemoryTripRepository())
        let mina = try User(seed: 1)
        try await store.add(mina)
        let entry = try TimelineEntry(seed: 1, day: 1)
        let other = try TripBuilder(seed: 1, author: mina).with { $0.timeline = [entry] }.build()
        let trip = try TripBuilder(seed: 2, author: mina).build()
        try await store.add([other, trip])
        let image = try TripImage(seed: 1)

        await #expect(throws: TravelError.conflict(.entry(entry.id))) {
            try await store.update(trip.id, expecting: nil, by: mina.id, adding: [image]) { trip throws(TravelError) in
                var content = trip.content
                content.thumbnail = image.id
                return try trip.with(content: content, timeline: [entry])
            }
        }
        await #expect(throws: TravelError.notFound(.image(image.id))) {
            try await store.update(trip.id, expecting: nil, by: mina.id, adding: []) { trip throws(TravelError) in
                var content = trip.content
                content.thumbnail = image.id
                return try trip.with(content: content)
            }
        }
        await store.server.drain()
    }
}

/// The stores behind a server.
enum Backing: String, Sendable, CustomStringConvertible {
    case memory, sqlite, postgreSQL

    var description: String { rawValue }

    /// Calls `body` with a function that makes an empty store.
    func withStores(_ body: (@escaping @Sendable () async throws -> any TravelStore) async throws -> Void) async throws
    {
        switch self {
        case .memory: try await body { InMemoryTripRepository() }
        case .sqlite: try await body { try await TravelDatabase.temporary().trips }
        case .postgreSQL:
            #if PostgreSQL
            try await withTemporarySchema { location in
                let database = try await PostgreSQLTravelDatabase.open(location)
                let owner = try await Database.open(location)
                try await body {
                    try await owner.write { db in
                        for table in ["trip", "removed_trip", "blocked", "avatar", "app_user"] {
                            try db.execute("DELETE FROM \(identifier: table)")
                        }
                    }
                    return database.trips
                }
                await owner.close()
                await database.close()
            }
            #endif
        }
    }

    /// Each check over a store in memory, and some over the others; all if `TRAVEL_SEEDS` is set.
    static func each<Check>(_ checks: [Check]) -> [(Backing, Check)] {
        let areAllWanted = ProcessInfo.processInfo.environment["TRAVEL_SEEDS"] != nil
        func every(_ step: Int) -> [Check] {
            areAllWanted ? checks : checks.enumerated().filter { $0.offset % step == step / 2 }.map(\.element)
        }
        let pairs = checks.map { (Backing.memory, $0) } + every(4).map { (Backing.sqlite, $0) }
        #if PostgreSQL
        return PostgreSQLServer.isAvailable ? pairs + every(8).map { (Backing.postgreSQL, $0) } : pairs
        #else
        return pairs
        #endif
    }
}

/// The store of a server as many users at once: each has a device of their own.
///
/// A check acts for anyone whose ID it knows; a server acts for the user of a token. Here, everyone has an account and is
/// signed in. What no client can do, the checks do on the store behind the server:
///
/// - adding a user without an account, and a trip of an author who is not there: on a server, people sign up;
/// - adding several trips at once, all or none: a client adds them one after the other;
/// - adding a trip of the future, which a server refuses;
/// - renaming to a nickname that nobody may choose any more.
final class StoreOfManyUsers: TravelStore {
    let server: TravelHTTPServer
    private let backing: any TravelStore
    private let accounts = EverybodyHasAnAccount()
    private let address: ServerAddress
    private let nobody: RemoteTravelStore
    private let users = Mutex<[User.ID: RemoteTravelStore]>([:])

    init(over backing: any TravelStore) async throws {
        self.backing = backing
        var configuration = ServerConfiguration(host: "127.0.0.1", port: 0)
        configuration.showsLikesOfOthers = true
        configuration.connectionsPerAddress = 0
        configuration.look = .milliseconds(20)
        server = try TravelHTTPServer(
            configuration, stores: ServerStores(trips: backing, accounts: accounts), pages: nil, review: .everyImage,
            log: { _ in }, now: { Date() }, hashing: PlainPasswords(), tokens: PlainTokens())
        let (host, port) = try server.start()
        address = try ServerAddress("http://\(host):\(port)")
        nobody = RemoteTravelStore(
            RemoteSession(server: address, tokens: FixedTokens(nil), password: { throw TravelError.signedOut }))
    }

    /// The device of a user.
    fileprivate func device(of user: User.ID) throws -> RemoteTravelStore {
        try users.withLock { users in
            if let device = users[user] { return device }
            let session = RemoteSession(
                server: address, tokens: FixedTokens(try EverybodyHasAnAccount.signedIn(user)),
                password: { try Password("open sesame") })
            let device = RemoteTravelStore(session)
            users[user] = device
            return device
        }
    }

    fileprivate func device(of viewer: User.ID?) throws -> RemoteTravelStore {
        try viewer.map { try device(of: $0) } ?? nobody
    }

    // MARK: TravelStore

    func search(_ query: TripQuery) async throws -> TripPage { try await device(of: query.viewer).search(query) }

    func trip(_ id: Trip.ID, viewer: User.ID?) async throws -> Trip {
        try await device(of: viewer).trip(id, viewer: viewer)
    }

    func timeline(of id: Trip.ID, viewer: User.ID?) async throws -> [TimelineEntry] {
        try await device(of: viewer).timeline(of: id, viewer: viewer)
    }

    func track(of id: Trip.ID, viewer: User.ID?) async throws -> TrackGeometry? {
        try await device(of: viewer).track(of: id, viewer: viewer)
    }

    func details(of id: Trip.ID, viewer: User.ID?) async throws -> TripDetails {
        try await device(of: viewer).details(of: id, viewer: viewer)
    }

    func add(_ trips: [RecordedTrip], images: [TripImage]) async throws {
        guard trips.count == 1, let trip = trips.first, max(trip.createdAt, trip.updatedAt) <= Date(),
            try await isKnown(trip.author.id)
        else { return try await backing.add(trips, images: images) }
        try await device(of: trip.author.id).add(trips, images: images)
    }

    private func isKnown(_ user: User.ID) async throws -> Bool {
        do {
            _ = try await backing.user(user)
            return true
        } catch TravelError.notFound {
            return false
        }
    }

    func setLiked(_ isLiked: Bool, trip id: Trip.ID, by user: User.ID) async throws {
        try await device(of: user).setLiked(isLiked, trip: id, by: user)
    }

    func update(
        _ id: Trip.ID, expecting version: TripVersion?, by user: User.ID, adding images: [TripImage],
        _ change: @escaping @Sendable (RecordedTrip) throws(TravelError) -> RecordedTrip?
    ) async throws -> RecordedTrip? {
        try await device(of: user).update(id, expecting: version, by: user, adding: images, change)
    }

    func following(_ key: LinkKey) -> any TravelStore { StoreOfFollowers(server: self, key: key) }

    func titles(containing text: Keyword, viewer: User.ID?, limit: Int) async throws -> [Title] {
        try await device(of: viewer).titles(containing: text, viewer: viewer, limit: limit)
    }

    func image(_ id: TripImage.ID, viewer: User.ID?) async throws -> TripImage {
        try await device(of: viewer).image(id, viewer: viewer)
    }

    func report(_ trip: Trip.ID, by user: User.ID, at time: Date) async throws -> Bool {
        try await device(of: user).report(trip, by: user, at: time)
    }

    func block(_ author: User.ID, by user: User.ID) async throws -> Bool {
        try await device(of: user).block(author, by: user)
    }

    func unblock(_ author: User.ID, by user: User.ID) async throws {
        try await device(of: user).unblock(author, by: user)
    }

    func blocked(by user: User.ID) async throws -> [User] { try await device(of: user).blocked(by: user) }

    func user(_ id: User.ID) async throws -> User { try await nobody.user(id) }

    func isTaken(_ nickname: Nickname, exceptBy user: User.ID?) async throws -> Bool {
        try await device(of: user).isTaken(nickname, exceptBy: user)
    }

    func add(_ user: User) async throws { try await backing.add(user) }

    func rename(_ id: User.ID, to nickname: Nickname, by user: User.ID) async throws {
        let isChoosable = (try? nickname.requireChoosable()) != nil
        try await (isChoosable ? device(of: user) : backing).rename(id, to: nickname, by: user)
    }

    func setAvatar(_ image: TripImage?, of id: User.ID, by user: User.ID) async throws {
        try await device(of: user).setAvatar(image, of: id, by: user)
    }

    func removeUser(_ id: User.ID, by user: User.ID) async throws {
        let device = try device(of: user)
        _ = try await device.session.reauthenticate()
        try await device.removeUser(id, by: user)
    }

    func observe(_ query: TripQuery) -> any AsyncSequence<TripPage, any Error> & Sendable {
        observing { try device(of: query.viewer).observe(query) }
    }

    func observeTrip(_ id: Trip.ID, viewer: User.ID?) -> any AsyncSequence<Trip, any Error> & Sendable {
        observing { try device(of: viewer).observeTrip(id, viewer: viewer) }
    }

    func observeTimeline(
        of id: Trip.ID, day: Int?, viewer: User.ID?
    ) -> any AsyncSequence<[TimelineEntry], any Error> & Sendable {
        observing { try device(of: viewer).observeTimeline(of: id, day: day, viewer: viewer) }
    }

    fileprivate func observing<Value: Equatable & Sendable>(
        _ make: () throws -> any AsyncSequence<Value, any Error> & Sendable
    ) -> any AsyncSequence<Value, any Error> & Sendable {
        do {
            return try make()
        } catch {
            return AsyncThrowingStream { $0.finish(throwing: error) }
        }
    }
}

/// The same as people who follow a link, each on a device of their own.
private struct StoreOfFollowers: ForwardingStore {
    let server: StoreOfManyUsers
    let key: LinkKey

    func store(for call: InterceptedStore.Call) async throws -> any TravelStore { server }

    private func device(of viewer: User.ID?) throws -> any TravelStore {
        try server.device(of: viewer).following(key)
    }

    func trip(_ id: Trip.ID, viewer: User.ID?) async throws -> Trip {
        try await device(of: viewer).trip(id, viewer: viewer)
    }

    func timeline(of id: Trip.ID, viewer: User.ID?) async throws -> [TimelineEntry] {
        try await device(of: viewer).timeline(of: id, viewer: viewer)
    }

    func track(of id: Trip.ID, viewer: User.ID?) async throws -> TrackGeometry? {
        try await device(of: viewer).track(of: id, viewer: viewer)
    }

    func details(of id: Trip.ID, viewer: User.ID?) async throws -> TripDetails {
        try await device(of: viewer).details(of: id, viewer: viewer)
    }

    func picture(_ id: TripImage.ID, in size: PictureSize?, viewer: User.ID?) async throws -> StoredPicture {
        try await device(of: viewer).picture(id, in: size, viewer: viewer)
    }

    func image(_ id: TripImage.ID, viewer: User.ID?) async throws -> TripImage {
        try await device(of: viewer).image(id, viewer: viewer)
    }

    func setLiked(_ isLiked: Bool, trip id: Trip.ID, by user: User.ID) async throws {
        try await device(of: user).setLiked(isLiked, trip: id, by: user)
    }

    func report(_ trip: Trip.ID, by user: User.ID, at time: Date) async throws -> Bool {
        try await device(of: user).report(trip, by: user, at: time)
    }

    func update(
        _ id: Trip.ID, expecting version: TripVersion?, by user: User.ID, adding images: [TripImage],
        _ change: @escaping @Sendable (RecordedTrip) throws(TravelError) -> RecordedTrip?
    ) async throws -> RecordedTrip? {
        try await device(of: user).update(id, expecting: version, by: user, adding: images, change)
    }

    func observeTrip(_ id: Trip.ID, viewer: User.ID?) -> any AsyncSequence<Trip, any Error> & Sendable {
        server.observing { try device(of: viewer).observeTrip(id, viewer: viewer) }
    }

    func observeTimeline(
        of id: Trip.ID, day: Int?, viewer: User.ID?
    ) -> any AsyncSequence<[TimelineEntry], any Error> & Sendable {
        server.observing { try device(of: viewer).observeTimeline(of: id, day: day, viewer: viewer) }
    }
}

/// Accounts of a world in which everyone has one, and a device that is signed in.
private struct EverybodyHasAnAccount: AccountRepository {
    /// The ID of the user, twice.
    static func signedIn(_ user: User.ID) throws -> SignedIn {
        let token = try #require(Token(bytes: bytes(of: user)))
        return SignedIn(
            user: User(id: user, nickname: try Nickname("Somebody")), access: token, accessExpiresAt: .distantFuture,
            refresh: token, refreshExpiresAt: .distantFuture)
    }

    private static func bytes(of user: User.ID) -> [UInt8] {
        withUnsafeBytes(of: user.rawValue.uuid) { Array($0) + Array($0) }
    }

    func device(withAccess digest: TokenDigest) async throws -> SignedInDevice? {
        var id = UUID().uuid
        withUnsafeMutableBytes(of: &id) { $0.copyBytes(from: digest.bytes.prefix(16)) }
        let tomorrow = Date(timeIntervalSinceNow: 86_400)
        return SignedInDevice(
            user: User.ID(UUID(uuid: id)),
            tokens: try DeviceTokens(
                access: digest, accessExpiresAt: tomorrow, refresh: digest, refreshExpiresAt: tomorrow))
    }

    func account(of user: User.ID) async throws -> Account? {
        Account(user: User(id: user, nickname: try Nickname("Somebody")), password: PlainPasswords().decoy)
    }

    func addAccount(_ user: User, password: PasswordHash, at time: Date, invitation: TokenDigest?) async throws {}
    func addInvitations(_ invitations: [TokenDigest], at time: Date) async throws {}
    func hasInvitation(_ invitation: TokenDigest) async throws -> Bool { false }
    func account(named nickname: Nickname) async throws -> Account? { nil }
    func setPassword(_ password: PasswordHash, replacing former: PasswordHash, of user: User.ID) async throws {}
    func rehash(_ password: PasswordHash, replacing former: PasswordHash, of user: User.ID) async throws {}
    func addDevice(_ device: SignedInDevice, provenBy password: PasswordHash) async throws {}
    func renewDevice(_ refresh: TokenDigest, at now: Date, with tokens: DeviceTokens) async throws -> Renewal {
        .unknown
    }
    func removeDevice(_ id: SignedInDevice.ID) async throws {}
    func removeExpiredDevices(at now: Date) async throws {}
}

/// Hashes that are the same for all passwords, so that the checks do not spend their time on them.
private struct PlainPasswords: PasswordHashing {
    // The text is a valid hash.
    let decoy = PasswordHash("plain")!

    func hash(_ password: Password) async throws -> PasswordHash { decoy }
    func verify(_ password: Password, _ hash: PasswordHash) async throws -> Bool { true }
    func isOutdated(_ hash: PasswordHash) -> Bool { false }
}

/// Tokens whose digests are their bytes.
private struct PlainTokens: TokenSource {
    func token() -> Token {
        // There are as many bytes as a token has.
        Token(bytes: [UInt8](repeating: 0, count: Token.size))!
    }

    func digest(of token: Token) -> TokenDigest {
        let text = token.text.replacing("-", with: "+").replacing("_", with: "/") + "="
        // A token is Base64, and there are as many bytes as a digest has.
        return TokenDigest(bytes: Data(base64Encoded: text)!)!
    }
}

/// The tokens of one device, which do not change.
private struct FixedTokens: TokenStore {
    private let value: SignedIn?

    init(_ value: SignedIn?) { self.value = value }

    func tokens() async throws -> SignedIn? { value }

    func updateTokens(_ change: @Sendable (SignedIn?) async throws -> SignedIn?) async throws -> SignedIn? { value }
}
#endif
