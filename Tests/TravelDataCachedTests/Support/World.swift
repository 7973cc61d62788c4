import Foundation
import StreamsTesting
import Synchronization
import TravelDataCached
import TravelDataInMemory
import TravelDataSQLite
import TravelDomainTesting
import TravelHistories

/// A remote store with the people of seeds 1 and 2 and one trip of the first, and devices that know nothing yet.
struct World: Sendable {
    let remote = InMemoryTripRepository()
    let log = RemoteLog()
    let devices: [Device]
    let clock: VirtualClock

    static let trip = Trip.ID(seed: 1)
    static let author = User.ID(seed: 1)
    static let other = User.ID(seed: 2)
    /// The time on all devices, which is before the trip was recorded.
    static let now = Date(timeIntervalSinceReferenceDate: 0)

    init(users: some Sequence<UInt64>, remoteTimeout: Duration?, clock: VirtualClock) async throws {
        self.clock = clock
        devices = users.enumerated().map { [remote, log] index, user in
            Device(
                of: User.ID(seed: user), local: InMemoryTripRepository(), remote: LoggedStore(remote, in: log),
                remoteTimeout: remoteTimeout, seed: UInt64(index), clock: clock)
        }
        try await remote.add(User(seed: 2))
        try await remote.add([TripBuilder(seed: 1).build()])
    }

    /// The newest trips that everyone sees.
    static func query() throws -> TripQuery { try TripQuery(TripCriteria(), viewer: nil) }

    /// Sets the title of the trip by its author.
    static func setTitle(
        _ title: String, of trip: Trip.ID = trip, in store: any TripEditingRepository
    ) async throws {
        let title = try Title(title)
        try await store.update(trip, by: author) { trip throws(TravelError) in
            var content = trip.content
            content.title = title
            return try trip.with(content)
        }
    }

    /// Waits until nothing waits in the outbox.
    static func settle(_ trips: CachedTripRepository) async {
        for await status in await trips.observeStatus() where status.pendingWrites == 0 { return }
    }
}

/// A device of a user: a local store and an outbox that survive, and a repository that lives until it is killed.
actor Device: HistoryDevice {
    let user: User.ID
    let network: Network
    let local: any TravelStore & TripCache
    let outbox = InMemoryOutbox()
    private let remote: any TravelStore
    private let remoteTimeout: Duration?
    private let clock: any Clock<Duration>
    private let lives: AsyncStream<Life>
    private let nextLife: AsyncStream<Life>.Continuation
    private var life: Life?

    /// The process of this life, or of one that has not opened its repository.
    private var process = EndingProcess()

    private struct Life {
        let trips: CachedTripRepository
        let end: AsyncStream<Void>
        let ending: AsyncStream<Void>.Continuation
    }

    init(
        of user: User.ID, local: any TravelStore & TripCache, remote: any TravelStore,
        remoteTimeout: Duration? = nil, seed: UInt64, clock: any Clock<Duration>
    ) {
        self.user = user
        self.local = local
        (self.remoteTimeout, self.clock) = (remoteTimeout, clock)
        network = Network(seed: seed, clock: clock)
        self.remote = RemoteStore(base: remote, network: network)
        (lives, nextLife) = AsyncStream<Life>.makeStream()
    }

    /// The repository of this life.
    func trips() async throws -> CachedTripRepository {
        if hasEnded { kill() }
        if let life { return life.trips }
        let trips = try await CachedTripRepository.open(
            local: process.local(local), remote: process.remote(remote), outbox: process.outbox(outbox),
            remoteTimeout: remoteTimeout, clock: clock, now: { World.now })
        let (end, ending) = AsyncStream<Void>.makeStream()
        let new = Life(trips: trips, end: end, ending: ending)
        life = new
        nextLife.yield(new)
        return trips
    }

    /// Whether the process has ended where it was told to.
    var hasEnded: Bool { process.hasEnded }

    /// Makes the process end at a call of its outbox; the next use begins another life. `nil`: not any more.
    func end(at end: EndingProcess.End?) { process.setEnd(end) }

    /// Ends this life in whatever it does; the next use begins another one.
    func kill() {
        life?.ending.finish()
        life = nil
        process = EndingProcess()
    }

    /// Ends all lives.
    func finish() {
        kill()
        nextLife.finish()
    }

    /// Runs each repository for its life.
    nonisolated func run() async {
        for await life in lives {
            await withTaskGroup { group in
                group.addTask { await life.trips.run() }
                group.addTask { for await _ in life.end {} }
                await group.next()
                group.cancelAll()
            }
        }
    }
}

