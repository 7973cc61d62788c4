import Testing
import TravelDomainTesting
import ViewModelsTesting

@testable import TravelPresentation

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

    @Test("a signed-in person is not asked to sign in")
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

    @Test("a screen that waited for signing in is forgotten when the person does not", arguments: [true, false])
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

    @Test("signing out closes the screens that need a person, and no others")
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

    @Test("another person closes the editors of the person before")
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
        #expect(OpenScreens(text: screens.text) == screens)
        #expect(OpenScreens([.home, .travel(travel)]).text == "traveline://home\ntraveline://travel/\(travel)")
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
