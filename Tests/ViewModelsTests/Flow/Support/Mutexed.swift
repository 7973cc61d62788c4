import Synchronization

/// A value that any thread may change.
final class Mutexed<Value: Sendable>: Sendable {
    private let mutex: Mutex<Value>

    init(_ value: Value) {
        mutex = Mutex(value)
    }

    var value: Value { mutex.withLock { $0 } }

    func change(_ body: @Sendable (inout Value) -> Void) {
        mutex.withLock { body(&$0) }
    }
}
