import Synchronization

/// Messages that were reported.
final class Messages: Sendable {
    private let messages = Mutex<[String]>([])

    var all: [String] { messages.withLock { $0 } }

    func add(_ message: String) {
        messages.withLock { $0.append(message) }
    }
}
