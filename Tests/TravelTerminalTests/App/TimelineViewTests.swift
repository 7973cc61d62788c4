import StreamsTesting
import Testing
import TestConcurrency
import TravelDataInMemory
import TravelDomainTesting
@testable import TravelTerminal

@MainActor
@Suite("A trip on a terminal", .limitedConcurrency)
struct TimelineViewTests {
    private let world = AppWorld()

    /// The app with a trip opened.
    private func run(by author: User = AppWorld.jun) throws -> AppRun {
        try world.add(
            1, "부산 밤바다", by: author,
            entries: [
                (1, 9, "광안리", "광안리 해수욕장"), (1, 13, "점심", nil), (1, 18, "해운대", "해운대"), (2, 8, "아침", "다대포"),
            ])
        let run = AppRun(world)
        run.press(.enter, thenPass: 100)
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
        run.press(.down, .enter, thenPass: 100)
        #expect(run.text.contains("Day 1") && run.text.contains("13:00") && run.text.contains("긴 이야기"))
        run.press(.escape, thenPass: 100)
        #expect(run.line(with: "▸")?.contains("점심") == true)
        run.press(.escape, thenPass: 100)
        #expect(run.text.contains("1 Region"))
    }

    @Test("the author moves an entry among those of its time, and the key is shown where there are others")
    func move() throws {
        try world.add(
            1, "부산 밤바다", by: AppWorld.me, entries: [(1, 9, "광안리", nil), (1, 9, "점심", nil), (1, 18, "해운대", nil)])
        let run = AppRun(world)
        run.press(.enter, thenPass: 100)
        run.press(.character("?"))
        #expect(run.text.contains("JK") && run.text.contains("Move entry"))
        run.press(.escape)
        run.press(.character("J"), thenPass: 100)
        #expect(run.line(with: "1 점심") != nil && run.line(with: "▸")?.contains("2 광안리") == true)
        run.press(.character("K"), thenPass: 100)
        #expect(run.line(with: "▸")?.contains("1 광안리") == true && world.changes == [.update, .update])
        run.press(.down, .down)
        run.press(.character("?"))
        #expect(!run.text.contains("Move entry"))
    }

    @Test("the keys of the Korean layout are those of the Latin letters, and are letters where text is typed")
    func koreanLayout() throws {
        let run = try run()
        run.press(.character("ㅡ"), thenPass: 100)
        #expect(run.lines[0].contains("Map"))
        run.press(.escape)
        run.press(.character("ㅂ"), thenPass: 100)
        #expect(run.text.contains("1 Region"))
        run.press(.character("/"), .character("ㅂ"), .character("ㅜ"))
        #expect(run.text.contains("ㅂㅜ"))
    }

    @Test("the map fills the screen with numbered stops, and follows the day")
    func map() throws {
        let run = try run()
        run.press(.character("m"), thenPass: 100)
        #expect(run.lines[0].contains("Map") && run.text.contains("1 광안리 해수욕장") && run.text.contains("3 해운대"))
        run.press(.right)
        #expect(run.text.contains("4 다대포"))
        run.press(.escape)
        #expect(!run.lines[0].contains("Map"))
    }

    @Test("deleting asks first, and returns to the list without the trip")
    func delete() throws {
        let run = try run(by: AppWorld.me)
        run.press(.character("D"))
        #expect(run.text.contains("[ Cancel ] [ Delete ]"))
        run.press(.enter)
        #expect(!run.text.contains("[ Cancel ]") && world.changes == [])
        run.press(.character("D"), .right, .enter, thenPass: 200)
        #expect(world.changes == [.update])
        #expect(run.text.contains("Trip deleted.") && run.text.contains("No trips found."))
    }

