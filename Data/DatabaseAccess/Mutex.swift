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
