import Testing
import TravelDomainTesting
@testable import TravelPresentation
import ViewModelsTesting

@Suite("Coordinator")
struct CoordinatorFlowTests {
    private let travel = Travel.ID(seed: 1)

    private func spec(_ screens: Screen..., person: User? = Person.mina) -> FlowSpec<CoordinatorFlow> {
        FlowSpec(CoordinatorFlow(OpenScreens(screens), person: person?.id))
    }

    @Test("a screen opens above the one that asks for it, and closes with its result for that one")
    func result() {
        spec(.home)
            .when(.screen(1, .open(.travelEditor(travel))))
            .then { $0.screens.open(.travelEditor(travel)) }
            .when(.screen(2, .close(.savedTravel(travel))))
            .then(.event(.returned(.savedTravel(travel), to: 1))) { $0.screens.close(2) }
    }

    @Test("closing without a result returns nothing")
    func noResult() {
        spec(.home, .settings).when(.screen(2, .close(nil))).then { $0.screens.close(2) }
    }

    @Test("a screen in the middle closes with those above it")
    func middle() {
        spec(.home, .travel(travel), .map(travel, day: 1)).when(.screen(2, .close(.removedTravel(travel))))
            .then(.event(.returned(.removedTravel(travel), to: 1))) { $0.screens.close(2) }
    }

    @Test("a screen that has closed opens and closes nothing, but its message is still shown")
    func closedScreen() {
        spec(.home).when(.screen(9, .open(.settings)), .screen(9, .close(nil))).then()
            .when(.screen(9, .notice(.done(.saved)))).then(.event(.notice(.done(.saved))))
    }

    @Test("two taps on a row open its screen once")
    func doubleTap() {
        spec(.home).when(.screen(1, .open(.travel(travel))), .screen(1, .open(.travel(travel))))
            .then { $0.screens.open(.travel(travel)) }
    }

    @Test("going back closes the screen on top, and quits from the first one")
    func back() {
        spec(.home, .settings).when(.backTapped).then { $0.screens.close(2) }.when(.backTapped).then(.event(.quit))
    }

    @Test("a first screen that closes quits")
    func firstScreenCloses() {
        spec(.travel(travel)).when(.screen(1, .close(nil))).then(.event(.quit))
    }

    @Test("a deep link opens its screen above the others; a broken one says so")
    func links() {
        spec(.home).when(.linkOpened("traveline://travel/\(travel)/day/2"))
            .then { $0.screens.open(.travel(travel, day: 2)) }
            .when(.linkOpened("traveline://nowhere")).then(.event(.notice(.done(.brokenLink))))
    }

    @Test("opening the home screen returns to it, or begins with it")
    func home() {
        spec(.home, .travel(travel), .settings).when(.opened(.home)).then { $0.screens.close(2) }
        spec(.home).when(.opened(.home)).then()
        spec(.settings, .travel(travel)).when(.linkOpened("traveline://home")).then { $0.screens.open(.home) }
    }

    @Test("opening the home screen closes no form, whose changes may not be saved")
    func homeAboveForm() {
        spec(.home, .travel(travel), .newEntry(in: travel, day: 1), .settings)
            .when(.opened(.home)).then { $0.screens.open(.home) }
            .when(.opened(.home)).then()
    }

    @Test("restored screens stay when a session is restored, and close when nobody is signed in")
    func restoredScreens() {
        let restored = OpenScreens([.profile, .home, .newTravel])
        let flow = FlowSpec(CoordinatorFlow(restored))
        #expect(flow.when(.sessionChanged(Person.mina.id)).after.screens == restored)
        #expect(flow.when(.sessionChanged(nil)).after.screens.stack.map(\.screen) == [.home])
        let alone = FlowSpec(CoordinatorFlow(OpenScreens([.profile]))).when(.sessionChanged(nil))
        #expect(alone.after.screens.stack.map(\.screen) == [.home])
    }

    @Test("a signed-in user is not asked to sign in")
    func alreadySignedIn() {
        spec(.home).when(.linkOpened("traveline://signin")).then()
    }

    @Test("a screen for which nobody is signed in opens after signing in")
    func signIn() {
        spec(.home, person: nil)
            .when(.opened(.newTravel))
            .then {
                $0.afterSignIn = .newTravel
                $0.screens.open(.signIn)
            }
            .when(.sessionChanged(Person.mina.id))
            .then {
                $0.person = Person.mina.id
                $0.knowsPerson = true
                $0.afterSignIn = nil
                $0.screens.closeAll { $0 == .signIn }
                $0.screens.open(.newTravel)
            }
    }

    @Test("a screen that waited for signing in is forgotten when the user does not", arguments: [true, false])
    func signInCancelled(goesBack: Bool) {
        spec(.home, person: nil)
            .when(.opened(.profile), goesBack ? .backTapped : .screen(2, .close(nil)))
            .then {
                $0.screens.open(.signIn)
                $0.screens.close(2)
            }
    }

    @Test("a form for signing in that closes before the session changes keeps the screen that waits for it")
    func signedIn() {
        let outcome = spec(.home, person: nil)
            .when(.opened(.newTravel), .screen(2, .close(.signedIn)), .sessionChanged(Person.mina.id))
        #expect(outcome.after.screens.stack.map(\.screen) == [.home, .newTravel])
    }