/// Runs `body` in virtual time with one or more devices, and expects that nothing waits in the end.
func withDevices(
    _ count: Int = 1, users: [UInt64] = [1, 1], remoteTimeout: Duration? = nil, seed: UInt64 = 1,
    _ body: @escaping @Sendable (World) async throws -> Void
) throws {
    let scheduler = TestScheduler(resolution: 0.001, seed: seed)
    let clock = scheduler.virtualClock
    try scheduler.run {
        let world = try await World(users: users.prefix(count), remoteTimeout: remoteTimeout, clock: clock)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for device in world.devices { group.addTask { await device.run() } }
            try await body(world)
            for device in world.devices { await device.finish() }
        }
    }
    scheduler.expectIdle()
}

/// Runs `body` in virtual time with one device and its store, and expects that nothing waits in the end.
func withDevice(
    _ body: @escaping @Sendable (World, _ device: Device, _ trips: CachedTripRepository) async throws -> Void
) throws {
    try withDevices { world in try await body(world, world.devices[0], world.devices[0].trips()) }
}

/// The stores that can stand before a remote one.
enum LocalStore: String, CaseIterable, Sendable, CustomStringConvertible {
    case memory, sqlite

    var description: String { rawValue }

    func make() async throws -> any TravelStore & TripCache {
        switch self {
        case .memory: InMemoryTripRepository()
        case .sqlite: try await TravelDatabase.temporary().trips
        }
    }

    /// Each check with the store in memory, and every eighth with the other one; all if `TRAVEL_SEEDS` is set.
    static func each<Check>(_ checks: [Check]) -> [(LocalStore, Check)] {
        let others = Histories.areManyWanted ? checks : stride(from: 4, to: checks.count, by: 8).map { checks[$0] }
        return checks.map { (.memory, $0) } + others.map { (.sqlite, $0) }
    }
}

/// A network between one device and a remote store, whose faults follow from a seed.
final class Network: Sendable {
    /// How often calls fail and how long they take.
    struct Quality: Sendable {
        /// Of 100 calls, those that do not arrive.
        var lost = 0
        /// Of 100 answers, those that do not arrive, although the call had its effect.
        var lostAnswers = 0
        /// Of 100 calls, those that arrive twice, of which the second is answered.
        var repeated = 0
        /// The shortest and the longest delay of a call and of an answer, in milliseconds.
        var leastDelay = 0
        var delay = 0
        /// Whether the server no longer accepts the session.
        var isSignedOut = false
        /// Whether the password for the deletion of an account is wrong.
        var refusesPasswords = false
        /// Whether the server refuses to publish images.
        var refusesImages = false
        /// The titles of trips that the server does not take, and why.
        var refusedTitles: [String: TravelError] = [:]
        /// Of 100 additions, those whose ID someone else takes just before.
        var taken = 0
        /// Whether the server does not tell what it has of trips.
        var refusesReads = false

        static let perfect = Quality()
        static let offline = Quality(lost: 100)
        static let poor = Quality(lost: 15, lostAnswers: 15, repeated: 15, delay: 400)
    }

    private struct State {
        var random: SeededGenerator
        var quality = Quality.perfect
        var calls = 0
    }

    private let state: Mutex<State>
    private let clock: any Clock<Duration>

    init(seed: UInt64, clock: any Clock<Duration>) {
        state = Mutex(State(random: SeededGenerator(seed: seed)))
        self.clock = clock
    }

    var quality: Quality {
        get { state.withLock { $0.quality } }
        set { state.withLock { $0.quality = newValue } }
    }

    /// The number of calls that were tried.
    var calls: Int { state.withLock { $0.calls } }

    static let outage = TravelError.unavailable(.init("The network is down.", canRetry: true))

    /// Whether someone else takes the ID of a trip that is about to be added.
    func takesIdentity() -> Bool { isChosen(\.taken) }

    /// Calls the remote store through the network.
    func call<Value>(_ body: () async throws -> Value) async throws -> Value {
        state.withLock { $0.calls += 1 }
        try await trip()
        if quality.isSignedOut { throw TravelError.signedOut }
        if isChosen(\.lost) { throw Self.outage }
        let isRepeated = isChosen(\.repeated)
        if isRepeated { _ = try? await body() }
        let value = try await body()
        try await trip()
        if isChosen(\.lostAnswers) || quality.lost == 100 { throw Self.outage }
        return value
    }

    private func trip() async throws {
        let delay = state.withLock {
            $0.quality.delay == 0 ? 0 : Int.random(in: $0.quality.leastDelay...$0.quality.delay, using: &$0.random)
        }
        if delay > 0 { try await clock.sleep(for: .milliseconds(delay)) }
    }

    private func isChosen(_ rate: KeyPath<Quality, Int>) -> Bool {
        state.withLock { state in
            let percent = state.quality[keyPath: rate]
            return percent > 0 && Int.random(in: 0..<100, using: &state.random) < percent
        }
    }
}

/// Calls `body` with the path of an empty folder, which is removed afterwards.
func withFolder(_ body: (String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "cache-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await body(folder)
}
