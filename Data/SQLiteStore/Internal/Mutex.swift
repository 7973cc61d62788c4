#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// A value that one thread at a time may touch.
///
/// It is the system's own mutex instead of the standard library's, because the thread sanitizer knows what that means.
///
/// `@unchecked Sendable`: the value is reached with the mutex held only.
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

    /// Waits, without the mutex meanwhile, for `condition` to be signalled until `mustWait` is false; then runs `body`.
    func withLock<Result>(
        after condition: ConditionVariable, while mustWait: (inout Value) -> Bool, _ body: (inout Value) -> Result
    ) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while mustWait(&value) { condition.wait(mutex) }
        return body(&value)
    }
}

/// What threads wait for that found a `Mutex` value as they cannot use it.
///
/// `@unchecked Sendable`: it is made to be used by several threads at once.
final class ConditionVariable: @unchecked Sendable {
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init() {
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        condition.deallocate()
    }

    /// Wakes one thread that waits.
    func signal() {
        pthread_cond_signal(condition)
    }

    /// Wakes every thread that waits.
    func broadcast() {
        pthread_cond_broadcast(condition)
    }

    fileprivate func wait(_ mutex: UnsafeMutablePointer<pthread_mutex_t>) {
        pthread_cond_wait(condition, mutex)
    }
}
