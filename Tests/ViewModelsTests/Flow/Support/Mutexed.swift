import Streams

/// A value that any thread may change.
final class Mutexed<Value: Sendable>: Sendable {
    private let mutex: TracedMutex<Value>

    init(_ value: Value) {
        mutex = TracedMutex(value)
    }

    var value: Value { mutex.withLock { $0 } }

    func change(_ body: @Sendable (inout Value) -> Void) {
        mutex.withLock { body(&$0) }
    }
}
