import StreamsTesting
import TestTurns
import Testing
import TravelDomainTesting

@testable import TravelTerminal

@MainActor
@Suite("Account screens on a terminal", .takesTurns(within: .seconds(60)))
struct SessionViewTests {
    private let world = AppWorld()

    private func run(_ other: AppWorld? = nil) throws -> AppRun {
        let world = other ?? world
        try world.add(1, "부산 밤바다", by: AppWorld.me)
        try world.add(2, "제주 올레")
        return AppRun(world)
    }

    @Test("my page shows both lists, and opens a travel")
    func myPage() throws {
        let run = try run()
        run.press(.character("l"), .character("m"))
        run.pass(200)
        #expect(run.text.contains("My trips") && run.text.contains("Liked trips"))
        #expect(run.line(with: "▸")?.contains("부산 밤바다") == true)
        #expect(run.line(with: "♥ 1")?.contains("제주 올레") == true)
        #expect(!run.lines[23].contains("Retry"))
        run.press(.enter)
        run.pass(100)
        #expect(run.text.contains("n Add entry"))
    }

    @Test("a person signs in on my page, with a nickname that is checked")
    func signIn() throws {
        let world = AppWorld(signedIn: false)
        let run = try run(world)
        #expect(run.lines[0].hasSuffix("Sign in"))
        run.press(.character("m"))
        run.pass(100)
        #expect(run.text.contains("Sign in to record and like trips."))
        run.press(.enter)
        run.pass(100)
        #expect(run.text.contains("Nickname"))
        run.press(.character("x"))
        run.pass(400)
        #expect(run.text.contains("! Enter at least 2"))
        run.type("y")
        run.pass(400)
        run.press(.enter)
        run.pass(200)
        #expect(world.changes == [.addUser])
        #expect(run.lines[0].hasPrefix(" My page") && run.lines[0].hasSuffix("xy"))
    }

    @Test("the nickname is checked while it is typed, and saved")
    func profile() throws {
        let run = try run()
        run.press(.character(","), .down, .enter)
        run.pass(100)
        #expect(run.text.contains("나그네"))
        run.press(.control("u"))
        run.type("Jun")
        run.pass(400)
        #expect(run.text.contains("! Someone else has this nickname."))
        run.press(.enter)
        run.type("a")
        run.pass(400)
        #expect(run.text.contains("This nickname is available."))
        run.press(.enter)
        run.pass(200)
        #expect(world.changes == [.rename] && run.text.contains("Saved.") && run.lines[0].hasSuffix("Juna"))
    }

    @Test("the language changes immediately and is saved")
    func language() throws {
        let run = try run()
        run.press(.character(","), .right, .space)
        run.pass(100)
        #expect(world.languages == [.korean])
        #expect(run.lines[0].contains("설정") && run.text.contains("✓한국어"))
    }

    @Test("signing out reaches every open screen immediately")
    func signOut() throws {
        let run = try run()
        run.press(.character("m"), .character(","), .down, .down, .down, .enter)
        run.pass(200)
        #expect(world.changes == [])
        #expect(run.lines[0].hasSuffix("Sign in") && run.text.contains("Signed out."))
        run.press(.escape)
        run.pass(100)
        #expect(run.lines[0].hasPrefix(" My page") && run.text.contains("Sign in to record"))
        #expect(!run.text.contains("부산 밤바다"))
    }

    @Test("deleting the account asks first")
    func withdraw() throws {
        let run = try run()
        run.press(.character(","), .end, .down, .down, .down, .down, .enter)
        #expect(run.text.contains("Delete your account"))
        run.press(.escape)
        #expect(!run.text.contains("Delete your account") && world.changes == [])
        run.press(.enter, .right, .enter)
        run.pass(100)
        #expect(world.changes == [.removeUser])
    }

    @Test("the open screens are restored after a restart")
    func restored() throws {
        let first = try run()
        first.press(.enter)
        first.pass(100)
        let saved = first.app.openScreens
        first.app.close()
        let second = AppRun(world, restoring: saved)
        #expect(second.text.contains("제주 올레") && second.text.contains("x Report"))
        second.press(.escape)
        #expect(second.text.contains("1 Region"))
    }

    @Test("the title says what waits for the server, and the settings lead to the conflicts, which are decided there")
    func conflicts() throws {
        let mine = try TravelBuilder(seed: 1, author: AppWorld.me).with { $0.title = "내 제목" }.build()
        let theirs = try TravelBuilder(seed: 1, author: AppWorld.me).with { $0.title = "서버 제목" }.build()
        let synchronization = ScriptedSynchronization(
            conflicts: [
                TravelConflict(
                    id: 7, wanted: .update(mine, replacing: .first, images: []), reason: .outdated, theirs: theirs)
            ],
            vanished: [VanishedTravel(number: 8, travel: theirs)])
        synchronization.update { $0.connection = .offline }
        let run = try run(AppWorld(synchronization: synchronization))
        #expect(run.lines[0].contains("offline · 1 conflict"))
        run.press(.character(","), .down, .enter)
        run.pass(100)
        #expect(run.text.contains("▸ Edit of “내 제목”: it was changed elsewhere meanwhile."))
        run.press(.enter)
        #expect(run.text.contains("Stored version: 서버 제목"))
        run.press(.right, .enter)
        run.pass(100)
        #expect(run.line(with: "▸")?.contains("No longer on the server: 서버 제목") == true)
        run.press(.enter, .escape, .character("r"), .enter, .enter)
        run.pass(100)
        #expect(synchronization.calls == [.resolve(7, .takeTheirs), .reconnect, .restore(theirs.id)])
        synchronization.update { $0.connection = .online }
        run.pass(100)
        #expect(run.text.contains("Everything is on the server."))
        #expect(!run.lines[0].contains("offline"))
    }
}
