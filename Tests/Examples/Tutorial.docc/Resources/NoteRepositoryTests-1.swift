import ContractTesting
import Foundation
import NotesData
import NotesDomain
import Testing

/// What every implementation of `NoteRepository` promises.
nonisolated enum NoteRepositoryContract {
    static let checks: [ContractCheck<any NoteRepository>] = [
        ContractCheck("storing", "a saved note is found by its id, in every detail") { notes in
            let note = try Note("Packing list", "tent\nstove", at: 1)
            try await notes.save(note)
            try expect(await notes.note(note.id), equals: note, "the note")
            try expect(await notes.note(UUID()), equals: nil, "a note with another id")
        },
        ContractCheck("storing", "saving again replaces the note") { notes in
            var note = try Note("Packing list", at: 1)
            try await notes.save(note)
            note.title = try Note.Title("What to pack")
            try await notes.save(note)
            try await found(matching: "", in: notes, equals: [note])
        },
        ContractCheck("storing", "a deleted note is gone, and deleting it again does nothing") { notes in
            let note = try Note("Packing list", at: 1)
            try await notes.save(note)
            for _ in 1...2 { try await notes.delete(note.id) }
            try expect(await notes.note(note.id), equals: nil, "the note")
        },
    ]

    private static func found(
        matching words: String, in notes: any NoteRepository, equals expected: [Note]
    ) async throws {
        try await watch(notes.watch(matching: words)) { values in
            try expect(await values.next(), equals: expected, "the notes that match '\(words)'")
        }
    }
}

@Suite("Repositories of notes", .timeLimit(.minutes(1)))
struct NoteRepositoryTests {
    @Test("notes in memory keep the contract", arguments: NoteRepositoryContract.checks)
    func inMemory(check: ContractCheck<any NoteRepository>) async throws {
        try await check.run { InMemoryNoteRepository() }
    }
}
