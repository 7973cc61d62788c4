import Dispatch
import Foundation
import SQLiteStore
import Synchronization
import Testing

/// A write that runs on a separate thread until it is ended or released, so that a failing test does not leave a writer
/// that blocks all others.
final class OpenWrite: Sendable {
    private let go = DispatchSemaphore(value: 0)
    private let over: AsyncStream<Never>

    private init(over: AsyncStream<Never>) { self.over = over }

    deinit { go.signal() }

    /// Begins a write that does `work` at its end; returns once the write is running.
    static func begin(
        in database: Database, atTheEnd work: @escaping @Sendable (Connection) throws -> Void = { _ in }
    ) async -> OpenWrite {
        let (over, isOver) = AsyncStream.makeStream(of: Never.self)
        let write = OpenWrite(over: over)
        await withCheckedContinuation { inside in
            Thread.detachNewThread { [go = write.go] in
                #expect(throws: Never.self) {
                    try database.blockingWrite { db in
                        inside.resume()
                        go.wait()
                        try work(db)
                    }
                }
                isOver.finish()
            }
        }
        return write
    }

    /// Ends the write without waiting for it.
    func end() { go.signal() }

    /// Ends the write and waits for it.
    func finish() async {
        end()
        for await _ in over {}
    }
}

/// Yields until `condition` holds.
///
/// - Throws: `CancellationError` once the test is cancelled, so that a condition that never holds ends with the test's
///   time limit.
func waitUntil(_ condition: () -> Bool) async throws {
    while !condition() {
        try Task.checkCancellation()
        await Task.yield()
    }
}
