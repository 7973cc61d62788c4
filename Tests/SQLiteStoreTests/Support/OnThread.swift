import Dispatch
import Foundation
import SQLiteStore
import Synchronization
import Testing

/// Runs blocking code on a separate thread, because the tests share the few threads of the cooperative pool.
func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: body()) }
    }
}

/// The code of the error that `body` throws; `nil` if it throws none, or one of another kind.
func errorCode(_ body: () throws -> Void) -> SQLiteError.Code? {
    do {
        try body()
        return nil
    } catch {
        return (error as? SQLiteError)?.code
    }
}

/// The code of the error that `body` throws; `nil` if it throws none, or one of another kind.
func errorCode(_ body: () async throws -> Void) async -> SQLiteError.Code? {
    do {
        try await body()
        return nil
    } catch {
        return (error as? SQLiteError)?.code
    }
}

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

/// A number that tasks and threads share.
final class SharedCount: Sendable {
    private let number = Atomic(0)

    var value: Int { number.load(ordering: .relaxed) }

    func increment() { number.add(1, ordering: .relaxed) }
}

/// Waits until `condition` holds; checks it each time that a thread of the lowest priority is free, because a loop that
/// yields keeps tasks of lower priorities from what it waits for.
///
/// - Throws: `CancellationError` once the test is cancelled, so that a condition that never holds ends with the test's
///   time limit.
func waitUntil(_ condition: () -> Bool) async throws {
    while !condition() {
        try Task.checkCancellation()
        await withCheckedContinuation { continuation in
            DispatchQueue.global(qos: .background).async { continuation.resume() }
        }
    }
}

/// A clock that stands still until `run` is called, and then ends every sleep immediately.
final class ManualClock: Clock {
    struct Instant: InstantProtocol {
        let offset: Duration

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private let state = Mutex(State())

    private struct State {
        var now = Instant(offset: .zero)
        var isRunning = false
        var sleepers: [CheckedContinuation<Void, Never>] = []
    }

    var now: Instant { state.withLock { $0.now } }
    var minimumResolution: Duration { .nanoseconds(1) }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        await withCheckedContinuation { continuation in
            let isRunning = state.withLock { state in
                if state.isRunning {
                    state.now = max(state.now, deadline)
                } else {
                    state.sleepers.append(continuation)
                }
                return state.isRunning
            }
            if isRunning { continuation.resume() }
        }
    }

    /// Ends all current and future sleeps.
    func run() {
        let sleepers = state.withLock { state in
            state.isRunning = true
            state.now = state.now.advanced(by: .seconds(3600))
            defer { state.sleepers = [] }
            return state.sleepers
        }
        for sleeper in sleepers { sleeper.resume() }
    }
}