    @Test(
        "a deletion is undone by a key as long as its message is there, also with the Korean layout",
        arguments: ["z", "ㅋ"])
    func undo(key: Character) throws {
        let world = AppWorld(undoes: true)
        try world.add(1, "부산 밤바다", by: AppWorld.me)
        let run = AppRun(world)
        run.press(.enter, thenPass: 200)
        run.press(.character("D"), .right, .enter, thenPass: 200)
        #expect(run.text.contains("Trip deleted.  z Undo") && run.text.contains("No trips found."))
        run.press(.character(key), thenPass: 200)
        #expect(run.text.contains("The trip is back.") && run.text.contains("부산 밤바다"))
        run.press(.character("D"), .right, .enter, thenPass: 200)
        run.pass(21_000)
        run.press(.character(key), thenPass: 200)
        #expect(!run.text.contains("z Undo") && world.undone.count == 1)
    }

    @Test("others report and block, the author edits and deletes")
    func rights() throws {
        let run = try run()
        #expect(run.lines[23].contains("x Report") && !run.lines[23].contains("Delete"))
        run.press(.character("D"), .character("d"), .character("n"))
        #expect(!run.text.contains("[ Cancel ]"))
        run.press(.character("x"), .right, .enter, thenPass: 100)
        #expect(world.changes == [.report] && run.text.contains("Reported."))
        run.press(.character("b"), .right, .enter, thenPass: 200)
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
        run.press(.escape, .down, .enter, thenPass: 100)
        run.press(.character("d"))
        #expect(run.text.contains("'해운대'") && run.text.contains("Delete this entry?"))
    }