    @Test("signing out closes the screens that need a user, and no others")
    func signOut() {
        spec(.home, .travel(travel), .entryEditor(.init(seed: 3), in: travel), .settings)
            .when(.sessionChanged(nil))
            .then {
                $0.person = nil
                $0.screens.closeAll(where: \.needsPerson)
            }
        let outcome = spec(.home, .myPage, .profile).when(.sessionChanged(nil))
        #expect(outcome.after.screens.stack.map(\.screen) == [.home, .myPage])
    }

    @Test("another user closes the editors of the user before")
    func otherPerson() {
        let outcome = spec(.home, .newTravel).when(.sessionChanged(Person.jun.id), .sessionChanged(Person.jun.id))
        #expect(outcome.after.screens.stack.map(\.screen) == [.home])
    }
}

@Suite("Open screens")
struct OpenScreensTests {
    private let travel = Travel.ID(seed: 1)

    @Test("open screens are restored from their text")
    func roundTrip() {
        let screens = OpenScreens(LinkTests.screens)
        #expect(OpenScreens(text: LinkTests.screens.map(\.link).joined(separator: "\n")) == screens)
        let text = "traveline://home\ntraveline://travel/\(travel)"
        #expect(OpenScreens(text: text) == OpenScreens([.home, .travel(travel)]))
    }

    @Test("text of another version restores the screens that it names, and at least the home screen")
    func foreignText() {
        let text = "traveline://home\r\n\r\ntraveline://teleport\n\u{0}\ntraveline://settings"
        #expect(OpenScreens(text: text).stack.map(\.screen) == [.home, .settings])
        for text in ["", "\n", "{}", "traveline://teleport"] { #expect(OpenScreens(text: text) == OpenScreens()) }
    }

    @Test("an ID is not used again, and the first screen stays open")
    func identity() {
        var screens = OpenScreens()
        let first = screens.open(.settings)
        #expect(screens.close(first)?.screen == .home)
        #expect(screens.open(.settings) != first)
        #expect(screens.close(first) == nil)
        #expect(screens.close(screens.stack[0].id) == nil)
        #expect(screens.top.screen == .settings)
    }
}

@Suite("Links to screens")
struct LinkTests {
    private static let travel = Travel.ID(seed: 1)
    private static let entry = TimelineEntry.ID(seed: 2)

    static let screens: [Screen] = [
        .home, .search(TravelCriteria()),
        .search(
            TravelCriteria(
                keyword: Keyword("바다 & 50%?/"), regions: [.busan, .jeju], author: .init(seed: 3), sort: .mostLiked)),
        .travel(travel), .travel(travel, day: 12), .map(travel, day: 3), .entry(entry, in: travel), .newTravel,
        .travelEditor(travel), .newEntry(in: travel, day: 2), .entryEditor(entry, in: travel), .myPage, .myTravels,
        .likedTravels, .profile, .blocked, .settings, .changes, .signIn, .signInAgain, .withdrawal,
    ]

    @Test("the link of a screen leads back to it", arguments: screens)
    func roundTrip(screen: Screen) {
        #expect(Screen(link: screen.link) == screen)
        #expect(Screen(link: " \(screen.link)\n") == screen)
        if !screen.link.contains("?") { #expect(Screen(link: "\(screen.link)/") == screen) }
        #expect(Screen(link: screen.link.replacing("traveline:", with: "TRAVELINE:")) == screen)
    }

    @Test("screens have different links")
    func distinct() {
        #expect(Set(Self.screens.map(\.link)).count == Self.screens.count)
        #expect(Screen.travel(Self.travel).link == "traveline://travel/\(Self.travel)")
    }

    @Test("random text never crashes, and a link that it happens to be leads back to its screen", arguments: 1...20)
    func randomText(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let parts = [
            "traveline:", "//", "/", "travel", "me", "day", "entry", "\(Self.travel)", "1", "edit", "home", "\u{301}",
            " ", "",
        ]
        for _ in 0..<100 {
            let text = (0..<Int.random(in: 1...9, using: &random)).map { _ in
                parts.randomElement(using: &random) ?? ""
            }.joined()
            let bytes = (0..<20).map { _ in UInt8.random(in: 0...255, using: &random) }
            _ = Screen(link: String(decoding: bytes, as: UTF8.self))
            _ = OpenScreens(text: String(decoding: bytes, as: UTF8.self))
            if let screen = Screen(link: text) { #expect(Screen(link: screen.link) == screen) }
        }
    }

    @Test(
        "text that is no link to a screen is rejected",
        arguments: [
            "", " ", "traveline", "traveline:", "traveline://", "traveline:///", "traveline:/home", "home",
            "https://travel/\(travel)", "traveline://travel", "traveline://travel/", "traveline://travel/1",
            "traveline://travel/\(travel)/day/0", "traveline://travel/\(travel)/day/-1",
            "traveline://travel/\(travel)/day/+1", "traveline://travel/\(travel)/day/99999999999999999999",
            "traveline://travel/\(travel)/day/١", "traveline://travel/\(travel)/entry/x",
            "traveline://travel/\(travel)/edit/x", "traveline://me/x", "traveline://home/x", "traveline://home//",
            "traveline://home traveline://home", "traveline://search?region=atlantis", "traveline://search?x",
            "traveline://search/x", "traveline://home?region=busan", "traveline://travel/\(travel)?day=1",
            "traveline://여행", "\u{0}",
        ])
    func rejection(text: String) {
        #expect(Screen(link: text) == nil)
    }
}
