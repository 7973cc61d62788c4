import Streams
import Synchronization

/// The scheduler that a test with ``VirtualTimeTrait`` created last. A task-local value, so that each test has its own.
final class VirtualTimeScope: Sendable {
    @TaskLocal static var current: VirtualTimeScope?

    private let adopted = Mutex<(home: TaskEnvironment, seed: UInt64?)?>(nil)

    var home: TaskEnvironment? { adopted.withLock { $0?.home } }
    var seed: UInt64? { adopted.withLock { $0?.seed } }

    func adopt(_ home: TaskEnvironment, _ seed: UInt64?) {
        adopted.withLock { $0 = (home, seed) }
    }
}
