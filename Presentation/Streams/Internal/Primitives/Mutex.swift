public import Synchronization

/// A lock around a value: the mutex of the standard library, in a form that the thread sanitizer understands.
///
/// On Linux the kernel hands over a contended standard-library mutex. The sanitizer does not see that and reports false
/// races, also in programs that use this package (Swift 6.3.1). Here each unlock stores to an atomic with release
/// ordering, and the next lock loads it with acquire ordering: plain moves on x86, which the sanitizer recognises as
/// synchronisation.
@usableFromInline
package struct TracedMutex<Value: ~Copyable>: ~Copyable, Sendable {
    @usableFromInline let mutex: Synchronization.Mutex<Value>
    @usableFromInline let handOver = Atomic<UInt8>(0)

    @inlinable
    package init(_ initialValue: consuming sending Value) {
        mutex = Synchronization.Mutex(initialValue)
    }

    /// Calls `body` with exclusive access to the value.
    @inlinable
    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try mutex.withLock { value throws(Failure) in
            _ = handOver.load(ordering: .acquiring)
            defer { handOver.store(0, ordering: .releasing) }
            return try body(&value)
        }
    }
}

/// The name of the standard-library type that it replaces.
@usableFromInline typealias Mutex = TracedMutex
