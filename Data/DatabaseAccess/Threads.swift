#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A value that is accessed by one thread at a time.
///
/// It uses a POSIX mutex, because the mutex of the standard library has no condition variables, and because the thread
/// sanitizer understands a POSIX mutex.
///
/// `@unchecked Sendable`: the value is accessed only while the mutex is held.
package final class Mutex<Value>: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    @usableFromInline package var value: Value

    package init(_ value: Value) {
        self.value = value
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs `body` with the mutex locked. Inlined, so that the value is accessed without generic code.
    @inlinable
    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock()
        defer { unlock() }
        return try body(&value)
    }

    @usableFromInline
    package func lock() {
        pthread_mutex_lock(mutex)
    }

    @usableFromInline
    package func unlock() {
        pthread_mutex_unlock(mutex)
    }

    /// Waits on `condition`, with the mutex unlocked, until `mustWait` returns false; then runs `body`.
    package func withLock<Result>(
        after condition: ConditionVariable, while mustWait: (inout Value) -> Bool, _ body: (inout Value) -> Result
    ) -> Result {
        lock()
        defer { unlock() }
        while mustWait(&value) { condition.wait(mutex) }
        return body(&value)
    }

    /// Waits on `condition`, with the mutex unlocked, until `mustWait` returns false or `end` has passed; then runs
    /// `body`.
    package func withLock<Result>(
        after condition: ConditionVariable, until end: Deadline, while mustWait: (inout Value) -> Bool,
        _ body: (inout Value) -> Result
    ) -> Result {
        lock()
        defer { unlock() }
        while mustWait(&value), !end.hasPassed { condition.wait(mutex, until: end) }
        return body(&value)
    }
}

/// A condition variable: threads wait on it for a change of a `Mutex` value.
///
/// `@unchecked Sendable`: POSIX condition variables can be used by several threads.
package final class ConditionVariable: @unchecked Sendable {
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    package init() {
        #if canImport(Darwin)
        pthread_cond_init(condition, nil)
        #else
        // Deadlines are times of the monotonic clock.
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
        #endif
    }

    deinit {
        pthread_cond_destroy(condition)
        condition.deallocate()
    }

    package func signal() {
        pthread_cond_signal(condition)
    }

    package func broadcast() {
        pthread_cond_broadcast(condition)
    }

    fileprivate func wait(_ mutex: UnsafeMutablePointer<pthread_mutex_t>) {
        pthread_cond_wait(condition, mutex)
    }

    /// Waits until the condition is signalled or `end` has passed; may return early.
    fileprivate func wait(_ mutex: UnsafeMutablePointer<pthread_mutex_t>, until end: Deadline) {
        guard let nanoseconds = end.nanoseconds else { return wait(mutex) }
        #if canImport(Darwin)
        let rest = max(nanoseconds - MonotonicClock.now(), 0)
        var time = timespec(tv_sec: rest / 1_000_000_000, tv_nsec: rest % 1_000_000_000)
        pthread_cond_timedwait_relative_np(condition, mutex, &time)
        #else
        var time = timespec(tv_sec: nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000)
        pthread_cond_timedwait(condition, mutex, &time)
        #endif
    }
}

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

package func blockThread(for duration: Duration) {
    let (seconds, attoseconds) = duration.components
    var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    nanosleep(&time, nil)
}

/// A time of the monotonic clock, or no deadline.
package struct Deadline: Sendable {
    /// The time in nanoseconds; nil if there is no deadline.
    package let nanoseconds: Int?

    package static let never = Deadline(after: nil)

    /// Creates a deadline that passes after `duration`; without one, or if the clock cannot represent the time, it
    /// never passes.
    package init(after duration: Duration?) {
        guard let duration else {
            nanoseconds = nil
            return
        }
        let (seconds, attoseconds) = duration.components
        let (scaled, overflow) = Int(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        let (time, overflowsAgain) = (MonotonicClock.now() + Int(attoseconds / 1_000_000_000))
            .addingReportingOverflow(scaled)
        nanoseconds = overflow || overflowsAgain ? nil : time
    }

    package func earlier(of other: Deadline) -> Deadline {
        guard let nanoseconds, let time = other.nanoseconds else { return nanoseconds == nil ? other : self }
        return nanoseconds < time ? self : other
    }

    package func postponed(by duration: Int) -> Deadline {
        guard let (time, overflows) = nanoseconds?.addingReportingOverflow(duration) else { return self }
        return Deadline(nanoseconds: overflows ? nil : time)
    }

    private init(nanoseconds: Int?) {
        self.nanoseconds = nanoseconds
    }

    package var hasPassed: Bool {
        guard let nanoseconds else { return false }
        return MonotonicClock.now() >= nanoseconds
    }

    /// The remaining time in milliseconds for `poll`: at least 0, and at most `limit`.
    package func milliseconds(atMost limit: Int32) -> Int32 {
        guard let nanoseconds else { return limit }
        // Rounded up, so that the deadline has passed when `poll` returns.
        let rest = (max(nanoseconds - MonotonicClock.now(), 0) + 999_999) / 1_000_000
        return Int32(min(rest, Int(limit)))
    }
}

/// The system's monotonic clock, read without the overhead of `ContinuousClock`.
package enum MonotonicClock {
    /// The time since an unspecified start, in nanoseconds.
    package static func now() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}

/// A variable of which each thread has its own, nil in a new thread.
struct ThreadLocal: Sendable {
    private let key: pthread_key_t

    init() {
        var key = pthread_key_t()
        let code = pthread_key_create(&key, nil)
        precondition(code == 0, "the system has no thread-local storage key left (error \(code))")
        self.key = key
    }

    var value: UnsafeMutableRawPointer? {
        get { pthread_getspecific(key) }
        nonmutating set { pthread_setspecific(key, newValue) }
    }
}

/// Tracks the databases that the current thread is accessing, to detect re-entrant accesses.
package enum CurrentAccess {
    /// The innermost access, linked to the enclosing ones. It is stored on the stack of the accessing thread.
    private struct Frame {
        let database: ObjectIdentifier
        let outer: UnsafeMutableRawPointer?
    }

    private static let innermost = ThreadLocal()

    /// Runs `body` as an access to `database`.
    package static func enter<Result>(_ database: AnyObject, _ body: () throws -> Result) rethrows -> Result {
        let outer = innermost.value
        var frame = Frame(database: ObjectIdentifier(database), outer: outer)
        return try withUnsafeMutablePointer(to: &frame) { frame in
            innermost.value = UnsafeMutableRawPointer(frame)
            defer { innermost.value = outer }
            return try body()
        }
    }

    /// Throws the error for `nested` if the thread is within an access to `database`, because another one could
    /// deadlock.
    package static func check(_ database: AnyObject, orThrow error: (AccessFailure) -> any Error) throws {
        var next = innermost.value
        while let frame = next?.assumingMemoryBound(to: Frame.self).pointee {
            if frame.database == ObjectIdentifier(database) { throw error(.nested) }
            next = frame.outer
        }
    }
}
