import Foundation
import Synchronization

/// A signal that asks the process to end.
enum Signal: Int32, CaseIterable {
    case interrupt = 2
    case terminate = 15

    /// The error of work that a signal has cancelled.
    struct Interruption: Error {
        let signal: Signal
    }

    /// Runs `work`, and ends it at the first of these signals: at once, where `abandon` says that nothing is left of it
    /// that would have to be undone; otherwise by cancelling its task, so that it can undo what it did.
    ///
    /// - Throws: what `work` throws; ``Interruption`` where a signal ended it. Abandoned work may still be going on
    ///   then, until the process ends.
    static func cancelling(
        orAbandoning abandon: @escaping @Sendable () -> Bool, _ work: @escaping @Sendable () async throws -> Void
    ) async throws {
        let (ends, end) = AsyncStream.makeStream(of: Result<Void, any Error>.self)
        let task = Task {
            do {
                try await work()
                end.yield(.success(()))
            } catch {
                end.yield(.failure(error))
            }
        }
        let received = Mutex<Signal?>(nil)
        let sources = sources { signal in
            received.withLock { $0 = $0 ?? signal }
            if abandon() { end.yield(.failure(CancellationError())) }
            task.cancel()
        }
        defer { for source in sources { source.cancel() } }
        do {
            for await result in ends { return try result.get() }
        } catch is CancellationError {
            throw received.withLock { $0 }.map(Interruption.init) ?? CancellationError()
        }
    }

    /// Runs `work`, which may block its thread; `handle` is called on another one when one of these signals arrives
    /// meanwhile, and at its end the signals have their default action again.
    static func handling<Value>(
        _ handle: @escaping @Sendable (Signal) -> Void, _ work: () throws -> Value
    ) rethrows -> Value {
        let sources = sources(handle)
        defer {
            for source in sources { source.cancel() }
            for signal in allCases { _ = systemSignal(signal.rawValue, SIG_DFL) }
        }
        return try work()
    }

    private static func sources(_ handle: @escaping @Sendable (Signal) -> Void) -> [any DispatchSourceSignal] {
        allCases.map { signal in
            // Otherwise the process would end before its source receives the signal.
            _ = systemSignal(signal.rawValue, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: signal.rawValue, queue: .global())
            source.setEventHandler { handle(signal) }
            source.resume()
            return source
        }
    }

    /// Ends the process quietly, as the signal of a closed pipe does unless it is ignored.
    static func endAtClosedPipe() -> Never {
        _ = systemSignal(SIGPIPE, SIG_DFL)
        raise(SIGPIPE)
        exit(128 + SIGPIPE)
    }

    /// Ends the process as the signal would have ended it, so that a shell knows.
    func end() -> Never {
        _ = systemSignal(rawValue, SIG_DFL)
        raise(rawValue)
        exit(128 + rawValue)
    }
}

private func systemSignal(_ number: Int32, _ handler: (@convention(c) (Int32) -> Void)?) -> (
    @convention(c) (Int32) -> Void
)? {
    signal(number, handler)
}
