import Foundation
import NotesDomain
import Synchronization

/// Notes that live as long as this object: for tests and previews.
package final class InMemoryNoteRepository: NoteRepository {
    private struct State {
        var notes: [Note]
    }

    private let state: Mutex<State>

    package init(_ notes: [Note] = []) {
        state = Mutex(State(notes: notes))
    }

    package func note(_ id: Note.ID) async throws -> Note? {
        state.withLock { $0.notes.first { $0.id == id } }
    }

    package func save(_ note: Note) async throws {
        state.withLock { $0.notes = $0.notes.filter { $0.id != note.id } + [note] }
    }

    package func delete(_ id: Note.ID) async throws {
        state.withLock { $0.notes.removeAll { $0.id == id } }
    }
}
