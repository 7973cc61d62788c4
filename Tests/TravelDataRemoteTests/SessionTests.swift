import Dispatch
import Foundation
import Synchronization
import TestConcurrency
import Testing
import TravelDataRemote
import TravelDomainTesting
import TravelJSON

@testable import TravelDataRemote

@Suite("The account of a device", .limitedConcurrency)
struct SessionTests {
    private static let me = RemoteWorld.me
    private let folder = FileManager.default.temporaryDirectory.appending(path: "tokens-\(UUID().uuidString)").path

    /// A server that accepts the tokens of number 1 only, and renews those of number 0.
    private func renewing(_ renewal: @escaping TestServer.Handler = Self.renew) throws -> RemoteWorld {
        try RemoteWorld { request, connection in
            do {
                if request.target == "/v1/sessions/refresh" { return renewal(request, connection) }
                let isAccepted = try request.header("Authorization") == "Bearer \(SignedIn.sample(1).access.text)"
                if isAccepted { connection.answer(204) } else { connection.answer(.signedOut) }
            } catch { connection.close() }
        }
    }

    @Sendable private static func renew(_ request: TestServer.Request, _ connection: TestServer.Connection) {
        do {
            let presented = try JSONCoding.value(RefreshRecord.self, in: request.body).refresh
            guard try presented == SignedIn.sample().refresh else { return connection.answer(.signedOut) }
            connection.answer(200, json: SignedInRecord(try .sample(1)))
        } catch { connection.close() }
    }

    @Test("signing up stores the tokens, and is sent once")
    func signUp() async throws {
        let world = try RemoteWorld(isSignedIn: false) { request, connection in
            if request.number == 0 { return connection.close() }
            do { connection.answer(201, json: SignedInRecord(try .sample(3))) } catch { connection.close() }
        }
        defer { world.server.stop() }
        await #expect(throws: TravelError.unreachable) {
            try await world.session.signUp(Nickname("Mina"), Password("open sesame"))
        }
        #expect(world.server.requests.count == 1)
        #expect(await world.tokens.tokens() == nil)
        let user = try await world.session.signUp(Nickname("Mina"), Password("open sesame"))
        #expect(user.id == Self.me)
        #expect(try await world.tokens.tokens() == .sample(3))
        let body = try JSONCoding.value(CredentialsRecord.self, in: #require(world.server.requests.last).body)
        #expect(try (body.nickname, body.password) == (Nickname("Mina"), Password("open sesame")))
    }

