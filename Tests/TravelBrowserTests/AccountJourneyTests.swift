import Foundation
import Testing
import TravelDataInMemory
import TravelDomainTesting
import TravelFileSamples
import TravelPages
import ViewModelsTesting

@testable import TravelBrowser

@Suite("Pages of view models, in a tab", .timeLimit(.minutes(2)))
@MainActor
struct AccountJourneyTests {
    private nonisolated let me = AccountWorld.me
    private nonisolated let jun = AccountWorld.jun

    private nonisolated static func trip(_ seed: UInt64, _ title: String, by author: User, region: Region = .busan)
        throws
        -> RecordedTrip
    {
        try TripBuilder(seed: seed, author: author).with {
            ($0.title, $0.numberOfDays, $0.region) = (title, 2, region)
            $0.timeline = [
                try TimelineEntry(
                    id: .init(seed: seed * 100), day: 2, time: TimeOfDay(hour: 9), title: Title("\(title) 아침"),
                    text: EntryText("바람이 많이 불었다."),
                    place: Place(name: "해변", coordinate: Coordinate(latitude: 34 + Double(seed) * 0.3, longitude: 129)))
            ]
        }.build()
    }

    // MARK: An entry

    @Test("an entry is deleted after a question, and its screen closes with a message")
    func deletion() throws {
        let (trip, entry) = (Trip.ID(seed: 3), TimelineEntry.ID(seed: 300))
        let tab = try AccountWorld(at: .entry(entry, in: trip), language: .korean) { [me] store in
            try await store.add([Self.trip(3, "부산", by: me)])
        }
        #expect(tab.title == "부산 아침 · 부산 – Traveline")
        #expect(tab.address == "/app/trips/\(trip)/entries/\(entry)")
        tab.press("delete")
        #expect(tab.text.contains("이 기록을 삭제할까요?"))
        tab.press("answer no")
        #expect(!tab.text.contains("이 기록을 삭제할까요?") && tab.changes == [])
        tab.press("delete")
        tab.press("answer yes")
        #expect(tab.changes == [.update])
        #expect(tab.address == "/app/trips/\(trip)")
        #expect(tab.messages.contains("기록을 삭제했습니다."))
    }

    @Test("an entry that changes elsewhere changes on the page, and one that is deleted there says so")
    func watchedEntry() throws {
        let (trip, entry) = (Trip.ID(seed: 3), TimelineEntry.ID(seed: 300))
        let tab = try AccountWorld(at: .entry(entry, in: trip)) { [jun] store in
            try await store.add([Self.trip(3, "Busan", by: jun)])
        }
        #expect(tab.text.contains("Busan 아침") && !tab.controls.contains("edit"))
        try tab.perform { [jun] store in
            try await store.update(trip, by: jun.id) { trip throws(TravelError) in
                try trip.saving(
                    try TimelineEntry(
                        id: entry, day: 1, time: try TimeOfDay(hour: 7), title: try Title("Dawn"),
                        text: try EntryText("x")))
            }
        }
        #expect(tab.text.contains("Dawn") && tab.text.contains("Day 1"))
        try tab.perform { [jun] store in
            try await store.update(trip, by: jun.id) { trip throws(TravelError) in try trip.removing(entry) }
        }
        #expect(tab.text.contains("This entry no longer exists."))
    }

    @Test("an entry that cannot be read is read again when that is asked for")
    func retriedEntry() throws {
        let tab = try AccountWorld(at: .entry(.init(seed: 300), in: .init(seed: 3)), failing: [.observeTrip]) {
            [jun] store in
            try await store.add([Self.trip(3, "Busan", by: jun)])
        }
        #expect(tab.controls.contains("retry"))
        tab.fail()
        tab.press("retry")
        #expect(tab.text.contains("Busan 아침"))
    }

    // MARK: My page

