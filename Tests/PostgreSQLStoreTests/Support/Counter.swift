#if PostgreSQL
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
    final class Locked<Value: Sendable>: Sendable {
        private let value: Mutex<Value>

        init(_ value: Value) {
            self.value = Mutex(value)
        }

        @discardableResult
        func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
            value.withLock { value in body(&value) }
        }
    }
#endif
