import Foundation

/// Saves what the user has written. A note that is unchanged keeps its time, and thus its place in the list.
package nonisolated struct SaveNote: Sendable {
    private let notes: any NoteRepository
    private let now: @Sendable () -> Date

    package init(in notes: any NoteRepository, now: @escaping @Sendable () -> Date) {
        (self.notes, self.now) = (notes, now)
    }

    /// - Throws: ``NoteProblem`` if the title is not valid; the errors of the repository.
    package func callAsFunction(_ id: Note.ID, title: String, text: String) async throws {
        let title = try Note.Title(title)
        if let old = try await notes.note(id), old.title == title, old.text == text { return }
        try await notes.save(Note(id: id, title: title, text: text, changed: now()))
    }
}
