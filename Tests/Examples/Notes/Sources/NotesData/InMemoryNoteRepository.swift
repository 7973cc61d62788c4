import NotesDomain
import Synchronization

/// Notes that live as long as this object: for tests and previews.
package final class InMemoryNoteRepository: NoteRepository {
    private struct State {
        var notes: [Note]
        var lastObserver = 0
        var observers: [Int: @Sendable ([Note]) -> Void] = [:]
    }

    private let state: Mutex<State>

    package init(_ notes: [Note] = []) {
        state = Mutex(State(notes: notes))
    }

    package func note(_ id: Note.ID) async throws -> Note? {
        state.withLock { $0.notes.first { $0.id == id } }
    }

    package func save(_ note: Note) async throws {
        change { $0 = $0.filter { $0.id != note.id } + [note] }
    }

    package func delete(_ id: Note.ID) async throws {
        change { $0.removeAll { $0.id == id } }
    }

    package func watch(matching words: String) -> any AsyncSequence<[Note], any Error> & Sendable {
        let words = Note.searchText(words)
        return AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let observer = state.withLock { state in
                state.lastObserver += 1
                let send = { @Sendable (notes: [Note]) in
                    let found = notes.filter { words.isEmpty || $0.searchText.contains(words) }
                    continuation.yield(found.sorted { $0.changed > $1.changed })
                }
                state.observers[state.lastObserver] = send
                send(state.notes)
                return state.lastObserver
            }
            continuation.onTermination = { [weak self] _ in
                _ = self?.state.withLock { $0.observers.removeValue(forKey: observer) }
            }
        }
    }

    /// Sends under the lock, so that observers receive the changes in their order; `yield` only stores the value.
    private func change(_ body: (inout [Note]) -> Void) {
        state.withLock { state in
            body(&state.notes)
            for send in state.observers.values { send(state.notes) }
        }
    }
}