    @Test("my page sums up all trips, draws them, and follows changes")
    func myPage() throws {
        let tab = try AccountWorld(at: .myPage, language: .korean) { [me, jun] store in
            try await store.add(
                (1...4).map { try Self.trip($0, "여행 \($0)", by: me) } + [Self.trip(9, "남의 여행", by: jun)])
            try await store.setLiked(true, trip: .init(seed: 9), by: me.id)
        }
        #expect(tab.page.all("dd").map(\.text) == ["4", "2", "0m", "1"])
        #expect(tab.page.element("map-title")?.text == "여행 4개의 지도")
        #expect(tab.page.element("my-trips")?.text.contains("모두 보기") == true)
        #expect(tab.page.element("liked-trips")?.text.contains("남의 여행") == true)
        try tab.perform { [me] store in try await store.add([Self.trip(5, "제주", by: me, region: .jeju)]) }
        #expect(tab.page.all("dd").map(\.text) == ["5", "2", "0m", "2"])
        #expect(tab.page.element("my-trips")?.text.contains("제주") == true)
        tab.receive([.link(ScreenAddress(.trip(.init(seed: 5))))])
        #expect(tab.title == "제주 – Traveline")
        tab.press("back")
        #expect(tab.address == "/app/me")
    }

    @Test("nobody who is signed out has a page, and signing in brings it")
    func signIn() throws {
        let tab = try AccountWorld(at: .myPage, signedIn: false)
        #expect(tab.text.contains("Sign in to record and like trips."))
        tab.receive([.link(ScreenAddress(.signIn))])
        #expect(tab.title == "Sign in – Traveline")
        // A form without the script arrives with its field and its button at once.
        tab.receive([.field("nickname", "M"), .control(.init("save"))], thenPass: 500)
        #expect(tab.page.element("nickname-note")?.text == "Enter at least 2 characters.")
        #expect(tab.page.element("nickname")?.attributes["value"] == "M")
        tab.receive([.field("nickname", "Mina"), .control(.init("save"))], thenPass: 500)
        #expect(tab.changes == [.addUser])
        #expect(tab.address == "/app/me")
        #expect(tab.text.contains("Hello, Mina"))
        #expect(tab.messages.contains("Signed in."))
    }

    // MARK: Blocked people

    @Test("a blocked person is unblocked")
    func unblock() throws {
        let tab = try AccountWorld(at: .blocked) { [me, jun] store in try await store.block(jun.id, by: me.id) }
        #expect(tab.text.contains("Jun"))
        tab.press("unblock \(jun.id)", thenPass: 10)
        #expect(tab.page.element("unblock-\(jun.id)")?.attributes["disabled"] == "disabled")
        tab.pass(200)
        #expect(tab.changes == [.unblock])
        #expect(tab.text.contains("You have not blocked anyone."))
        #expect(tab.messages.contains("Unblocked."))
    }

    @Test("blocked people who cannot be read are read again")
    func retriedPeople() throws {
        let tab = try AccountWorld(at: .blocked, failing: [.blocked])
        #expect(tab.controls.contains("refresh"))
        tab.fail()
        tab.press("refresh")
        #expect(tab.text.contains("You have not blocked anyone."))
    }

    // MARK: Settings

    @Test("a language that is picked is that of the page at once")
    func language() throws {
        let tab = try AccountWorld(at: .settings)
        #expect(tab.text.contains("Settings"))
        tab.press("language ko")
        #expect(tab.text.contains("설정"))
        #expect(tab.page.element("page")?.attributes["lang"] == "ko")
    }

    @Test("signing out ends what belongs to the user")
    func signOut() throws {
        let tab = try AccountWorld(at: .settings)
        #expect(tab.text.contains("나그네"))
        tab.press("sign-out")
        #expect(!tab.text.contains("나그네"))
        #expect(tab.messages.contains("Signed out."))
        #expect(tab.page.all("a").contains { $0.attributes["href"] == "/app/sign-in" })
    }

    @Test("an account without a password is deleted after a question")
    func accountDeletion() throws {
        let tab = try AccountWorld(at: .settings)
        tab.press("delete-account")
        #expect(tab.text.contains("This cannot be undone."))
        tab.press("answer no")
        #expect(tab.changes == [])
        tab.press("delete-account")
        tab.press("answer yes", thenPass: 400)
        #expect(tab.changes == [.removeUser])
        #expect(tab.messages.contains("Your account was deleted."))
    }

    @Test("what this app does not have becomes the settings, with their address")
    func missingScreen() throws {
        let tab = try AccountWorld(at: .changes)
        #expect(tab.address == "/app/settings")
    }

