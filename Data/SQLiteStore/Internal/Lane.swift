/// A way to run accesses on connections of one kind, at most so many at a time.
protocol Lane: AnyObject, Sendable {
    /// Runs `body` on a connection when one is free. The caller's isolation saves a change of thread on the way.
    func run<Value: Sendable>(
        isolation: isolated (any Actor)?, _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value

    /// Runs `body` on a connection when one is free, and blocks the caller's thread until then.
    func runBlocking<Value: Sendable>(_ body: @escaping @Sendable (Connection) throws -> Value) throws -> Value

    /// Runs `job` on a connection when one is free, or not at all: for what can as well be done another time.
    func runIfConvenient(_ job: @escaping @Sendable (Connection) -> Void)

    /// Refuses further accesses, lets those under way and those waiting end, and closes the connections.
    func close(whenEnded: @escaping @Sendable () -> Void)
}
