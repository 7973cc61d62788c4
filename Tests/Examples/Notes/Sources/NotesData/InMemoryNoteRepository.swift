import Foundation
import NotesDomain
import Synchronization

/// Notes that live as long as this object: for tests and previews.
package final class InMemoryNoteRepository: NoteRepository {
    private struct State {
        /// Sent under the lock, so that observers receive the changes in their order; `yield` only stores the value.
        var notes: [Note] { didSet { for send in observers.values { send(notes) } } }
        var observers: [UUID: @Sendable ([Note]) -> Void] = [:]
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

    package func watch(matching words: String) -> any AsyncSequence<[Note], any Error> & Sendable {
        let words = Note.searchText(words)
        return AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let observer = UUID()
            let send = { @Sendable (notes: [Note]) in
                let found = notes.filter { words.isEmpty || $0.searchText.contains(words) }
                continuation.yield(found.sorted { $0.changed > $1.changed })
            }
            state.withLock { state in
                state.observers[observer] = send
                send(state.notes)
            }
            continuation.onTermination = { [weak self] _ in
                _ = self?.state.withLock { $0.observers.removeValue(forKey: observer) }
            }
        }
    }
}
