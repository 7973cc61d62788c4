import TestConcurrency
import Testing
import TravelDataInMemory
import TravelDomainTesting

@testable import TravelTerminal

@MainActor
@Suite("Editors on a terminal", .limitedConcurrency)
struct EditorViewTests {
    private let world = AppWorld()

    /// The app with a trip of the user, where each of the keys has opened a screen.
    private func run(opening keys: Key...) throws -> AppRun {
        try world.add(1, "부산 밤바다", by: AppWorld.me, entries: [(1, 9, "광안리", "광안리 해수욕장")])
        let run = AppRun(world)
        for key in keys { run.press(key, thenPass: 100) }
        return run
    }

    @Test("a trip is written in Korean, saved once it is valid, and is in the list")
    func newTrip() throws {
        let run = try run(opening: .character("n"))
        #expect(run.lines[0].hasPrefix(" New trip") && run.text.contains("[ Save ]"))
        #expect(run.app.frame(run.size).cursor != nil)
        run.type("제주 올레길")
        run.press(.tab)
        run.type("2026-05-01")
        #expect(run.line(with: "Last day")?.contains("2026-05-01") == true)
        run.press(.tab)
        run.press(.control("u"))
        run.type("2026-04-30")
        run.press(.tab, thenPass: 50)
        #expect(run.text.contains("! "))
        run.press(.control("s"))
        #expect(world.changes == [])
        run.press(.backTab, .backspace, .backspace, .backspace)
        run.type("5-03")
        run.press(.backspace, .backspace, .backspace, .backspace, .backspace)
        run.type("-05-03")
        run.press(.control("u"))
        run.type("2026-05-03")
        run.press(.tab, .end, .left, .space)
        #expect(run.text.contains("✓Jeju"))
        // Twice, before an answer can arrive.
        run.pressAtOnce(.control("s"), .control("s"))
        run.pass(200)
        #expect(world.changes == [.addTrips])
        #expect(run.text.contains("Saved.") && run.line(with: "▸")?.contains("제주 올레길") == true)
    }

