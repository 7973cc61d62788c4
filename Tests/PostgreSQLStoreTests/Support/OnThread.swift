#if PostgreSQL
import Foundation

/// Runs blocking code on a separate thread, because the tests share the few threads of the cooperative pool.
func onThread(_ body: @escaping @Sendable () -> Void) {
    Thread.detachNewThread(body)
}

/// Yields until `condition` holds.
///
/// - Throws: `CancellationError` once the test is cancelled, so that a condition that never holds ends with the
///   test's time limit.
func waitUntil(_ condition: () async throws -> Bool) async throws {
    while try await !condition() {
        try Task.checkCancellation()
        await Task.yield()
    }
}
#endif
