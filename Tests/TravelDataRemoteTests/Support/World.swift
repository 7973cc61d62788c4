import Dispatch
import Foundation
import Synchronization
import Testing
import TravelDataRemote
import TravelDomainTesting
import TravelJSON

@testable import TravelDataRemote

/// A clock whose sleeps let other tasks run instead of waiting, and are recorded.
final class RecordingClock: Clock, Sendable {
    typealias Instant = ContinuousClock.Instant

    private let log = Mutex<[Duration]>([])
    private let start = ContinuousClock.now

    /// The durations of all sleeps so far.
    var sleeps: [Duration] { log.withLock { $0 } }
    var now: Instant { log.withLock { $0.reduce(start) { $0 + $1 } } }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        let now = now
        log.withLock { $0.append(now.duration(to: deadline)) }
        await Task.yield()
    }
}

/// A clock whose sleeps end when a test says so.
final class GatedClock: Clock, Sendable {
    typealias Instant = ContinuousClock.Instant

    /// A sleep has begun.
    let asleep = Signal()
    private let gate = Signal()
    private let durations = Mutex<[Duration]>([])

    let now = ContinuousClock.now
    var minimumResolution: Duration { .zero }

    /// How long the sleeps were to last, in order.
    var sleeps: [Duration] { durations.withLock { $0 } }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        durations.withLock { $0.append(deadline - now) }
        asleep.send()
        await gate.wait()
        try Task.checkCancellation()
    }

    /// Ends a sleep that has begun, or the next one.
    func wake() { gate.send() }
}

/// Tokens in memory.
actor TokenMemory: TokenStore {
    private var value: SignedIn?
    private var isChanging = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    private var outage: TravelError.Outage?

    init(_ value: SignedIn? = nil) { self.value = value }

    /// Makes new tokens impossible to store, or possible again.
    func setOutage(_ outage: TravelError.Outage?) { self.outage = outage }

    func requireRoom() throws {
        if let outage { throw TravelError.unavailable(outage) }
    }

    func tokens() -> SignedIn? { value }

    /// The number of changes that wait for another one to end.
    var waitingCount: Int { waiting.count }

    func updateTokens(_ change: @Sendable (SignedIn?) async throws -> SignedIn?) async throws -> SignedIn? {
        while isChanging { await withCheckedContinuation { waiting.append($0) } }
        isChanging = true
        defer {
            isChanging = false
            for one in waiting { one.resume() }
            waiting = []
        }
        value = try await change(value)
        return value
    }
}

extension SignedIn {
    /// Tokens of the user of seed 1; equal numbers have equal tokens.
    static func sample(_ number: UInt8 = 0, user: User? = nil) throws -> SignedIn {
        SignedIn(
            user: try user ?? User(seed: 1),
            access: try #require(Token(bytes: [UInt8](repeating: number, count: 32))),
            accessExpiresAt: Date(timeIntervalSinceReferenceDate: 0),
            refresh: try #require(Token(bytes: [UInt8](repeating: number &+ 128, count: 32))),
            refreshExpiresAt: Date(timeIntervalSinceReferenceDate: 1e9 + Double(number)))
    }
}

extension Token {
    /// A token that a device may choose.
    static func chosen(_ seed: UInt8) throws -> Token {
        try #require(Token(bytes: (0..<32).map { UInt8($0) &* 7 &+ seed }))
    }
}

/// A store of a server that a test scripts.
struct RemoteWorld: Sendable {
    let server: TestServer
    let clock = RecordingClock()
    let tokens: TokenMemory
    let session: RemoteSession
    let trips: RemoteTravelStore

    static let me = User.ID(seed: 1)

    init(
        isSignedIn: Bool = true, timeout: TimeInterval = 20, timeoutClock: any Clock<Duration> = ContinuousClock(),
        _ handler: @escaping TestServer.Handler
    ) throws {
        server = try TestServer(handler)
        tokens = TokenMemory(isSignedIn ? try .sample() : nil)
        session = RemoteSession(
            server: try ServerAddress(server.address), tokens: tokens, timeout: timeout,
            clock: timeoutClock, pauses: Pauses(clock: clock, random: { 1 }), password: { try Password("open sesame") })
        trips = RemoteTravelStore(session)
    }

    /// A store of the same server for a device with other tokens.
    func trips(with tokens: any TokenStore) throws -> RemoteTravelStore {
        RemoteTravelStore(
            RemoteSession(
                server: try ServerAddress(server.address), tokens: tokens, timeout: 20, clock: ContinuousClock(),
                pauses: Pauses(clock: clock, random: { 1 }), password: { try Password("open sesame") }))
    }

    /// A store of an address at which no server is.
    static func unreachable() throws -> RemoteWorld {
        let world = try RemoteWorld { _, connection in connection.close() }
        world.server.stop()
        return world
    }
}

/// A signal from the thread of a server to a test.
final class Signal: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func send() { continuation.yield() }

    /// Waits for the next signal.
    func wait() async {
        for await _ in stream { return }
    }
}

/// The trip of seed 1 by the user of seed 1, as they see it.
func viewedTrip(likes: Int = 0) throws -> Trip {
    let trip = try TripBuilder(seed: 1).build()
    return try Trip(
        id: trip.id, author: trip.author, content: trip.content, createdAt: trip.createdAt,
        updatedAt: trip.updatedAt, version: trip.version, likeCount: likes, isLiked: false, isMine: true)
}
