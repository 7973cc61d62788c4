import Testing
import TravelDomainTesting
@testable import TravelPresentation
import ViewModelsTesting

@Suite("Coordinator")
struct CoordinatorFlowTests {
    private let trip = Trip.ID(seed: 1)

    private func spec(_ screens: Screen..., user: User? = Person.mina) -> FlowSpec<CoordinatorFlow> {
        FlowSpec(CoordinatorFlow(OpenScreens(screens), user: user?.id))
    }

    @Test("a screen opens above the one that asks for it, and closes with its result for that one")
    func result() {
        spec(.home)
            .when(.screen(1, .open(.tripEditor(trip))))
            .then { $0.screens.open(.tripEditor(trip)) }
            .when(.screen(2, .close(.savedTrip(trip))))
            .then(.event(.returned(.savedTrip(trip), to: 1))) { $0.screens.close(2) }
    }

    @Test("closing without a result returns nothing")
    func noResult() {
        spec(.home, .settings).when(.screen(2, .close(nil))).then { $0.screens.close(2) }
    }

    @Test("a screen in the middle closes with those above it")
    func middle() {
        spec(.home, .trip(trip), .map(trip, day: 1)).when(.screen(2, .close(.removedTrip(trip))))
            .then(.event(.returned(.removedTrip(trip), to: 1))) { $0.screens.close(2) }
    }

    @Test("a screen that closes leaves the forms above it open, whose changes may not be saved")
    func belowForm() {
        let form = Screen.newEntry(in: trip, day: 1)
        let closing = CoordinatorFlow.Action.screen(2, .close(.removedTrip(trip)))
        let outcome = spec(.home, .trip(trip), .map(trip, day: 1), form, .settings).when(closing)
        #expect(outcome.after.screens.stack.map(\.screen) == [.home, form])
        #expect(outcome.next == .event(.returned(.removedTrip(trip), to: 1)))
    }

    @Test("a first screen that closes below a form leaves the form, and does not quit")
    func firstScreenBelowForm() {
        let outcome = spec(.trip(trip), .tripEditor(trip)).when(.screen(1, .close(.removedTrip(trip))))
        #expect(outcome.after.screens.stack.map(\.screen) == [.tripEditor(trip)])
        #expect(outcome.next == .event(.returned(.removedTrip(trip), to: 2)))
    }

    @Test("a screen that has closed opens and closes nothing, but its message is still shown")
    func closedScreen() {
        spec(.home).when(.screen(9, .open(.settings)), .screen(9, .close(nil))).then()
            .when(.screen(9, .notice(.done(.saved)))).then(.event(.notice(.done(.saved))))
    }

    @Test("two taps on a row open its screen once")
    func doubleTap() {
        spec(.home).when(.screen(1, .open(.trip(trip))), .screen(1, .open(.trip(trip))))
            .then { $0.screens.open(.trip(trip)) }
    }

    @Test("going back closes the screen on top, and quits from the first one")
    func back() {
        spec(.home, .settings).when(.backTapped).then { $0.screens.close(2) }.when(.backTapped).then(.event(.quit))
    }

    @Test("a first screen that closes quits")
    func firstScreenCloses() {
        spec(.trip(trip)).when(.screen(1, .close(nil))).then(.event(.quit))
    }

    @Test("a deep link opens its screen above the others; a broken one says so")
    func links() {
        spec(.home).when(.linkOpened("traveline://trip/\(trip)/day/2"))
            .then { $0.screens.open(.trip(trip, day: 2)) }
            .when(.linkOpened("traveline://nowhere")).then(.event(.notice(.done(.brokenLink))))
    }

    @Test("opening the home screen returns to it, or begins with it")
    func home() {
        spec(.home, .trip(trip), .settings).when(.opened(.home)).then { $0.screens.close(2) }
        spec(.home).when(.opened(.home)).then()
        spec(.settings, .trip(trip)).when(.linkOpened("traveline://home")).then { $0.screens.open(.home) }
    }

    @Test("opening the home screen closes no form, whose changes may not be saved")
    func homeAboveForm() {
        spec(.home, .trip(trip), .newEntry(in: trip, day: 1), .settings)
            .when(.opened(.home)).then { $0.screens.open(.home) }
            .when(.opened(.home)).then()
    }

