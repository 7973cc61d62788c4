import TestTurns
import Testing
import TravelDataInMemory
import TravelDomainTesting

@testable import TravelTerminal

@MainActor
@Suite("A travel on a terminal", .takesTurns(within: .seconds(60)))
struct TimelineViewTests {
    private let world = AppWorld()

    /// The app with a travel opened.
    private func run(by author: User = AppWorld.jun) throws -> AppRun {
        try world.add(
            1, "부산 밤바다", by: author,
            entries: [
                (1, 9, "광안리", "광안리 해수욕장"), (1, 13, "점심", nil), (1, 18, "해운대", "해운대"), (2, 8, "아침", "다대포"),
            ])
        let run = AppRun(world)
        run.press(.enter)
        run.pass(100)
        return run
    }

    @Test("the header, the days, the cards and the map of the first day are shown")
    func day() throws {
        let run = try run()
        #expect(run.text.contains("부산 밤바다") && run.text.contains("♡ 0 likes"))
        #expect(run.text.contains("01 Wed") && run.text.contains("02 Thu"))
        #expect(run.line(with: "09:00")?.contains("1 광안리 · 광안리 해수욕장") == true)
        #expect(run.line(with: "13:00")?.contains("2 점심") == true)
        #expect(run.line(with: "18:00")?.contains("3 해운대") == true)
        // The map has the numbers of the entries, which go on from day to day.
        #expect(run.text.contains("3 해운대 ") && !run.text.contains("2 해운대"))
        run.press(.right)
        #expect(run.line(with: "08:00")?.contains("4 아침") == true && run.text.contains("4 다대포"))
        run.press(.left)
        #expect(run.text.contains(where: { ("\u{2801}"..."\u{28FF}").contains($0) }))
    }

    @Test("the days are changed by arrows and digits, and end at the last")
    func days() throws {
        let run = try run()
        run.press(.right)
        #expect(run.text.contains("08:00") && !run.text.contains("09:00"))
        run.press(.right, .right)
        #expect(run.text.contains("08:00"))
        run.press(.character("1"))
        #expect(run.text.contains("09:00"))
    }

    @Test("an entry opens and closes")
    func entry() throws {
        let run = try run()
        run.press(.down, .enter)
        run.pass(100)
        #expect(run.text.contains("Day 1") && run.text.contains("13:00") && run.text.contains("긴 이야기"))
        run.press(.escape)
        run.pass(100)
        #expect(run.line(with: "▸")?.contains("점심") == true)
        run.press(.escape)
        run.pass(100)
        #expect(run.text.contains("1 Region"))
    }

    @Test("the map fills the screen with numbered stops, and follows the day")
    func map() throws {
        let run = try run()
        run.press(.character("m"))
        run.pass(100)
        #expect(run.lines[0].contains("Map") && run.text.contains("1 광안리 해수욕장") && run.text.contains("3 해운대"))
        run.press(.right)
        #expect(run.text.contains("4 다대포"))
        run.press(.escape)
        #expect(!run.lines[0].contains("Map"))
    }

    @Test("deleting asks first, and returns to the list without the travel")
    func delete() throws {
        let run = try run(by: AppWorld.me)
        run.press(.character("D"))
        #expect(run.text.contains("[ Cancel ] [ Delete ]"))
        run.press(.enter)
        #expect(!run.text.contains("[ Cancel ]") && world.changes == [])
        run.press(.character("D"), .right, .enter)
        run.pass(200)
        #expect(world.changes == [.update])
        #expect(run.text.contains("Trip deleted.") && run.text.contains("No trips found."))
    }

    @Test("others report and block, the author edits and deletes")
    func rights() throws {
        let run = try run()
        #expect(run.lines[23].contains("x Report") && !run.lines[23].contains("Delete"))
        run.press(.character("D"), .character("d"), .character("n"))
        #expect(!run.text.contains("[ Cancel ]"))
        run.press(.character("x"), .right, .enter)
        run.pass(100)
        #expect(world.changes == [.report] && run.text.contains("Reported."))
        run.press(.character("b"), .right, .enter)
        run.pass(200)
        #expect(world.changes == [.report, .block] && run.text.contains("No trips found."))
    }

    @Test("the question before a deletion names what would be deleted")
    func namedQuestions() throws {
        let run = try run(by: AppWorld.me)
        run.press(.down, .character("d"))
        #expect(run.text.contains("'점심'") && run.text.contains("Delete this entry?"))
        run.press(.escape, .down, .character("d"))
        #expect(run.text.contains("'해운대'"))
        run.press(.escape, .character("D"))
        #expect(run.text.contains("'부산 밤바다'") && run.text.contains("with all its entries?"))
        run.press(.escape, .down, .enter)
        run.pass(100)
        run.press(.character("d"))
        #expect(run.text.contains("'해운대'") && run.text.contains("Delete this entry?"))
    }

    @Test("a travel that is deleted elsewhere says so")
    func gone() throws {
        let run = try run()
        try world.perform { _ = try await $0.update(.init(seed: 1), by: AppWorld.jun.id) { _ in nil } }
        run.pass(100)
        #expect(run.text.contains("no longer exists"))
        run.press(.escape)
        run.pass(100)
        #expect(run.text.contains("No trips found."))
    }

    @Test("every size of the terminal is drawn, with a question open as well", arguments: [0, 1, 3, 20, 76, 120])
    func sizes(columns: Int) throws {
        let run = try run(by: AppWorld.me)
        for rows in [0, 1, 2, 4, 8, 50] {
            run.size = Size(columns: columns, rows: rows)
            for keys: [Key] in [[.character("D")], [.escape, .character("m")], [.escape, .enter], [.escape, .down]] {
                for key in keys { run.handle(.key(key)) }
                #expect(run.app.frame(run.size).size == run.size)
            }
        }
    }
}