    @Test("a wrong password stores nothing")
    func wrongPassword() async throws {
        let world = try RemoteWorld(isSignedIn: false) { _, connection in connection.answer(.wrongCredentials) }
        defer { world.server.stop() }
        await #expect(throws: TravelError.wrongCredentials) {
            try await world.session.signIn(Nickname("Mina"), Password("open says me"))
        }
        #expect(try await world.session.user() == nil)
    }

    @Test("an expired token is renewed, and the request is sent again with the new one")
    func renewal() async throws {
        let world = try renewing()
        defer { world.server.stop() }
        try await world.trips.setLiked(true, trip: .init(seed: 1), by: Self.me)
        #expect(world.server.requests.map(\.method) == ["PUT", "POST", "PUT"])
        #expect(try await world.tokens.tokens() == .sample(1))
    }

    @Test("tokens are not renewed while new ones could not be stored")
    func renewalWithoutRoom() async throws {
        let world = try renewing()
        defer { world.server.stop() }
        let outage = TravelError.Outage("The disk is full.", cause: .diskFull, canRetry: true)
        await world.tokens.setOutage(outage)
        await #expect(throws: TravelError.unavailable(outage)) {
            try await world.trips.setLiked(true, trip: .init(seed: 1), by: Self.me)
        }
        #expect(world.server.requests.map(\.method) == ["PUT"])
        #expect(try await world.tokens.tokens() == .sample())
        await #expect(throws: TravelError.unavailable(outage)) {
            try await world.session.changePassword(from: Password("open sesame"), to: Password("close sesame"))
        }
        #expect(world.server.requests.map(\.method) == ["PUT"])
        await world.tokens.setOutage(nil)
        try await world.trips.setLiked(true, trip: .init(seed: 1), by: Self.me)
        #expect(try await world.tokens.tokens() == .sample(1))
    }

    @Test("many requests with an expired token renew it once")
    func renewalOnce() async throws {
        let world = try renewing()
        defer { world.server.stop() }
        try await withThrowingTaskGroup { group in
            for _ in 0..<20 {
                group.addTask { try await world.trips.setLiked(true, trip: .init(seed: 1), by: Self.me) }
            }
            try await group.waitForAll()
        }
        #expect(world.server.requests.count { $0.target == "/v1/sessions/refresh" } == 1)
    }

    @Test("a renewal is completed after the task that needed it was cancelled")
    func renewalSurvivesCancellation() async throws {
        let (arrived, gate) = (Signal(), DispatchSemaphore(value: 0))
        let world = try renewing { request, connection in
            arrived.send()
            gate.wait()
            Self.renew(request, connection)
        }
        defer { world.server.stop() }
        let task = Task { try await world.trips.setLiked(true, trip: .init(seed: 1), by: Self.me) }
        await arrived.wait()
        task.cancel()
        gate.signal()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await world.tokens.tokens() == .sample(1))
    }

    @Test("a token that is not renewed signs the device out")
    func refusedRenewal() async throws {
        let world = try renewing { _, connection in connection.answer(.signedOut) }
        defer { world.server.stop() }
        await #expect(throws: TravelError.signedOut) {
            try await world.trips.setLiked(true, trip: .init(seed: 1), by: Self.me)
        }
        #expect(await world.tokens.tokens() == nil)
        await #expect(throws: TravelError.signedOut) { try await world.session.identify() }
    }

    @Test("a renewal without an answer keeps the tokens, and is not repeated by itself")
    func lostRenewal() async throws {
        let world = try renewing { _, connection in connection.close() }
        defer { world.server.stop() }
        await #expect(throws: TravelError.unreachable) {
            try await world.trips.setLiked(true, trip: .init(seed: 1), by: Self.me)
        }
        #expect(world.server.requests.count { $0.target == "/v1/sessions/refresh" } == 1)
        #expect(try await world.tokens.tokens() == .sample())
    }

    /// A server that renews as `TravelServer` does, and loses the first answers to renewals; and a device with a file.
    private func losing(_ count: Int) async throws -> (RemoteWorld, FileTokenStore) {
        let lost = Mutex(count)
        let exchanged = Mutex<RefreshRecord?>(nil)
        let world = try RemoteWorld { request, connection in
            do {
                guard request.target == "/v1/sessions/refresh" else {
                    let isAccepted = try request.header("Authorization") == "Bearer \(SignedIn.sample(1).access.text)"
                    return isAccepted ? connection.answer(204) : connection.answer(.signedOut)
                }
                let record = try JSONCoding.value(RefreshRecord.self, in: request.body)
                let isTaken = exchanged.withLock { exchanged in
                    defer { exchanged = exchanged ?? record }
                    return exchanged.map { $0.refresh == record.refresh && $0.next == record.next } ?? true
                }
                guard isTaken, let next = record.next else { return connection.answer(.signedOut) }
                let isLost = lost.withLock { lost in
                    lost -= 1
                    return lost >= 0
                }
                if isLost { return connection.close() }
                let new = try SignedIn.sample(1)
                connection.answer(
                    200,
                    json: SignedInRecord(
                        SignedIn(
                            user: new.user, access: new.access, accessExpiresAt: new.accessExpiresAt, refresh: next,
                            refreshExpiresAt: new.refreshExpiresAt)))
            } catch { connection.close() }
        }
        let tokens = try FileTokenStore(folder: folder)
        try await tokens.updateTokens { _ in try .sample() }
        return (world, tokens)
    }

    @Test(
        "a device whose renewals have lost their answers is still signed in, also after the end of its process",
        arguments: [1, 2, 5])
    func lostAnswers(count: Int) async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (world, tokens) = try await losing(count)
        defer { world.server.stop() }
        for _ in 0..<count {
            // Another process of the device.
            let trips = try world.trips(with: FileTokenStore(folder: folder))
            await #expect(throws: TravelError.unreachable) {
                try await trips.setLiked(true, trip: .init(seed: 1), by: Self.me)
            }
            #expect(try await tokens.tokens() == .sample())
        }
        try await world.trips(with: tokens).setLiked(true, trip: .init(seed: 1), by: Self.me)
        let sent = try world.server.requests.filter { $0.target == "/v1/sessions/refresh" }
            .map { try JSONCoding.value(RefreshRecord.self, in: $0.body) }
        #expect(sent.count == count + 1 && Set(sent.map(\.next)).count == 1)
        #expect(try await tokens.tokens()?.refresh == sent[0].next)
    }

    @Test("the next refresh token is stored before it is sent, for the one that it follows, and not after signing out")
    func storedNext() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let tokens = try FileTokenStore(folder: folder)
        let (a, b) = (try Token.chosen(1), try Token.chosen(2))
        let (first, second) = (try SignedIn.sample().refresh, try SignedIn.sample(1).refresh)
        #expect(try await tokens.nextRefresh(after: first, proposal: a) == a)
        #expect(try await FileTokenStore(folder: folder).nextRefresh(after: first, proposal: b) == a)
        #expect(try await tokens.nextRefresh(after: second, proposal: b) == b)
        try Data("{".utf8).write(to: URL(filePath: "\(folder)/renewal.json"))
        #expect(try await tokens.nextRefresh(after: second, proposal: a) == a)
        let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/renewal.json")
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        try await tokens.updateTokens { _ in try .sample() }
        _ = try await tokens.updateTokens { _ -> SignedIn? in nil }
        #expect(!FileManager.default.fileExists(atPath: "\(folder)/renewal.json"))
    }

    @Test("a server that makes the next refresh token itself is believed")
    func earlierServer() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let world = try renewing()
        defer { world.server.stop() }
        let tokens = try FileTokenStore(folder: folder)
        try await tokens.updateTokens { _ in try .sample() }
        try await world.trips(with: tokens).setLiked(true, trip: .init(seed: 1), by: Self.me)
        #expect(try await tokens.tokens() == .sample(1))
    }

    @Test("the identity of the device is the signed-in user, until the tokens can no longer be renewed")
    func identity() async throws {
        let world = try renewing()
        defer { world.server.stop() }
        let session = try await world.session.identify()
        #expect(try session == Session(user: Self.me, expiresAt: SignedIn.sample().refreshExpiresAt))
        let refreshed = try await world.session.refresh(session)
        #expect(try refreshed == Session(user: Self.me, expiresAt: SignedIn.sample(1).refreshExpiresAt))
        await #expect(throws: TravelError.signedOut) {
            try await world.session.refresh(Session(user: User.ID(seed: 2)))
        }
        #expect(try await world.tokens.tokens() == .sample(1))
    }

    @Test("signing out removes the tokens here and there, even if the token has expired")
    func signOut() async throws {
        let world = try renewing()
        defer { world.server.stop() }
        try await world.session.signOut()
        #expect(await world.tokens.tokens() == nil)
        #expect(world.server.requests.map(\.target) == ["/v1/session", "/v1/sessions/refresh", "/v1/session"])
        try await world.session.signOut()
        #expect(world.server.requests.count == 3)
    }

    @Test("signing out during a renewal removes the new tokens, here and there")
    func signOutDuringRenewal() async throws {
        let (arrived, gate) = (Signal(), DispatchSemaphore(value: 0))
        let world = try renewing { request, connection in
            arrived.send()
            gate.wait()
            gate.signal()
            Self.renew(request, connection)
        }
        defer { world.server.stop() }
        async let liking: Void = world.trips.setLiked(true, trip: .init(seed: 1), by: Self.me)
        await arrived.wait()
        async let signingOut: Void = world.session.signOut()
        while await world.tokens.waitingCount == 0 { await Task.yield() }
        gate.signal()
        try await signingOut
        // Sent with the new token, before or after that has ended.
        try await liking
        #expect(await world.tokens.tokens() == nil)
        let last = try #require(world.server.requests.last { $0.target == "/v1/session" })
        #expect(last.header("Authorization") == "Bearer \(try SignedIn.sample(1).access.text)")
        #expect(world.server.requests.count { $0.target == "/v1/sessions/refresh" } == 1)
    }

    @Test("signing out keeps the tokens of another user who signs in meanwhile")
    func signOutDuringSignIn() async throws {
        let world = try RemoteWorld { _, connection in connection.answer(204) }
        defer { world.server.stop() }
        let (begun, signOutWaits) = (Signal(), Signal())
        let other = try SignedIn.sample(2, user: User(seed: 2))
        async let signingIn = world.tokens.updateTokens { _ in
            begun.send()
            await signOutWaits.wait()
            return other
        }
        await begun.wait()
        async let signingOut: Void = world.session.signOut()
        while await world.tokens.waitingCount == 0 { await Task.yield() }
        signOutWaits.send()
        try await signingOut
        #expect(try await signingIn == other)
        #expect(await world.tokens.tokens() == other)
        #expect(world.server.requests.isEmpty)
    }

    @Test("signing in as another than the owner of the trips is undone on the server, and changes nothing here")
    func anotherOwner() async throws {
        let other = User.ID(seed: 2)
        let world = try RemoteWorld { request, connection in
            if request.method == "DELETE" { return connection.answer(204) }
            do { connection.answer(200, json: SignedInRecord(try .sample(3, user: User(seed: 2)))) } catch {
                connection.close()
            }
        }
        defer { world.server.stop() }
        await #expect(throws: TravelError.forbidden(.user(other))) {
            try await world.session.signIn(Nickname("Jun"), Password("open sesame"), onlyAs: Self.me)
        }
        #expect(try await world.tokens.tokens() == .sample())
        let last = try #require(world.server.requests.last)
        #expect((last.method, last.target) == ("DELETE", "/v1/session"))
        #expect(last.header("Authorization") == "Bearer \(try SignedIn.sample(3).access.text)")
    }

    @Test("signing out without a server removes the tokens, and throws")
    func signOutOffline() async throws {
        let world = try RemoteWorld.unreachable()
        await #expect(throws: TravelError.unreachable) { try await world.session.signOut() }
        #expect(await world.tokens.tokens() == nil)
    }

    @Test("an account is removed with the password that the user has just entered")
    func accountDeletion() async throws {
        let world = try RemoteWorld { request, connection in
            if request.number == 0 { connection.answer(.wrongCredentials) } else { connection.answer(204) }
        }
        defer { world.server.stop() }
        await #expect(throws: TravelError.forbidden(.user(Self.me))) {
            try await world.trips.removeUser(Self.me, by: Self.me)
        }
        #expect(world.server.requests.isEmpty)
        // A password serves for one attempt.
        #expect(try await world.session.reauthenticate(with: Password("open says me")) == Self.me)
        for error in [TravelError.wrongCredentials, .forbidden(.user(Self.me))] {
            await #expect(throws: error) { try await world.trips.removeUser(Self.me, by: Self.me) }
        }
        #expect(world.server.requests.count == 1)
        #expect(try await world.session.reauthenticate() == Self.me)
        try await world.trips.removeUser(Self.me, by: Self.me)
        let body = try JSONCoding.value(PasswordRecord.self, in: #require(world.server.requests.last).body)
        #expect(try body.password == Password("open sesame"))
        #expect(await world.tokens.tokens() == nil)
    }

    @Test("a deletion of an account whose answer was lost succeeds, but not one whose session has ended")
    func repeatedAccountDeletion() async throws {
        for isGone in [true, false] {
            let world = try RemoteWorld { request, connection in
                do {
                    switch (request.method, request.target) {
                    case ("DELETE", _) where request.number == 0: connection.close()
                    case ("GET", _) where isGone: connection.answer(.notFound(.user(Self.me)))
                    case ("GET", _): connection.answer(200, json: UserRecord(try User(seed: 1)))
                    default: connection.answer(.signedOut)
                    }
                } catch { connection.close() }
            }
            defer { world.server.stop() }
            _ = try await world.session.reauthenticate()
            if isGone {
                try await world.trips.removeUser(Self.me, by: Self.me)
            } else {
                await #expect(throws: TravelError.signedOut) {
                    try await world.trips.removeUser(Self.me, by: Self.me)
                }
            }
            #expect(await world.tokens.tokens() == nil)
        }
    }

    @Test("while the password is changed, nobody renews the tokens that it ends")
    func changeDuringRenewal() async throws {
        let (isChanging, mayAnswer) = (Signal(), Signal())
        let world = try RemoteWorld { request, connection in
            do {
                switch request.target {
                case "/v1/me/password":
                    isChanging.send()
                    // The thread of the connection waits, until the other request has been refused.
                    let done = DispatchSemaphore(value: 0)
                    Task {
                        await mayAnswer.wait()
                        done.signal()
                    }
                    done.wait()
                    connection.answer(200, json: SignedInRecord(try .sample(5)))
                case "/v1/sessions/refresh": connection.answer(.signedOut)
                default:
                    let isNew = request.header("Authorization") == "Bearer \(try SignedIn.sample(5).access.text)"
                    if isNew { connection.answer(204) } else { connection.answer(.signedOut) }
                    mayAnswer.send()
                }
            } catch { connection.close() }
        }
        defer { world.server.stop() }
        async let change: Void = world.session.changePassword(
            from: Password("open sesame"), to: Password("close sesame"))
        await isChanging.wait()
        try await world.trips.setLiked(true, trip: .init(seed: 1), by: Self.me)
        try await change
        #expect(try await world.tokens.tokens() == .sample(5))
        #expect(!world.server.requests.map(\.target).contains("/v1/sessions/refresh"))
    }

    @Test("a new password comes with new tokens")
    func changePassword() async throws {
        let world = try RemoteWorld { _, connection in
            do { connection.answer(200, json: SignedInRecord(try .sample(5))) } catch { connection.close() }
        }
        defer { world.server.stop() }
        try await world.session.changePassword(from: Password("open sesame"), to: Password("close sesame"))
        #expect(try await world.tokens.tokens() == .sample(5))
        #expect(world.server.requests.map(\.target) == ["/v1/me/password"])
    }
}

