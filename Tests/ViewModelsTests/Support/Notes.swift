import Synchronization

/// Records values in order, for a test to compare.
final class Notes<Note: Sendable>: Sendable {
    private let notes = Mutex<[Note]>([])

    var all: [Note] { notes.withLock { $0 } }

    func add(_ note: Note) {
        notes.withLock { $0.append(note) }
    }
}
