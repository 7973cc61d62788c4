#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A result that one thread sets and another thread waits for.
package final class BlockingPromise<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, any Error>?>(nil)
    private let arrived = ConditionVariable()

    package init() {}

    @discardableResult
    package func fulfil(_ result: Result<Value, any Error>) -> Bool {
        let isFirst = self.result.withLock { current in
            guard current == nil else { return false }
            current = result
            return true
        }
        arrived.broadcast()
        return isFirst
    }

    package func wait() throws -> Value {
        try result.withLock(after: arrived, while: { $0 == nil }) { $0! }.get()
    }

    /// Blocks the thread until the result is set, and returns it.
    ///
    /// Calls `mayWait` at first and after each `interval`. If it returns false, or if `end` passes first, fails
    /// with the error of `failure`, unless the result has been set in the meantime.
    package func wait(
        for interval: Duration, until end: Deadline, orWhile mayWait: () -> Bool, failure: () -> any Error
    ) throws -> Value {
        while mayWait(), !end.hasPassed {
            if let result = result.withLock(
                after: arrived, until: Deadline(after: interval).earlier(of: end), while: { $0 == nil }, { $0 })
            {
                return try result.get()
            }
        }
        fulfil(.failure(failure()))
        return try wait()
    }
}

/// Starts a detached thread that runs `body`, and returns 0 or the error number.
package func startThread(_ body: @escaping @Sendable () -> Void) -> Int32 {
    final class Body {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }
    let context = Unmanaged.passRetained(Body(body))
    #if canImport(Darwin)
    var thread: pthread_t?
    let code = pthread_create(
        &thread, nil,
        { context in
            Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
            return nil
        }, context.toOpaque())
    if code == 0, let thread { pthread_detach(thread) }
    #else
    var thread = pthread_t()
    let code = pthread_create(
        &thread, nil,
        { context in
            Unmanaged<Body>.fromOpaque(context!).takeRetainedValue().run()
            return nil
        }, context.toOpaque())
    if code == 0 { pthread_detach(thread) }
    #endif
    if code != 0 { context.release() }
    return code
}