@Suite("Tokens in a file", .limitedConcurrency)
struct FileTokenStoreTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "tokens-\(UUID().uuidString)").path

    @Test("tokens survive their store, in a file that only its owner can read")
    func persistence() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let tokens = try SignedIn.sample(1)
        let store = try FileTokenStore(folder: folder)
        #expect(try await store.tokens() == nil)
        #expect(try await store.updateTokens { _ in tokens } == tokens)
        #expect(try await FileTokenStore(folder: folder).tokens() == tokens)
        for (path, mode) in [(folder, 0o700), (folder + "/tokens.json", 0o600)] {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == mode)
        }
        #expect(try await store.updateTokens { _ in nil } == nil)
        #expect(try await FileTokenStore(folder: folder).tokens() == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    }

    @Test("a change that throws changes nothing")
    func failure() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = try FileTokenStore(folder: folder)
        let tokens = try SignedIn.sample(1)
        try await store.updateTokens { _ in tokens }
        await #expect(throws: TravelError.signedOut) {
            try await store.updateTokens { _ in throw TravelError.signedOut }
        }
        #expect(try await store.tokens() == tokens)
    }

    @Test("a relative path belongs to the current directory of the moment of opening")
    func relativePath() async {
        // In a process of its own, since a process has one current directory.
        await #expect(processExitsWith: .success) {
            let folder = FileManager.default.temporaryDirectory.appending(path: "tokens-\(UUID().uuidString)").path
            defer { try? FileManager.default.removeItem(atPath: folder) }
            for name in ["", "/one", "/two"] {
                try FileManager.default.createDirectory(atPath: folder + name, withIntermediateDirectories: false)
            }
            #expect(FileManager.default.changeCurrentDirectoryPath(folder + "/one"))
            let store = try FileTokenStore(folder: "server")
            #expect(FileManager.default.changeCurrentDirectoryPath(folder + "/two"))
            try await store.updateTokens { _ in try .sample(1) }
            #expect(try await store.tokens() == .sample(1))
            #expect(try await FileTokenStore(folder: folder + "/one/server").tokens() == .sample(1))
        }
    }

    @Test("there is room for tokens where a file can be written, and none is left")
    func room() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = try FileTokenStore(folder: folder)
        try await store.requireRoom()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
        try FileManager.default.createDirectory(
            atPath: folder + "/draft/in the way", withIntermediateDirectories: true)
        await #expect(throws: TravelError.self) { try await store.requireRoom() }
    }

    @Test("changes of several stores of one folder do not overlap")
    func exclusion() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await FileTokenStore(folder: folder).updateTokens { _ in try .sample(0) }
        try await withThrowingTaskGroup { group in
            for _ in 0..<8 {
                let store = try FileTokenStore(folder: folder, clock: RecordingClock())
                group.addTask {
                    for _ in 0..<5 {
                        try await store.updateTokens { former in
                            let number = try #require(former).refreshExpiresAt.timeIntervalSinceReferenceDate - 1e9
                            await Task.yield()
                            return try .sample(UInt8(number) + 1)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await FileTokenStore(folder: folder).tokens() == .sample(40))
    }

    @Test("a damaged file is reported, and replaced by signing in again")
    func damage() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = try FileTokenStore(folder: folder)
        try Data("{".utf8).write(to: URL(filePath: folder + "/tokens.json"))
        let error = await #expect(throws: TravelError.self) { try await store.tokens() }
        guard case .unavailable(let outage) = error else { return }
        #expect(outage.cause == .damagedSession)
        let tokens = try SignedIn.sample(2)
        try await store.updateTokens { _ in tokens }
        #expect(try await store.tokens() == tokens)
    }
}
