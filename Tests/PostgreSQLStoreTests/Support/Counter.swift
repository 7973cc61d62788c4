#if PostgreSQL
import Foundation
import Synchronization

/// A number that several threads count up.
final class Counter: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .acquiring) }

    /// Adds one, and returns the sum.
    @discardableResult
    func increment() -> Int { count.add(1, ordering: .acquiringAndReleasing).newValue }
}

/// A value that one thread at a time accesses.
///
/// `@unchecked Sendable`: the value is accessed only while the lock is held.
final class Locked<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) {
        self.value = value
    }

    @discardableResult
    func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        lock.withLock { body(&value) }
    }
}
#endif