    // MARK: Forms

    @Test("a nickname is checked while it is typed, saved once, and greets on my page")
    func rename() throws {
        let tab = try AccountWorld(at: .profile)
        #expect(tab.page.element("nickname")?.attributes["value"] == "나그네")
        #expect(tab.page.element("page")?.attributes["data-unsaved"] == nil)
        tab.receive([.field("nickname", "Jun")], thenPass: 500)
        #expect(tab.page.element("nickname")?.attributes["aria-invalid"] == "true")
        #expect(tab.page.element("page")?.attributes["data-unsaved"] == "")
        tab.receive([.field("nickname", "Mina")], thenPass: 500)
        #expect(tab.page.element("nickname-note")?.text == "This nickname is available.")
        // A double click; the first answer is still under way.
        tab.press("save", thenPass: 5)
        #expect(tab.page.controls.first { $0.attributes["value"] == "save" }?.attributes["disabled"] == "disabled")
        tab.press("save", thenPass: 5)
        // It would not tell the new nickname.
        tab.press("back", thenPass: 5)
        #expect(tab.address == "/app/me/profile")
        tab.pass(300)
        #expect(tab.changes == [.rename])
        #expect(tab.address == "/app/")
        #expect(tab.messages.contains("Saved."))
        tab.receive([.link(ScreenAddress(.myPage))])
        #expect(tab.text.contains("Hello, Mina"))
    }

    @Test("a nickname that cannot be saved stays in the form with the reason")
    func failedRename() throws {
        let tab = try AccountWorld(at: .profile, failing: [.rename])
        tab.receive([.field("nickname", "Mina"), .control(.init("save"))], thenPass: 600)
        #expect(tab.page.element("nickname")?.attributes["value"] == "Mina")
        #expect(tab.page.element("nickname")?.attributes["aria-invalid"] == "true")
        tab.press("back")
        #expect(tab.address == "/app/")
    }

    private static func connected() -> ScriptedSynchronization {
        let synchronization = ScriptedSynchronization()
        synchronization.update { ($0.connection, $0.pendingWrites) = (.signedOut, 1) }
        return synchronization
    }

    @Test("a password signs in again, and is on no page")
    func signInAgain() throws {
        let tab = try AccountWorld(at: .signInAgain, synchronization: Self.connected())
        var pages = [tab.run.appPage.html.text]
        #expect(tab.text.contains("Your session on the server has ended."))
        #expect(tab.page.element("nickname")?.attributes["value"] == "나그네")
        tab.press("submit")
        #expect(tab.page.element("password-note")?.text == "Enter some text.")
        #expect(tab.passwords == [])
        tab.receive(
            [.field("nickname", "나그네"), .field("password", "wrong horse"), .control(.init("submit"))], thenPass: 5)
        pages.append(tab.run.appPage.html.text)
        #expect(tab.text.contains("Checking…"))
        // The answer is about the texts that were sent; a double click sends nothing.
        tab.receive([.field("password", "other horse"), .control(.init("submit"))])
        pages.append(tab.run.appPage.html.text)
        #expect(tab.page.element("password")?.attributes["aria-invalid"] == "true")
        #expect(tab.page.element("nickname")?.attributes["value"] == "나그네")
        tab.receive([.field("password", "correct horse"), .control(.init("submit"))])
        pages.append(tab.run.appPage.html.text)
        #expect(tab.passwords == ["나그네: wrong horse", "나그네: correct horse"])
        #expect(tab.address == "/app/")
        #expect(tab.messages.contains("Signed in."))
        #expect(!pages.contains { $0.contains("horse") })
    }

    @Test("signing in can be given up while the server does not answer")
    func cancelledSignIn() throws {
        let tab = try AccountWorld(at: .signIn, signedIn: false, synchronization: Self.connected())
        #expect(tab.page.element("nickname")?.attributes["value"] == "")
        tab.receive(
            [.field("nickname", "나그네"), .field("password", "correct horse"), .control(.init("submit"))], thenPass: 5)
        tab.press("back")
        #expect(tab.address == "/app/")
        #expect(!tab.messages.contains("Signed in."))
    }

