/// Stores notes. `NoteRepositoryContract` states what each implementation promises: what is read equals what was saved.
package nonisolated protocol NoteRepository: Sendable {
    func note(_ id: Note.ID) async throws -> Note?

    /// Stores a note, in place of an earlier one with the same id.
    func save(_ note: Note) async throws

    /// Does nothing if there is no such note.
    func delete(_ id: Note.ID) async throws

    /// The notes that contain `words`, the last changed one first: those of now, and again after changes.
    func watch(matching words: String) -> any AsyncSequence<[Note], any Error> & Sendable
}
