import Synchronization

/// Runs `access` in its own task, and passes it a function that cancels that task.
func outcome(
    of access: @escaping @Sendable (_ cancel: @escaping @Sendable () -> Void) async throws -> Void
) async -> Result<Void, any Error> {
    let (started, start) = AsyncStream.makeStream(of: Void.self)
    let cancellation = Cancellation()
    let running = Task.detached {
        for await _ in started {}
        try await access { cancellation.call() }
    }
    cancellation.action.withLock { $0 = { running.cancel() } }
    start.finish()
    return await running.result
}

final class Cancellation: Sendable {
    let action = Mutex<@Sendable () -> Void>({})

    func call() {
        action.withLock { $0 }()
    }
}
