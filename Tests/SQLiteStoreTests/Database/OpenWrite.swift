import Dispatch
import Foundation
import SQLiteStore
import Synchronization
import Testing

/// A write that is under way on a thread of its own, and goes on until it is told to end or is let go: a test that fails
/// in the meantime leaves no writer behind for which everything waits.
final class OpenWrite: Sendable {
    private let go = DispatchSemaphore(value: 0)
    private let over: AsyncStream<Never>

    private init(over: AsyncStream<Never>) { self.over = over }

    deinit { go.signal() }

    /// Begins a write that does `work` when it ends; returns once it is under way.
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

    /// Lets the write end, without waiting for it.
    func end() { go.signal() }

    /// Lets the write end, and returns once it has.
    func finish() async {
        end()
        for await _ in over {}
    }
}

/// Lets others run until `condition` holds.
///
/// - Throws: `CancellationError` once the test is cancelled, so that what never happens ends with the test's limit.
func waitUntil(_ condition: () -> Bool) async throws {
    while !condition() {
        try Task.checkCancellation()
        await Task.yield()
    }
}
