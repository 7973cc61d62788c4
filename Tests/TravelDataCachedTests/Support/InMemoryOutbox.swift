import TravelDataCached

/// An outbox in memory.
actor InMemoryOutbox: Outbox {
    private var stored: [Int: OutboxItem] = [:]

    func items() async throws -> [OutboxItem] { stored.values.sorted { $0.number < $1.number } }

    func save(_ item: OutboxItem) async throws { stored[item.number] = item }

    func remove(_ number: Int) async throws { stored[number] = nil }
}
