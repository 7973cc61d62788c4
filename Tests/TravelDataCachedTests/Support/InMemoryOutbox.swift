import TravelDataCached

/// An outbox in memory.
actor InMemoryOutbox: Outbox {
    private var stored: [Int: OutboxItem] = [:]
    private var isFull = false

    static let outage = TravelError.Outage("The disk is full.", cause: .diskFull, canRetry: true)

    /// Makes every change fail, or no longer.
    func setFull(_ isFull: Bool) { self.isFull = isFull }

    func items() async throws -> [OutboxItem] { stored.values.sorted { $0.number < $1.number } }

    func save(_ item: OutboxItem) async throws {
        try requireRoom()
        stored[item.number] = item
    }

    func remove(_ number: Int) async throws {
        try requireRoom()
        stored[number] = nil
    }

    private func requireRoom() throws {
        if isFull { throw TravelError.unavailable(Self.outage) }
    }
}
