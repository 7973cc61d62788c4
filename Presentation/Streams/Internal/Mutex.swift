public import Synchronization

/// A lock around a value: that of the standard library, in a form that the thread sanitizer understands.
///
/// On Linux a contended lock of the standard library is handed over by the kernel. The sanitizer does not see that, and
/// reports races that are none. Here whoever lets go of the lock releases an atomic that the next one acquires: plain
/// moves on x86, and something for the sanitizer to see.
@usableFromInline
package struct TracedMutex<Value: ~Copyable>: ~Copyable, Sendable {
    @usableFromInline let mutex: Synchronization.Mutex<Value>
    @usableFromInline let handOver = Atomic<UInt8>(0)

    @inlinable
    package init(_ initialValue: consuming sending Value) {
        mutex = Synchronization.Mutex(initialValue)
    }

    /// Calls `body` with the value while no one else can.
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

/// By the name of what it stands in for.
@usableFromInline typealias Mutex = TracedMutex
