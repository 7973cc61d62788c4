public import Synchronization

/// The standard library's mutex, seen by the thread sanitizer too.
///
/// NB: on Linux the contended path of `Synchronization.Mutex` is inside the standard library, which is not
/// instrumented, so the sanitizer takes what two threads do under one lock for a race (Swift 6.3). The atomic load and
/// store at the two ends of the critical section show it the order that the lock makes; they cost next to nothing.
@usableFromInline
struct Mutex<Value>: ~Copyable {
    @usableFromInline let lock: Synchronization.Mutex<Value>
    @usableFromInline let order = Atomic(false)

    @inlinable
    init(_ initialValue: consuming sending Value) {
        lock = Synchronization.Mutex(initialValue)
    }

    /// Calls `body` with the value, while no one else can touch it.
    @inlinable
    func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try lock.withLock { value throws(Failure) -> sending Result in
            _ = order.load(ordering: .acquiring)
            defer { order.store(true, ordering: .releasing) }
            return try body(&value)
        }
    }
}

extension Mutex: Sendable {}
