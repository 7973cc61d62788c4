#if Server
import Foundation
import Synchronization
import TestReporting
import TestConcurrency
import Testing
import TravelDataCached
import TravelDataInMemory
import TravelDataRemote
import TravelDataSQLite
import TravelDomainTesting
import TravelHistories

@testable import TravelServer

@Suite("Random histories of three devices with a server", .limitedConcurrency)
struct ServerHistoryTests {
    @Test(
        "all devices end with what the server has, and no write is lost or has two effects", arguments: Histories.seeds)
    func endsEqual(seed: UInt64) async throws {
        let world = try await ServedWorld(seed: seed)
        var history = History(seed: seed, in: world)
        do {
            try await history.run(steps: 40)
            try await history.expectEqualStores()
            try await history.expectNothingLost()
            history.expectUniqueVersions()
        } catch {
            Issue.record("seed \(seed): \(error)")
        }
        await world.close()
    }
}

/// Three devices, two of them of one user, each with the client of a server behind a poor network. The server is killed
/// and started again, and ends sessions.
private actor ServedWorld: HistoryWorld {
    nonisolated let devices: [ConnectedDevice]
    nonisolated let remote: any TravelStore
    nonisolated let log = RemoteLog()
    private let stores: ServerStores
    private let database: TravelDatabase?
    private let folder: URL
    private let clock = ServerWorld.TestDate()
    private var server: TravelHTTPServer?

    private static let password = "open sesame"

    init(seed: UInt64) async throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "devices-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        if seed.isMultiple(of: 4) {
            let database = try await TravelDatabase.open(path: folder.appending(path: "server").path)
            (remote, self.database) = (database.trips, database)
            stores = ServerStores(trips: LoggedStore(database.trips, in: log), accounts: database.accounts)
        } else {
            let store = InMemoryTripRepository()
            (remote, database) = (store, nil)
            stores = ServerStores(trips: LoggedStore(store, in: log), accounts: store)
        }
        for user in UInt64(1)...2 {
            try await stores.accounts.addAccount(
                User(seed: user), password: PlainHashing().hash(Password(Self.password)))
        }
        var devices: [ConnectedDevice] = []
        for (index, user) in [UInt64(1), 1, 2].enumerated() {
            devices.append(
                try await ConnectedDevice(
                    of: User.ID(seed: user), in: folder.appending(path: "\(index)"),
                    seed: seed &* 31 &+ UInt64(index),
                    hasDatabase: Int(seed % 3) == index))
        }
        self.devices = devices
        try await calm()
    }

    func disturb(_ device: ConnectedDevice, _ random: inout SeededGenerator) async throws {
        switch Int.random(in: 0...15, using: &random) {
        case 0...1: device.proxy.quality = .offline
        case 2...5: device.proxy.quality = Int.random(in: 0...2, using: &random) == 0 ? .perfect : .poor
        case 6: try await device.kill()
        case 7:
            if server == nil { try startServer() } else { await killServer() }
        case 8: clock.advance(by: DeviceTokens.accessLifetime + 1)
        case 9:
            // A device that is signed out signs in, and another one out. Either may fail on the way.
            do {
                if try await device.isSignedIn {
                    try await device.signOut()
                } else {
                    try await signIn(device)
                }
            } catch is TravelError {}
        case 10:
            // The password was changed elsewhere, to the same one.
            let hash = try await PlainHashing().hash(Password(Self.password))
            try await stores.accounts.setPassword(hash, replacing: hash, of: device.user)
        default: try await Task.sleep(for: .milliseconds(Int.random(in: 1...30, using: &random)))
        }
    }

    func calm() async throws {
        for device in devices { device.proxy.quality = .perfect }
        if server == nil { try startServer() }
        for device in devices {
            // Only the server knows whether a device is still signed in.
            do { try await device.trips().refresh(.blocked(by: device.user)) } catch TravelError.signedOut {
                try await signIn(device)
            }
        }
    }

    private func signIn(_ device: ConnectedDevice) async throws {
        try await device.signIn(remote.user(device.user).nickname, Password(Self.password))
    }

    private func startServer() throws {
        var configuration = ServerConfiguration(port: 0)
        configuration.look = .milliseconds(20)
        configuration.grace = .zero
        configuration.staging = folder
        let server = try TravelHTTPServer(
            configuration, stores: stores, pages: nil, review: .everyImage, log: { _ in },
            now: { [clock] in clock.now }, hashing: PlainHashing(), tokens: Sodium())
        let port = try server.start().port
        self.server = server
        for device in devices { device.proxy.connect(to: port) }
    }

    /// Ends the server while it works: no connection is told.
    private func killServer() async {
        for device in devices { device.proxy.connect(to: nil) }
        await server?.drain()
        server = nil
    }

    func close() async {
        for device in devices { await device.close() }
        await killServer()
        await database?.close()
        // What is left is removed with the temporary files of the system.
        try? FileManager.default.removeItem(at: folder)
    }
}