    @Test(
        "dropped files are separated where a new path begins",
        arguments: [
            ("", []), ("a b.jpg", ["a b.jpg"]), ("/a/1.jpg /a/2.jpg", ["/a/1.jpg", "/a/2.jpg"]),
            (#"'/a b/1.jpg' '/a b/2.jpg' "#, ["'/a b/1.jpg'", "'/a b/2.jpg'"]),
            (#"/a\ b/1.jpg ~/c d.jpg"#, [#"/a\ b/1.jpg"#, "~/c d.jpg"]), (#""/a /b" /c"#, [#""/a /b""#, "/c"]),
        ])
    func droppedPaths(text: String, paths: [String]) {
        #expect(text.droppedPaths == paths)
    }

    @Test("leaving a changed form asks, and discarding changes nothing")
    func discard() throws {
        let run = try run(opening: .character("n"))
        run.press(.escape)
        #expect(run.lines[0].hasPrefix(" Traveline"))
        run.press(.character("n"))
        run.type("q?제목")
        run.press(.escape)
        #expect(run.text.contains("Discard your changes?"))
        run.press(.character("?"))
        #expect(run.text.contains("Ctrl-Z"))
        run.press(.escape)
        #expect(run.text.contains("Discard your changes?"))
        run.press(.enter)
        #expect(run.text.contains("q?제목") && !run.text.contains("Discard your"))
        run.press(.escape, .right, .enter, thenPass: 100)
        #expect(run.lines[0].hasPrefix(" Traveline") && world.changes == [])
    }

    @Test("Ctrl-C leaves a changed form only when it is pressed twice in succession")
    func interrupt() throws {
        let run = try run(opening: .character("n"))
        run.type("제목")
        run.press(.control("c"))
        #expect(!run.app.hasEnded && run.text.contains("Ctrl-C again quits without saving"))
        run.press(.character("!"))
        #expect(run.text.contains("제목!") && !run.text.contains("Ctrl-C again"))
        run.press(.control("c"))
        #expect(!run.app.hasEnded)
        run.press(Key(.function(1)))
        #expect(run.text.contains("Quit; twice without saving"))
        run.press(.escape, .control("c"), .control("c"))
        #expect(run.app.hasEnded && world.changes == [])
    }

    @Test("Ctrl-C leaves a form without changes immediately")
    func interruptUnchanged() throws {
        let run = try run(opening: .character("n"))
        run.press(.control("c"))
        #expect(run.app.hasEnded)
    }

    @Test("F1 shows the help where a question mark is typed, and no key leaves a changed form unasked")
    func help() throws {
        let run = try run()
        run.press(.character("n"))
        #expect(run.lines[23].hasSuffix("F1 Help"))
        run.press(.character("?"), Key(.function(1)))
        #expect(run.text.contains("Ctrl-S") && run.text.contains("Ctrl-Z"))
        run.press(.escape)
        #expect(run.line(with: "Title")?.contains("?") == true && !run.text.contains("Ctrl-Z"))
        // On a row of chips these keys mean nothing, and must not close the form.
        run.press(.tab, .tab, .tab, .character("q"), .backspace, .delete)
        #expect(run.lines[0].hasPrefix(" New trip"))
        run.press(.character("?"))
        #expect(run.text.contains("Ctrl-Z"))
    }

    /// Opens the editor of the trip, types a longer title, and saves it after another device has changed the trip.
    private func conflict(_ change: @escaping @Sendable (inout TripContent) -> Void) throws -> AppRun {
        let run = try run(opening: .enter, .character("t"))
        #expect(run.lines[0].hasPrefix(" Edit trip") && run.text.contains("부산 밤바다"))
        run.type(" 둘")
        try world.perform { store in
            try await store.update(.init(seed: 1), by: AppWorld.me.id) { trip throws(TravelError) in
                var content = trip.content
                change(&content)
                return try trip.with(content)
            }
        }
        run.press(.control("s"), thenPass: 200)
        return run
    }

    @Test(
        "a title that was changed here and elsewhere shows both versions, and mine can be kept, or theirs chosen",
        arguments: [false, true])
    func conflict(takes: Bool) throws {
        let title = try Title("다른 제목")
        let run = try conflict { content in (content.title, content.region) = (title, .jeju) }
        #expect(run.text.contains("Your version") && run.text.contains("Stored version"))
        #expect(run.line(with: "다른 제목")?.contains("● 부산 밤바다 둘") == true)
        #expect(run.line(with: "→ Jeju") != nil)
        if takes {
            run.press(.down, .space)
            #expect(run.line(with: "다른 제목")?.contains("● 다른 제목") == true)
        }
        run.press(.enter, thenPass: 200)
        #expect(run.text.contains("Saved.") && run.text.contains(takes ? "다른 제목" : "부산 밤바다 둘"))
        #expect(run.text.contains("Jeju"))
    }

    @Test("what was changed elsewhere only is said before it is merged")
    func merge() throws {
        let run = try conflict { $0.region = .jeju }
        #expect(!run.text.contains("Your version") && run.text.contains("Merge and save"))
        #expect(run.line(with: "→ Jeju") != nil)
        run.press(.enter, thenPass: 200)
        #expect(run.text.contains("Saved.") && run.text.contains("부산 밤바다 둘") && run.text.contains("Jeju"))
        #expect(world.changes == [.update, .update])
    }

    @Test("an entry is written with a place that was searched, on the second day")
    func newEntry() throws {
        let run = try run(opening: .enter, .character("n"))
        #expect(run.lines[0].hasPrefix(" Add entry") && run.text.contains("Day 1 · 01 Wed"))
        run.press(.right)
        #expect(run.text.contains("Day 2 · 02 Thu"))
        run.press(.tab, .control("u"))
        run.type("18:30")
        run.press(.tab)
        run.type("해운대 산책")
        run.press(.tab)
        run.type("해운대")
        run.pass(400)
        #expect(run.text.contains("[ 해운대 해수욕장, 부산 해운대구 ]"))
        run.press(.down, .enter)
        #expect(run.text.contains("Remove place"))
        run.type("파도가 높았다.")
        run.handle(.paste("둘째 줄\r\n셋째 줄"))
        run.press(.control("s"), thenPass: 200)
        #expect(world.changes == [.update])
        // The trip shows the day of the entry.
        #expect(run.line(with: "18:30")?.contains("2 해운대 산책 · 해운대 해수욕장") == true)
        #expect(run.text.contains("파도가 높았다.둘째 줄 셋째 줄"))
    }

    @Test("an entry is edited, and a missing photo says so beside its field")
    func editEntry() throws {
        let run = try run(opening: .enter, .character("e"))
        #expect(run.text.contains("09:00") && run.text.contains("Remove place"))
        run.press(.end, .tab, .tab, .tab, .tab, .tab)
        run.press(.backTab, .backTab, .backTab)
        run.type("!")
        #expect(run.text.contains("광안리!"))
        run.press(.control("s"), thenPass: 200)
        #expect(world.changes == [.update] && run.text.contains("광안리!"))
    }

    @Test("Ctrl-S reads the photo whose path was typed, before anything is saved")
    func typedPath() throws {
        let run = try run(opening: .enter, .character("e"))
        run.press(.tab, .tab, .tab, .tab, .tab)
        run.type("nowhere.jpg")
        run.press(.control("s"), thenPass: 200)
        #expect(run.text.contains("There is no such file.") && world.changes == [])
    }

    @Test("the path of a photo that was typed is not lost: leaving asks, and a failed save keeps it")
    func keepsTypedPath() throws {
        let run = try run(opening: .enter, .character("e"))
        run.press(.tab, .tab, .tab, .tab, .tab)
        run.type("photo.png")
        run.press(.escape)
        #expect(run.text.contains("Discard your changes?"))
        run.press(.enter)
        #expect(run.text.contains("Remove photo"))
        run.press(.enter, .backTab)
        run.type("!")
        run.press(.tab)
        world.fail(.update)
        let session = HeadlessSession(run.app, run.size, environment: [:])
        for key: Key in [.control("s"), .character("x"), .control("s"), .tab] {
            run.send([.key(key)], to: session)
            run.pass(4)
        }
        run.pass(200)
        #expect(world.changes == [.update] && run.text.contains("The store is busy."))
        #expect(run.line(with: "Photo")?.contains("x") == true)
    }

    @Test("Ctrl-S beside the path of a photo reads the photo, then saves", arguments: ["e", "t"])
    func savesTypedPath(editor: Character) throws {
        let run = try run(opening: .enter, .character(editor))
        // To the button that saves, if it is enabled, and back to the photo.
        for _ in 1...20 where run.line(with: "Photo")?.contains("photo.png") != true {
            run.press(.tab)
            if run.app.frame(run.size).cursor?.row == run.lines.firstIndex(where: { $0.contains("Photo") }) {
                run.type("photo.png")
            }
        }
        run.press(.control("s"), thenPass: 200)
        #expect(world.changes == [.update])
        #expect(run.text.contains("Saved."))
    }

    @Test("the last day is the first day until one is typed, which starts an empty field")
    func lastDay() throws {
        let run = try run(opening: .character("n"))
        run.type("올레길")
        run.press(.tab)
        run.type("2026-05-01")
        #expect(run.line(with: "Last day")?.contains("2026-05-01") == true)
        run.press(.tab)
        run.type("2026-05-03")
        #expect(run.line(with: "Last day")?.contains("2026-05-03") == true)
        #expect(run.line(with: "Last day")?.contains("2026-05-01") == false)
        run.press(.tab, .space, .control("s"), thenPass: 200)
        #expect(world.changes == [.addTrips])
        #expect(run.text.contains("2026-05-01") && run.text.contains("3"))
    }

    @Test("a new trip that was not saved is continued after the app was left")
    func draft() throws {
        let first = try run(opening: .character("n"))
        first.type("올레길 \"일부\"")
        first.press(.tab)
        first.type("2026-05-0")
        first.press(.control("c"), .control("c"))
        #expect(first.app.hasEnded)
        let second = AppRun(world, restoring: first.app.openScreens)
        #expect(second.lines[0].hasPrefix(" New trip"))
        #expect(second.line(with: "Title")?.contains("올레길 \"일부\"") == true)
        #expect(second.line(with: "First day")?.contains("2026-05-0") == true)
        second.press(.escape)
        #expect(second.text.contains("Discard your changes?"))
        second.press(.right, .enter, thenPass: 100)
        #expect(second.app.openScreens == "traveline://home")
    }

    @Test("an entry that was not saved is continued after the app was left", arguments: ["n", "e"] as [Character])
    func entryDraft(opening: Character) throws {
        let first = try run(opening: .enter, .character(opening))
        first.press(.tab, .tab)
        first.type("!올레길 \"일부\"")
        first.press(.control("c"), .control("c"))
        #expect(first.app.hasEnded)
        let second = AppRun(world, restoring: first.app.openScreens)
        second.pass(200)
        #expect(second.line(with: "Title")?.contains("!올레길 \"일부\"") == true)
        second.press(.escape)
        #expect(second.text.contains("Discard your changes?"))
        second.press(.right, .enter, thenPass: 100)
        #expect(!second.app.openScreens.contains("input"))
    }

    @Test("an entry that is continued after its trip was deleted says so, and closes")
    func entryDraftWithoutTrip() throws {
        let first = try run(opening: .enter, .character("n"))
        first.press(.tab, .tab)
        first.type("올레길")
        first.press(.control("c"), .control("c"))
        let open = first.app.openScreens
        let gone = open.replacing("\(Trip.ID(seed: 1))", with: "\(Trip.ID(seed: 99))")
        #expect(gone != open)
        let second = AppRun(world, restoring: gone)
        second.pass(200)
        #expect(second.text.contains("no longer exists") || second.text.contains("not found"), "\(second.text)")
        second.press(.escape)
        second.press(.right, .enter, thenPass: 100)
        #expect(!second.app.openScreens.contains("input"))
    }

    @Test("a new trip is continued although the session cannot be read at the start")
    func draftWithoutSession() throws {
        let first = try run(opening: .character("n"))
        first.type("올레길")
        first.press(.control("c"), .control("c"))
        world.fail(.user)
        let second = AppRun(world, restoring: first.app.openScreens)
        #expect(second.text.contains("The store is busy."))
        #expect(second.line(with: "Title")?.contains("올레길") == true)
        world.fail()
        second.pass(6_000)
        #expect(second.line(with: "Title")?.contains("올레길") == true && second.lines[0].hasSuffix("나그네"))
    }

    @Test("blocked authors are listed in the settings, and shown again")
    func blocked() throws {
        let run = try run()
        try world.perform { try await $0.block(AppWorld.jun.id, by: AppWorld.me.id) }
        run.press(.character(","), .down, .down, .enter, thenPass: 100)
        #expect(run.text.contains("▸ Jun"))
        run.press(.enter, thenPass: 100)
        #expect(world.changes == [.unblock] && !run.text.contains("▸ Jun"))
    }

    @Test("the editors are drawn in every size", arguments: [0, 1, 5, 20, 40, 120])
    func sizes(columns: Int) throws {
        let run = try run(opening: .enter)
        for opening: Key in [.character("t"), .character("n"), .character("e")] {
            run.press(opening, thenPass: 100)
            for rows in [0, 1, 2, 4, 8, 50] {
                run.size = Size(columns: columns, rows: rows)
                run.press(.character("x"), .tab, .down)
                #expect(run.app.frame(run.size).size == run.size)
                run.press(.escape)
                #expect(run.app.frame(run.size).size == run.size)
                run.press(.escape)
            }
            run.press(.escape, .right, .enter, thenPass: 100)
        }
    }
}
