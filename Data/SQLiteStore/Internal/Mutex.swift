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
final class Mutex<Value>: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private var value: Value

    init(_ value: Value) {
        self.value = value
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }

    /// Waits on `condition`, with the mutex unlocked, until `mustWait` returns false; then runs `body`.
    func withLock<Result>(
        after condition: ConditionVariable, while mustWait: (inout Value) -> Bool, _ body: (inout Value) -> Result
    ) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while mustWait(&value) { condition.wait(mutex) }
        return body(&value)
    }
}

/// A condition variable: threads wait on it for a change of a `Mutex` value.
///
/// `@unchecked Sendable`: POSIX condition variables can be used by several threads.
final class ConditionVariable: @unchecked Sendable {
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init() {
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        condition.deallocate()
    }

    /// Wakes one waiting thread.
    func signal() {
        pthread_cond_signal(condition)
    }

    /// Wakes all waiting threads.
    func broadcast() {
        pthread_cond_broadcast(condition)
    }

    fileprivate func wait(_ mutex: UnsafeMutablePointer<pthread_mutex_t>) {
        pthread_cond_wait(condition, mutex)
    }
}
