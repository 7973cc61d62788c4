import ContractTesting
import Foundation
import NotesData
import NotesDomain
import SQLiteStore
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
        ContractCheck("storing", "notes of any time are read as they were saved") { notes in
            var note = try Note("Packing list", at: 1)
            for index in 0..<2_000 {
                // The years 1 to 9999, between two microseconds.
                let any = Double.random(in: -6e10...2.5e11), close = Double.random(in: -1e9...1e9)
                note.changed = Date(timeIntervalSinceReferenceDate: index % 2 == 0 ? any : close)
                try await notes.save(note)
                try expect(await notes.note(note.id), equals: note, "the note")
            }
            note.changed = Date()
            try await notes.save(note)
            try expect(await notes.note(note.id), equals: note, "the note of now")
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
        ContractCheck("finding", "words are found in title and text, in any case and any composition") { notes in
            let (list, cafe) = (try Note("Packing List", "tent", at: 1), try Note("Places", "CAFE\u{301}", at: 2))
            for note in [list, cafe] { try await notes.save(note) }
            try await found(matching: "pack", in: notes, equals: [list])
            try await found(matching: "TENT", in: notes, equals: [list])
            try await found(matching: "caf\u{e9}", in: notes, equals: [cafe])
        },
        ContractCheck("finding", "% and _ stand for themselves") { notes in
            let note = try Note("100% wool", at: 1)
            try await notes.save(note)
            try await found(matching: "0%", in: notes, equals: [note])
            try await found(matching: "1%l", in: notes, equals: [])
            try await found(matching: "w__l", in: notes, equals: [])
        },
        ContractCheck("watching", "an observer receives the notes of now, and the new order after a change") { notes in
            var (old, new) = (try Note("Old", at: 1), try Note("New", at: 2))
            for note in [old, new] { try await notes.save(note) }
            try await watch(notes.watch(matching: "")) { values in
                try expect(await values.next(), equals: [new, old], "the first value")
                old.changed = Date(timeIntervalSince1970: 3)
                try await notes.save(old)
                try expect(await values.next(), equals: [old, new], "the value after the change")
            }
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

    @Test("notes on SQLite keep the contract", arguments: NoteRepositoryContract.checks)
    func onSQLite(check: ContractCheck<any NoteRepository>) async throws {
        try await check.run {
            SQLiteNoteRepository(try await Database.open(.inMemory, migrations: SQLiteNoteRepository.migrations))
        }
    }
}
