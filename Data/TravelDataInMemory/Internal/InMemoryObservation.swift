/// A value that is fetched anew after each change, given on whenever it is another.
struct InMemoryObservation<Value: Equatable & Sendable>: AsyncSequence, Sendable {
    typealias Element = Value
    typealias Failure = any Error

    let changes: ChangeSignal
    let fetch: @Sendable () async throws -> Value

    func makeAsyncIterator() -> Iterator {
        Iterator(changes: changes, fetch: fetch)
    }

    struct Iterator: AsyncIteratorProtocol {
        let changes: ChangeSignal
        let fetch: @Sendable () async throws -> Value
        private var version: UInt64?
        private var last: Value?
        private var hasFailed = false

        init(changes: ChangeSignal, fetch: @escaping @Sendable () async throws -> Value) {
            self.changes = changes
            self.fetch = fetch
        }

        mutating func next() async throws -> Value? {
            while !hasFailed {
                if let version { await changes.wait(after: version) }
                if Task.isCancelled { return nil }
                // Read before the value: a change in between is fetched again rather than missed.
                version = changes.version
                do {
                    let value = try await fetch()
                    if value != last {
                        last = value
                        return value
                    }
                } catch is CancellationError where Task.isCancelled {
                    return nil
                } catch {
                    hasFailed = true
                    throw error
                }
            }
            return nil
        }
    }
}
