/// An asynchronous sequence that fetches a value again after each change and emits it when it differs.
struct InMemoryObservation<Value: Equatable & Sendable>: AsyncSequence, Sendable {
    typealias Element = Value
    typealias Failure = any Error

    let changes: ChangeNotifier
    let fetch: @Sendable () async throws -> Value

    func makeAsyncIterator() -> Iterator {
        Iterator(changes: changes, fetch: fetch)
    }

    struct Iterator: AsyncIteratorProtocol {
        let changes: ChangeNotifier
        let fetch: @Sendable () async throws -> Value
        private var version: UInt64?
        private var last: Value?
        private var hasFailed = false

        init(changes: ChangeNotifier, fetch: @escaping @Sendable () async throws -> Value) {
            self.changes = changes
            self.fetch = fetch
        }

        mutating func next() async throws -> Value? {
            while !hasFailed {
                if let version { await changes.wait(after: version) }
                if Task.isCancelled { return nil }
                // Read before the value, so that a change in between leads to another fetch.
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