    @Test("the account on a server is deleted with its password, and its screens close")
    func serverAccountDeletion() throws {
        let tab = try AccountWorld(at: .settings, language: .korean, synchronization: Self.connected())
        #expect(!tab.controls.contains("delete-account"))
        tab.receive([.link(ScreenAddress(.accountDeletion))])
        #expect(tab.text.contains("되돌릴 수 없습니다."))
        tab.receive([.field("password", "wrong horse"), .control(.init("submit"))])
        #expect(tab.page.element("password-note")?.text == "비밀번호가 맞지 않습니다.")
        tab.receive([.field("password", "correct horse"), .control(.init("submit"))])
        #expect(tab.passwords == ["wrong horse", "correct horse"])
        #expect(tab.messages.contains("계정을 삭제했습니다."))
        #expect(tab.address == "/app/settings")
        #expect(!tab.text.contains("나그네"))
    }

    // MARK: Changes

    @Test("conflicts are decided, and vanished trips restored, as the buttons say")
    func changes() throws {
        let trip = try Self.trip(1, "부산", by: me)
        let lost = VanishedTrip(number: 3, trip: try Self.trip(2, "잃은 여행", by: me))
        let other = VanishedTrip(number: 4, trip: try Self.trip(3, "지운 여행", by: me))
        let synchronization = ScriptedSynchronization(
            conflicts: [
                TripConflict(
                    id: 1, wanted: .update(trip, replacing: .first, images: []), reason: .outdated, theirs: trip),
                TripConflict(id: 2, wanted: .rename(me.id, try Nickname("Jun")), reason: .taken, theirs: nil),
            ], vanished: [lost, other])
        let tab = try AccountWorld(at: .changes, language: .korean, synchronization: synchronization)
        #expect(tab.text.contains("‘부산’ 수정") && tab.text.contains("잃은 여행"))
        tab.press("decide 2 theirs")
        #expect(!tab.controls.contains { $0.hasPrefix("decide 2") })
        tab.press("restore \(lost.id)")
        tab.press("forget \(other.id)")
        tab.press("retry")
        tab.press("decide 1 mine")
        #expect(
            synchronization.calls == [
                .resolve(2, .takeTheirs), .restore(lost.id), .forget(other.id), .reconnect, .resolve(1, .keepMine),
            ])
        #expect(tab.text.contains("모두 서버에 저장되었습니다."))
        // A second click on what is no longer there.
        tab.press("decide 1 mine")
        #expect(synchronization.calls.count == 5)
    }

    @Test("a decision that cannot be stored leaves the conflict, and says why")
    func failedDecision() throws {
        let synchronization = ScriptedSynchronization(conflicts: [
            TripConflict(id: 2, wanted: .rename(me.id, try Nickname("Jun")), reason: .taken, theirs: nil)
        ])
        let tab = try AccountWorld(at: .changes, synchronization: synchronization)
        synchronization.fail(with: InterceptedStore.outage)
        tab.press("decide 2 mine")
        #expect(tab.controls.contains("decide 2 mine"))
        #expect(tab.page.element("messages-alert")?.text.isEmpty == false)
    }

    @Test("the form for signing in opens where the session has ended")
    func endedSession() throws {
        let tab = try AccountWorld(at: .changes, synchronization: Self.connected())
        tab.press("sign-in")
        #expect(tab.address == "/app/changes/sign-in")
    }

    // MARK: Everything

    @Test(
        "inputs that no page has sent change nothing",
        arguments: [
            Screen.myPage, .blocked, .settings, .profile, .changes, .entry(.init(seed: 300), in: .init(seed: 3)),
            .signInAgain,
        ])
    func unknownInputs(screen: Screen) throws {
        let tab = try AccountWorld(at: screen, synchronization: ScriptedSynchronization()) { [jun] store in
            try await store.add([Self.trip(3, "Busan", by: jun)])
        }
        let before = tab.text
        for control in [
            "", "nothing", "unblock", "unblock x", "decide x y", "language", "restore", "answer yes", "edit", "delete",
        ] {
            tab.receive([.control(.init(text: control))])
        }
        tab.receive([.field("nothing", "x"), .field("", "")])
        #expect(tab.text == before)
        #expect(tab.changes == [])
    }
}
