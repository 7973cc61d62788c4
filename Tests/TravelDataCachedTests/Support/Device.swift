import Foundation
import TravelDataCached
import TravelDataInMemory

/// A device of a person: a local store and an outbox that survive, and a repository that lives until it is killed.
actor Device {
    let person: User.ID
    let network: Network
    let local: any TravelStore & TravelCache
    private let outbox = InMemoryOutbox()
    private let remote: any TravelStore
    private let clock: any Clock<Duration>
    private let lives: AsyncStream<Life>
    private let nextLife: AsyncStream<Life>.Continuation
    private var life: Life?

    private struct Life {
        let travels: CachedTravelRepository
        let end: AsyncStream<Void>
        let ending: AsyncStream<Void>.Continuation
    }

    init(
        of person: User.ID, local: any TravelStore & TravelCache, remote: InMemoryTravelRepository, log: RemoteLog,
        seed: UInt64, clock: any Clock<Duration>
    ) {
        self.person = person
        self.local = local
        self.clock = clock
        network = Network(seed: seed, clock: clock)
        self.remote = RemoteStore(base: remote, network: network, log: log)
        (lives, nextLife) = AsyncStream<Life>.makeStream()
    }

    /// The repository of this life.
    func travels() async throws -> CachedTravelRepository {
        if let life { return life.travels }
        let travels = try await CachedTravelRepository.open(
            local: local, remote: remote, outbox: outbox, clock: clock, now: { Date(timeIntervalSinceReferenceDate: 0) }
        )
        let (end, ending) = AsyncStream<Void>.makeStream()
        let new = Life(travels: travels, end: end, ending: ending)
        life = new
        nextLife.yield(new)
        return travels
    }

    /// Ends this life in whatever it does; the next use begins another one.
    func kill() {
        life?.ending.finish()
        life = nil
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
                group.addTask { await life.travels.run() }
                group.addTask { for await _ in life.end {} }
                await group.next()
                group.cancelAll()
            }
        }
    }
}
