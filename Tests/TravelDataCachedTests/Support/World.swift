import StreamsTesting
import TravelDataCached
import TravelDataInMemory
import TravelDomainTesting

/// A remote store with the people of seeds 1 and 2 and one trip of the first, and devices that know nothing yet.
struct World: Sendable {
    let remote = InMemoryTravelRepository()
    let log = RemoteLog()
    let devices: [Device]
    let clock: VirtualClock

    static let trip = Travel.ID(seed: 1)
    static let author = User.ID(seed: 1)
    static let other = User.ID(seed: 2)

    init(people: some Sequence<UInt64>, clock: VirtualClock) async throws {
        self.clock = clock
        devices = people.enumerated().map { [remote, log] index, person in
            Device(
                of: User.ID(seed: person), local: InMemoryTravelRepository(), remote: remote, log: log,
                seed: UInt64(index), clock: clock)
        }
        try await remote.add(User(seed: 2))
        try await remote.add([TravelBuilder(seed: 1).build()])
    }

    /// The newest travels that everyone sees.
    static func query() throws -> TravelQuery { try TravelQuery(TravelCriteria(), viewer: nil) }

    /// Sets the title of the trip by its author.
    static func setTitle(_ title: String, in store: any TravelEditingRepository) async throws {
        let title = try Title(title)
        try await store.update(trip, by: author) { travel throws(TravelError) in
            var content = travel.content
            content.title = title
            return try travel.with(content)
        }
    }

    /// Waits until nothing waits in the outbox.
    static func settle(_ travels: CachedTravelRepository) async {
        for await status in await travels.observeStatus() where status.pendingWrites == 0 { return }
    }
}
