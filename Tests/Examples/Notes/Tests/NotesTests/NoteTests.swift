import Foundation
import NotesData
import NotesDomain
import Testing

@Suite("A note", .timeLimit(.minutes(1)))
struct NoteTests {
    @Test("a title has 1 to 60 characters, without spaces at its ends")
    func titles() throws {
        #expect(try Note.Title("  Packing list\n").text == "Packing list")
        #expect(throws: NoteProblem.emptyTitle) { try Note.Title("  ") }
        #expect(try Note.Title(String(repeating: "짐", count: 60)).text.count == 60)
        #expect(throws: NoteProblem.longTitle) { try Note.Title(String(repeating: "짐", count: 61)) }
    }

    @Test("saving a change stamps its time; saving without a change keeps it")
    func saving() async throws {
        let notes = InMemoryNoteRepository()
        let id = UUID()
        func save(_ text: String, at second: TimeInterval) async throws -> Date? {
            let save = SaveNote(in: notes) { Date(timeIntervalSince1970: second) }
            try await save(id, title: "Packing list", text: text)
            return try await notes.note(id)?.changed
        }

        #expect(try await save("tent", at: 10) == Date(timeIntervalSince1970: 10))
        #expect(try await save("tent", at: 20) == Date(timeIntervalSince1970: 10))
        #expect(try await save("tent, stove", at: 30) == Date(timeIntervalSince1970: 30))
    }

    @Test("the time of a note has whole microseconds, however it is set")
    func times() throws {
        let seconds = 800_000_000.123_456
        for part in [0, 1e-7, -3e-7] {
            var note = try Note("Packing list", at: 1)
            note.changed = Date(timeIntervalSinceReferenceDate: seconds + part)
            #expect(note.changed == Date(timeIntervalSinceReferenceDate: seconds))
            #expect(note == Note(id: note.id, title: note.title, text: note.text, changed: note.changed))
        }
    }

    @Test("a note without a valid title is not saved")
    func savingNoTitle() async throws {
        let notes = InMemoryNoteRepository()
        let id = UUID()

        await #expect(throws: NoteProblem.emptyTitle) {
            try await SaveNote(in: notes, now: Date.init)(id, title: " ", text: "tent")
        }
        #expect(try await notes.note(id) == nil)
    }
}

nonisolated extension Note {
    /// A note that was changed at a number of seconds, which is its id, too.
    init(_ title: String, _ text: String = "", at second: UInt8) throws {
        let id = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, second))
        self.init(
            id: id, title: try Title(title), text: text, changed: Date(timeIntervalSince1970: TimeInterval(second)))
    }
}