/// A device as `traveline connect` makes one: its tokens and its outbox are in files, and survive each life.
private actor ConnectedDevice: HistoryDevice {
    nonisolated let user: User.ID
    nonisolated let local: any TravelStore & TripCache
    nonisolated let proxy: FaultyProxy
    private let database: TravelDatabase?
    private let folder: URL
    private var life: Life?

    private struct Life {
        let session: RemoteSession
        let trips: CachedTripRepository
        let running: Task<Void, Never>
    }

    init(of user: User.ID, in folder: URL, seed: UInt64, hasDatabase: Bool) async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        (self.user, self.folder, proxy) = (user, folder, try FaultyProxy(seed: seed))
        database = hasDatabase ? try await TravelDatabase.open(path: folder.appending(path: "cache").path) : nil
        local = database?.trips ?? InMemoryTripRepository()
    }

    func trips() async throws -> CachedTripRepository { try await current().trips }

    private func current() async throws -> Life {
        if let life { return life }
        let session = RemoteSession(
            server: try ServerAddress("http://127.0.0.1:\(proxy.port)"),
            tokens: try FileTokenStore(folder: folder.appending(path: "tokens").path, clock: HastyClock()), timeout: 10,
            clock: HastyClock(), password: { throw TravelError.signedOut })
        let trips = try await CachedTripRepository.open(
            local: local, remote: RemoteTravelStore(session),
            outbox: FileOutbox(folder: folder.appending(path: "outbox").path), clock: HastyClock(),
            now: { Date(timeIntervalSinceReferenceDate: 0) })
        let new = Life(session: session, trips: trips, running: Task { await trips.run() })
        life = new
        return new
    }

    var isSignedIn: Bool {
        get async throws { try await current().session.user() != nil }
    }

    func signIn(_ nickname: Nickname, _ password: Password) async throws {
        let life = try await current()
        try await life.session.signIn(nickname, password)
        await life.trips.reconnect()
    }

    /// Signs out, unless changes wait, as the app does.
    func signOut() async throws {
        let life = try await current()
        guard await life.trips.status().pendingWrites == 0 else { return }
        try await life.session.signOut()
    }

    /// Ends this life in whatever it does; the next use begins another one.
    func kill() async throws {
        guard let life = life.take() else { return }
        life.running.cancel()
        // The lock of the outbox is free after that.
        await life.running.value
    }

    func close() async {
        // Only the life that follows could fail.
        try? await kill()
        proxy.stop()
        await database?.close()
    }
}

/// A clock on which a second takes 20 milliseconds: for pauses between attempts.
private struct HastyClock: Clock {
    typealias Instant = ContinuousClock.Instant

    var now: Instant { .now }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try await ContinuousClock().sleep(for: now.duration(to: deadline) / 50)
    }
}
#endif
