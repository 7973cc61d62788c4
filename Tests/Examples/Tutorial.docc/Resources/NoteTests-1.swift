import Foundation
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
}