    @Test("restored screens stay when a session is restored, and close when nobody is signed in")
    func restoredScreens() {
        let restored = OpenScreens([.profile, .home, .newTrip])
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
        spec(.home, user: nil)
            .when(.opened(.newTrip))
            .then {
                $0.afterSignIn = .newTrip
                $0.screens.open(.signIn)
            }
            .when(.sessionChanged(Person.mina.id))
            .then {
                $0.user = Person.mina.id
                $0.knowsUser = true
                $0.afterSignIn = nil
                $0.screens.closeAll { $0 == .signIn }
                $0.screens.open(.newTrip)
            }
    }

    @Test("a screen that waited for signing in is forgotten when the user does not", arguments: [true, false])
    func signInCancelled(goesBack: Bool) {
        spec(.home, user: nil)
            .when(.opened(.profile), goesBack ? .backTapped : .screen(2, .close(nil)))
            .then {
                $0.screens.open(.signIn)
                $0.screens.close(2)
            }
    }

    @Test("a form for signing in that closes before the session changes keeps the screen that waits for it")
    func signedIn() {
        let outcome = spec(.home, user: nil)
            .when(.opened(.newTrip), .screen(2, .close(.signedIn)), .sessionChanged(Person.mina.id))
        #expect(outcome.after.screens.stack.map(\.screen) == [.home, .newTrip])
    }

    @Test("signing out closes the screens that need a user, and no others")
    func signOut() {
        spec(.home, .trip(trip), .entryEditor(.init(seed: 3), in: trip), .settings)
            .when(.sessionChanged(nil))
            .then {
                $0.user = nil
                $0.screens.closeAll(where: \.needsUser)
            }
        let outcome = spec(.home, .myPage, .profile).when(.sessionChanged(nil))
        #expect(outcome.after.screens.stack.map(\.screen) == [.home, .myPage])
    }

    @Test("another user closes the editors of the user before")
    func otherUser() {
        let outcome = spec(.home, .newTrip).when(.sessionChanged(Person.jun.id), .sessionChanged(Person.jun.id))
        #expect(outcome.after.screens.stack.map(\.screen) == [.home])
    }
}

@Suite("Open screens")
struct OpenScreensTests {
    private let trip = Trip.ID(seed: 1)

    @Test("open screens are restored from their text")
    func roundTrip() {
        let screens = OpenScreens(LinkTests.screens)
        #expect(OpenScreens(text: LinkTests.screens.map(\.link).joined(separator: "\n")) == screens)
        let text = "traveline://home\ntraveline://trip/\(trip)"
        #expect(OpenScreens(text: text) == OpenScreens([.home, .trip(trip)]))
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
    private static let trip = Trip.ID(seed: 1)
    private static let entry = TimelineEntry.ID(seed: 2)

    static let screens: [Screen] = [
        .home, .search(TripCriteria()),
        .search(
            TripCriteria(
                keyword: Keyword("바다 & 50%?/"), regions: [.busan, .jeju], author: .init(seed: 3), sort: .mostLiked)),
        .trip(trip), .trip(trip, day: 12), .map(trip, day: 3), .entry(entry, in: trip), .newTrip,
        .tripEditor(trip), .newEntry(in: trip, day: 2), .entryEditor(entry, in: trip), .myPage, .myTrips,
        .likedTrips, .profile, .blocked, .settings, .changes, .signIn, .signInAgain, .accountDeletion,
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
        #expect(Screen.trip(Self.trip).link == "traveline://trip/\(Self.trip)")
    }

    @Test("random text never crashes, and a link that it happens to be leads back to its screen", arguments: 1...20)
    func randomText(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let parts = [
            "traveline:", "//", "/", "trip", "me", "day", "entry", "\(Self.trip)", "1", "edit", "home", "\u{301}",
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
            "https://trip/\(trip)", "traveline://trip", "traveline://trip/", "traveline://trip/1",
            "traveline://trip/\(trip)/day/0", "traveline://trip/\(trip)/day/-1",
            "traveline://trip/\(trip)/day/+1", "traveline://trip/\(trip)/day/99999999999999999999",
            "traveline://trip/\(trip)/day/١", "traveline://trip/\(trip)/entry/x",
            "traveline://trip/\(trip)/edit/x", "traveline://me/x", "traveline://home/x", "traveline://home//",
            "traveline://home traveline://home", "traveline://search?region=atlantis", "traveline://search?x",
            "traveline://search/x", "traveline://home?region=busan", "traveline://trip/\(trip)?day=1",
            "traveline://여행", "\u{0}",
        ])
    func rejection(text: String) {
        #expect(Screen(link: text) == nil)
    }
}
