/// An observer of a query, which unsubscribes on deinitialization.
package final class QueryObserver<Value: Sendable> {
    private let source: ObservationSource<Value>
    private let query: SharedQuery<Value>
    private var version: UInt64 = 0
    private var hasFailed = false

    /// Subscribes to the query of `source`, which is fetched when the first value is requested.
    package init(_ source: ObservationSource<Value>) {
        self.source = source
        query = source.subscribe()
    }

    deinit {
        source.unsubscribe(query)
    }

    /// Returns the next value; nil when the task is cancelled, and after it has thrown the error of the query.
    package func next(isolation: isolated (any Actor)?) async throws -> Value? {
        var hasWaited = false
        while !hasFailed, !Task.isCancelled {
            switch query.nextStep(after: version, hasWaited: hasWaited, now: source.now()) {
            case .deliver(let value, let version):
                self.version = version
                return value
            case .fail(let error):
                hasFailed = true
                throw error
            case .fetch(let delay):
                await source.fetch(query, after: delay, isolation: isolation)
            case .wait:
                await query.wait(after: version, isolation: isolation)
            }
            hasWaited = true
        }
        return nil
    }
}
