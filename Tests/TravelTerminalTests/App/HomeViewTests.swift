import TestConcurrency
import Testing
import TravelDataInMemory
import TravelDomainTesting

@testable import TravelTerminal

@MainActor
@Suite("The list of trips on a terminal", .limitedConcurrency)
struct HomeViewTests {
    private let world = AppWorld()

    private func run(count: UInt64 = 3, language: Language = .english) throws -> AppRun {
        for number in 1...count { try world.add(number, "여행 \(number)", region: number == 2 ? .jeju : .busan) }
        return AppRun(world, language: language)
    }

    @Test("the first frame has the rows, the filters, the user, and the keys")
    func firstFrame() throws {
        let run = try run()
        #expect(run.lines.count == 24)
        #expect(run.lines[0] == " Traveline · Trips" + String(repeating: " ", count: 55) + "나그네")
        #expect(run.lines[1].hasPrefix(" / Search titles") && run.lines[1].hasSuffix("Newest"))
        #expect(run.lines[2].contains("1 Region") && run.line(with: "8 ") != nil)
        #expect(run.line(with: "여행 3")?.hasPrefix("▸ 여행 3") == true)
        #expect(run.line(with: "여행 1")?.hasPrefix("  여행 1") == true)
        #expect(run.lines[23].contains("/ Search") && run.lines[23].hasSuffix("? Help"))
        #expect(run.lines.allSatisfy { $0.displayWidth <= 80 })
    }

    @Test("all texts are Korean for a Korean")
    func korean() throws {
        let run = try run(language: .korean)
        #expect(run.lines[23].contains("이동") && run.lines[23].contains("? 도움말"))
        #expect(run.lines[2].contains("1 지역"))
        #expect(run.text.contains(/[A-Za-z]{5,}/.ignoresCase()) == true, "the name of the app is Latin")
        #expect(!run.text.contains("Search") && !run.text.contains("Region"))
    }

    @Test("moving to the end loads the next page, and the rows before it stay")
    func paging() throws {
        let run = try run(count: 45)
        #expect(run.text.contains("1/20+"))
        run.press(.end, thenPass: 100)
        #expect(run.text.contains("20/40+"))
        run.press(.end, thenPass: 100)
        run.press(.end)
        #expect(run.text.contains("45/45") && run.text.contains("여행 1"))
        run.press(.home)
        #expect(run.text.contains("1/45") && run.text.contains("여행 45"))
    }

    @Test("the entry by which a search found a trip is below the trip, behind all trips that their titles found")
    func matchedEntries() throws {
        for number in UInt64(1)...21 { try world.add(number * 10, "등대 \(number)") }
        for number in UInt64(30)...32 {
            try world.add(number * 10, "여행 \(number)", entries: [(2, 9, "점심 \(number)", "등대 식당")])
        }
        let run = AppRun(world, language: .english)
        run.press(.character("/"))
        run.type("등대")
        run.press(.enter, thenPass: 500)
        #expect(run.line(with: "등대 21")?.hasPrefix("▸ 등대 21") == true)
        run.press(.end, thenPass: 100)
        // A trip more on the first page, behind which the entries stay.
        try world.add(1_000, "등대 새로")
        run.pass(100)
        run.press(.end, thenPass: 100)
        #expect(run.text.contains("25/25"))
        let rows = run.lines.filter { $0.contains("여행 3") || $0.contains("점심 3") }
        #expect(rows.map { $0.contains("점심") } == [false, true, false, true, false, true])
        #expect(run.line(with: "점심 30")?.contains("Day 2 · 점심 30 · 등대 식당") == true)
        #expect(run.line(with: "여행 30")?.hasPrefix("▸ 여행 30") == true)
    }

    @Test("the current row stays current when a trip is added above it")
    func currentRow() throws {
        let run = try run()
        run.press(.down)
        #expect(run.line(with: "▸")?.contains("여행 2") == true)
        try world.add(9, "새 여행")
        run.pass(100)
        #expect(run.text.contains("새 여행"))
        #expect(run.line(with: "▸")?.contains("여행 2") == true)
    }

    @Test("a search is typed in Korean, suggested, picked, and removed by escape")
    func search() throws {
        let run = try run()
        let keyword = try #require(Keyword("밤바다"))
        try world.perform { [recent = world.recentKeywords] _ in
            try await recent.updateRecentKeywords { $0.remember(keyword) }
        }
        run.press(.character("/"), thenPass: 100)
        #expect(run.line(with: "Recent") != nil && run.text.contains("밤바다"))
        run.type("여행 2")
        run.pass(400)
        #expect(run.lines[1].hasPrefix(" / 여행 2"))
        #expect(run.text.contains("Suggestions"))
        let frame = run.app.frame(run.size)
        #expect(frame.cursor == Position(column: 9, row: 1))
        run.press(.down, .enter, thenPass: 100)
        #expect(run.text.contains("1/1") && run.line(with: "▸")?.contains("여행 2") == true)
        #expect(run.app.frame(run.size).cursor == nil)
        run.press(.escape, thenPass: 100)
        // The trip stays current.
        #expect(run.text.contains("2/3"))
    }