    @Test("a trip that is deleted elsewhere says so")
    func gone() throws {
        let run = try run()
        try world.perform { _ = try await $0.update(.init(seed: 1), by: AppWorld.jun.id) { _ in nil } }
        run.pass(100)
        #expect(run.text.contains("no longer exists"))
        run.press(.escape, thenPass: 100)
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

@MainActor
@Suite("Account screens on a terminal", .limitedConcurrency)
struct SessionViewTests {
    private let world = AppWorld()

    private func run(_ other: AppWorld? = nil) throws -> AppRun {
        let world = other ?? world
        try world.add(1, "부산 밤바다", by: AppWorld.me)
        try world.add(2, "제주 올레")
        return AppRun(world)
    }

    @Test("my page shows both lists, and opens a trip")
    func myPage() throws {
        let run = try run()
        run.press(.character("l"), .character("m"), thenPass: 200)
        #expect(run.text.contains("My trips") && run.text.contains("Liked trips"))
        #expect(run.line(with: "▸")?.contains("부산 밤바다") == true)
        #expect(run.line(with: "♥ 1")?.contains("제주 올레") == true)
        #expect(!run.lines[23].contains("Retry"))
        run.press(.enter, thenPass: 100)
        #expect(run.text.contains("n Add entry"))
    }

    @Test("a user signs in on my page, with a nickname that is checked")
    func signIn() throws {
        let world = AppWorld(signedIn: false)
        let run = try run(world)
        #expect(run.lines[0].hasSuffix("Sign in"))
        run.press(.character("m"), thenPass: 100)
        #expect(run.text.contains("Sign in to record and like trips."))
        run.press(.enter, thenPass: 100)
        #expect(run.text.contains("Nickname"))
        run.press(.character("x"), thenPass: 400)
        #expect(run.text.contains("! Enter at least 2"))
        run.type("y")
        run.pass(400)
        run.press(.enter, thenPass: 200)
        #expect(world.changes == [.addUser])
        #expect(run.lines[0].hasPrefix(" My page") && run.lines[0].hasSuffix("xy"))
    }

    @Test("the nickname is checked while it is typed, and saved")
    func profile() throws {
        let run = try run()
        run.press(.character(","), .down, .enter, thenPass: 100)
        #expect(run.text.contains("나그네"))
        run.press(.control("u"))
        run.type("Jun")
        run.pass(400)
        #expect(run.text.contains("! Someone else has this nickname."))
        run.press(.enter)
        run.type("a")
        run.pass(400)
        #expect(run.text.contains("This nickname is available."))
        run.press(.enter, thenPass: 200)
        #expect(world.changes == [.rename] && run.text.contains("Saved.") && run.lines[0].hasSuffix("Juna"))
    }

    @Test("a text cannot be changed while it is being saved or checked")
    func busyForms() throws {
        let run = try run(AppWorld(synchronization: ScriptedSynchronization()))
        let session = HeadlessSession(run.app, run.size, environment: [:])
        func send(_ key: Key) {
            run.send([.key(key)], to: session)
            run.pass(5)
        }
        run.press(.character(","), .down, .down, .enter, thenPass: 100)
        run.type("2")
        run.pass(400)
        send(.enter)
        send(.character("3"))
        #expect(run.line(with: "Nickname")?.hasSuffix("나그네2") == true && run.text.contains("Saving"))
        run.pass(100)
        run.press(.down, .down, .down, .enter, thenPass: 100)
        run.type("open sesame")
        send(.enter)
        send(.character("!"))
        #expect(run.line(with: "Password")?.hasSuffix("•••••••••••") == true && run.text.contains("Checking"))
        #expect(run.line(with: "••••••••••••") == nil)
    }

    @Test("the language changes immediately and is saved")
    func language() throws {
        let run = try run()
        run.press(.character(","), .right, .space, thenPass: 100)
        #expect(world.languages == [.korean])
        #expect(run.lines[0].contains("설정") && run.text.contains("✓한국어"))
    }

    @Test("signing out reaches every open screen immediately")
    func signOut() throws {
        let run = try run()
        run.press(.character("m"), .character(","), .down, .down, .down, .enter, thenPass: 200)
        #expect(world.changes == [])
        #expect(run.lines[0].hasSuffix("Sign in") && run.text.contains("Signed out."))
        run.press(.escape, thenPass: 100)
        #expect(run.lines[0].hasPrefix(" My page") && run.text.contains("Sign in to record"))
        #expect(!run.text.contains("부산 밤바다"))
    }

    @Test("deleting the account asks first")
    func deleteAccount() throws {
        let run = try run()
        run.press(.character(","), .end, .down, .down, .down, .down, .enter)
        #expect(run.text.contains("Delete your account"))
        run.press(.escape)
        #expect(!run.text.contains("Delete your account") && world.changes == [])
        run.press(.enter, .right, .enter, thenPass: 100)
        #expect(world.changes == [.removeUser])
    }

    @Test("the open screens are restored after a restart")
    func restored() throws {
        let first = try run()
        first.press(.enter, thenPass: 100)
        let saved = first.app.openScreens
        first.app.close()
        let second = AppRun(world, restoring: saved)
        #expect(second.text.contains("제주 올레") && second.text.contains("x Report"))
        second.press(.escape)
        #expect(second.text.contains("1 Region"))
    }

    @Test("the profile that is restored shows the nickname of the user, which is no problem yet")
    func restoredProfile() throws {
        let run = AppRun(world, restoring: "traveline://home\ntraveline://me/profile")
        #expect(run.lines[0].hasPrefix(" Profile") && run.line(with: "Nickname")?.contains("나그네") == true)
        run.pass(500)
        #expect(!run.text.contains("!"))
        run.type("1")
        run.pass(500)
        #expect(run.line(with: "Nickname")?.contains("나그네1") == true && run.text.contains("is available"))
    }

    @Test("a conflict about a trip that the server no longer has offers to let the trip go")
    func conflictWithoutTheirs() throws {
        let mine = try TripBuilder(seed: 1, author: AppWorld.me).with { $0.title = "내 제목" }.build()
        let synchronization = ScriptedSynchronization(
            conflicts: [
                TripConflict(
                    id: 7, wanted: .update(mine, replacing: .first, images: []), reason: .notFound, theirs: nil),
                TripConflict(
                    id: 8, wanted: .remove(mine.id, replacing: .first, by: AppWorld.me.id), reason: .forbidden,
                    theirs: nil),
            ])
        let run = try run(AppWorld(synchronization: synchronization))
        run.press(.character(","), .down, .enter, thenPass: 100)
        run.press(.enter)
        #expect(run.text.contains("Discard the trip") && !run.text.contains("Take theirs"))
        run.press(.right, .enter, thenPass: 100)
        #expect(synchronization.calls == [.resolve(7, .takeTheirs)])
        run.press(.enter)
        #expect(run.text.contains("Take theirs") && !run.text.contains("Discard the trip"))
    }

    @Test("the title says how many changes are pending, and the settings lead to the conflicts to decide")
    func conflicts() throws {
        func version(_ title: String, _ entry: String) throws -> RecordedTrip {
            try TripBuilder(seed: 1, author: AppWorld.me).with {
                $0.title = title
                $0.timeline = [try TimelineEntry(seed: entry == "점심" ? 1 : 2, title: entry, text: "글")]
            }.build()
        }
        let (mine, theirs) = (try version("내 제목", "점심"), try version("서버 제목", "저녁"))
        let synchronization = ScriptedSynchronization(
            conflicts: [
                TripConflict(
                    id: 7, wanted: .update(mine, replacing: .first, images: []), reason: .outdated, theirs: theirs)
            ],
            vanished: [VanishedTrip(number: 8, trip: theirs)])
        synchronization.update { $0.connection = .offline }
        let run = try run(AppWorld(synchronization: synchronization))
        #expect(run.lines[0].contains("offline · 1 conflict"))
        synchronization.update { $0.outage = .init("The server has moved.", cause: .invalidAddress, canRetry: false) }
        run.press(.character(","), .down, .enter, thenPass: 100)
        #expect(run.text.contains("The server has moved."))
        #expect(run.text.contains("▸ Edit of “내 제목”: it was changed elsewhere in the meantime."))
        run.press(.enter)
        #expect(run.text.contains("Stored version: 서버 제목"))
        #expect(run.text.contains("Only in yours: 점심") && run.text.contains("Only in theirs: 저녁"))
        run.press(.right, .enter, thenPass: 100)
        #expect(run.line(with: "▸")?.contains("No longer on the server: 서버 제목") == true)
        run.press(.enter, .escape, .character("r"), .enter, .enter, thenPass: 100)
        #expect(synchronization.calls == [.resolve(7, .takeTheirs), .reconnect, .restore(theirs.id)])
        synchronization.update { ($0.connection, $0.outage) = (.online, nil) }
        run.pass(100)
        #expect(run.text.contains("Everything is on the server."))
        #expect(!run.lines[0].contains("offline"))
    }

    @Test("the form for signing in again that is restored shows the nickname of the user, and asks for the password")
    func restoredSignIn() throws {
        let synchronization = ScriptedSynchronization()
        synchronization.update { $0.connection = .signedOut }
        let world = AppWorld(synchronization: synchronization)
        let run = AppRun(world, restoring: "traveline://home\ntraveline://changes/signin")
        #expect(run.line(with: "Nickname")?.contains("나그네") == true, "\(run.text)")
        run.type("open sesame")
        run.press(.enter, thenPass: 100)
        #expect(world.passwords == ["나그네: open sesame"])
    }

    @Test("a password that is not shown signs in to a server again, and deletes the account there")
    func passwords() throws {
        let synchronization = ScriptedSynchronization()
        synchronization.update { ($0.connection, $0.pendingWrites) = (.signedOut, 1) }
        let run = try run(AppWorld(synchronization: synchronization))
        #expect(run.lines[0].contains("sign in again · 1 pending change"))
        run.press(.character(","), .down, .enter, thenPass: 100)
        #expect(run.text.contains("Your session on the server has ended."))
        run.press(.character("s"))
        #expect(run.line(with: "Nickname")?.contains("나그네") == true)
        run.type("open sesame")
        #expect(run.line(with: "Password")?.contains(String(repeating: "•", count: 11)) == true)
        #expect(!run.text.contains("sesame"))
        run.press(.enter, thenPass: 100)
        #expect(run.world.passwords == ["나그네: open sesame"])
        #expect(run.text.contains("Everything is on the server."))

        run.press(.escape, .down, .down, .down, .down, .enter)
        #expect(run.text.contains("Your account will be deleted"), "\(run.text)")
        run.type("open sesame")
        run.press(.enter, thenPass: 100)
        #expect(run.world.passwords.last == "open sesame")
        #expect(run.lines[0].contains("Sign in"))
    }
}
