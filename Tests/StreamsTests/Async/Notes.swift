import Synchronization

/// Stores the values that a test's closures record.
final class Notes<Value: Sendable>: Sendable {
    private let notes = Mutex<[Value]>([])

    var all: [Value] { notes.withLock { $0 } }

    func add(_ value: Value) { notes.withLock { $0.append(value) } }
}