    @Test("a keyword that names a region proposes the filter, which is chosen like a suggestion")
    func regionOfKeyword() throws {
        let run = try run()
        run.press(.character("/"))
        run.type("제주")
        run.pass(400)
        #expect(run.text.contains("Region: Jeju"))
        run.press(.down, .enter, thenPass: 100)
        #expect(run.text.contains("✓1 Jeju") && run.text.contains("1/1"))
        #expect(run.lines[1].hasPrefix(" / Search"))
        run.press(.character("/"))
        run.type("jeju")
        run.pass(400)
        #expect(!run.text.contains("Region: Jeju"))
    }

    @Test("a filter is chosen in its sheet, shown as a chip, and cleared")
    func filter() throws {
        let run = try run()
        run.press(.character("1"))
        #expect(run.text.contains("[ ] Seoul"))
        run.press(.end, .up, .space)
        #expect(run.text.contains("[x] Jeju"))
        run.press(.enter, thenPass: 100)
        #expect(run.text.contains("✓1 Jeju") && run.text.contains("1/1"))
        run.press(.character("c"), thenPass: 100)
        #expect(run.text.contains(" 1 Region") && run.text.contains("2/3"))
        run.press(.character("f"), .space, .escape, thenPass: 100)
        #expect(run.text.contains("2/3"))
    }

    @Test("a like shows immediately, and disappears when the store refuses it")
    func like() throws {
        let run = try run()
        run.press(.character("l"))
        #expect(run.line(with: "▸")?.contains("♥ 1") == true)
        run.pass(100)
        world.fail(.setLiked)
        run.press(.character("l"), thenPass: 100)
        #expect(run.line(with: "▸")?.contains("♥ 1") == true)
        #expect(run.text.contains("busy"))
        run.pass(4_100)
        #expect(!run.text.contains("busy"))
    }

    @Test("an error shows its reason, and r tries again")
    func failure() throws {
        world.fail(.observe)
        let run = try run()
        #expect(run.text.contains("The store is busy.") && run.lines[23].contains("r Retry"))
        world.fail()
        run.press(.character("r"), thenPass: 100)
        #expect(run.text.contains("여행 3"))
    }

    @Test("an empty result suggests what to change")
    func empty() throws {
        let run = try run()
        run.press(.character("/"))
        run.type("없다")
        run.press(.enter, thenPass: 100)
        #expect(run.text.contains("No trips found.") && run.text.contains("Try another keyword"))
        #expect(run.lines[23].hasPrefix(" c Clear all"))
        run.press(.down, .up, .enter, .character("l"), .end)
        #expect(run.text.contains("No trips found."))
    }

    @Test("help shows every key, and any key closes it; q leaves the app")
    func help() throws {
        let run = try run()
        run.press(.character("?"))
        #expect(run.line(with: "Ctrl-Z")?.contains("shell") == true && run.line(with: "PgUp") != nil)
        run.press(.character("x"))
        #expect(run.line(with: "Ctrl-Z") == nil)
        run.press(.escape, .backspace, .escape)
        #expect(!run.app.hasEnded)
        run.press(.character("q"))
        #expect(run.app.hasEnded)
    }

    @Test("help that does not fit scrolls, and other keys close it")
    func longHelp() throws {
        let run = try run()
        run.size = Size(columns: 40, rows: 12)
        run.press(.character("?"))
        #expect(run.line(with: "Move") != nil && run.line(with: "Ctrl-C") == nil && run.line(with: " ↓ ") != nil)
        run.press(.pageDown, .pageDown)
        #expect(run.line(with: "Move") == nil && run.line(with: "Ctrl-C") != nil && run.line(with: " ↑ ") != nil)
        run.press(.up)
        #expect(run.line(with: "Ctrl-C") == nil)
        run.press(.home)
        #expect(run.lines[0].hasPrefix(" Traveline"))
    }

    @Test("every size of the terminal is drawn, the smallest included", arguments: [0, 1, 2, 5, 20, 40, 200])
    func sizes(columns: Int) throws {
        let run = try run(count: 30)
        for rows in [0, 1, 2, 3, 5, 10, 60] {
            run.size = Size(columns: columns, rows: rows)
            for keys: [Key] in [
                [], [.character("/")], [.escape, .character("f")], [.escape, .character("?")], [.down],
            ] {
                for key in keys { run.handle(.key(key)) }
                #expect(run.app.frame(run.size).size == run.size)
            }
        }
    }

    @Test("a long text in a title never leaves its row")
    func hostileTitles() throws {
        try world.add(9, "줄\u{202E}바꿈👨‍👩‍👧🇰🇷긴제목긴제목")
        let run = try run()
        #expect(run.lines.allSatisfy { $0.displayWidth <= 80 })
        run.size.columns = 40
        #expect(run.lines.allSatisfy { $0.displayWidth <= 40 })
    }
}
