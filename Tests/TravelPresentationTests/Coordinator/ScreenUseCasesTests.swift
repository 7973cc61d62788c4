import Foundation
import StreamsTesting
import TestConcurrency
import Testing
import TravelDataInMemory
import TravelDomainTesting
import TravelSamples
import ViewModelsTesting

@testable import TravelPresentation

@Suite("Screens over a store in memory", .limitedConcurrency)
struct ScreenUseCasesTests {
    private let scheduler = TestScheduler(resolution: 0.001)
    private let store = InMemoryTripRepository()
    private let device = InMemorySession(device: Person.mina.id)

    /// The screens of a device, with its session.
    private struct Screens {
        let useCases: ScreenUseCases
        let session: SessionRun

        init(_ useCases: ScreenUseCases, on scheduler: TestScheduler) {
            self.useCases = useCases
            session = SessionRun(on: scheduler, useCases.account)
        }

        var user: Observable<User?> { session.user }

        func home(_ scope: HomeFlow.Scope = .all) -> HomeFlow {
            HomeFlow(useCases, user: user, scope: scope)
        }
        func timeline(_ id: Trip.ID, day: Int = 1) -> TimelineFlow {
            TimelineFlow(useCases, trip: id, day: day, user: user)
        }
        func newTrip() -> TripEditorFlow { TripEditorFlow(useCases) }
        func tripEditor(_ id: Trip.ID) -> TripEditorFlow { TripEditorFlow(useCases, trip: id) }
        func newEntry(in trip: Trip.ID, day: Int) -> EntryEditorFlow {
            EntryEditorFlow(useCases, newEntryIn: trip, day: day)
        }
    }

    /// The screens of a device on which nobody is signed in.
    private func screens(_ store: (any TravelStore)? = nil) -> Screens {
        let screens = SharingScheduler.mock(scheduler: scheduler) {
            withDependencies {
                $0.useVirtualTime(of: scheduler)
            } operation: {
                Screens(
                    .init(
                        store: store ?? self.store, session: device, identity: device,
                        recentKeywords: InMemoryRecentKeywordRepository(),
                        readImage: { _ in try EditorWorld.picture(day: "2024-05-02") }, saveLanguage: { _ in }),
                    on: scheduler)
            }
        }
        pass()
        return screens
    }

    private func pass(_ milliseconds: Int = 20) { scheduler.advance(by: .milliseconds(milliseconds)) }

    private func run<F: Flow>(_ flow: @autoclosure () -> F) -> ScreenRun<F> {
        ScreenRun(on: scheduler, flow()) { $0.places = Gazetteer.korea }
    }

    /// Signs in through the form; returns its events.
    @discardableResult
    private func signIn(_ screens: Screens, as nickname: String = "Mina") -> [ScreenEvent] {
        let (text, saveTapped, events) = (BehaviorRelay(value: ""), PublishRelay<Void>(), Recorder<ScreenEvent>())
        let bag = DisposeBag()
        SharingScheduler.mock(scheduler: scheduler) {
            let output = screens.useCases.signIn.transform(
                .init(nickname: text.asObservable(), saveTapped: saveTapped.asObservable()))
            scheduler.perform {
                output.canSave.asObservable().subscribe().disposed(by: bag)
                output.events.asObservable().subscribe(onNext: events.add).disposed(by: bag)
            }
        }
        scheduler.perform { text.accept(nickname) }
        pass()
        scheduler.perform { saveTapped.accept(()) }
        pass()
        return events.all
    }

    /// Records a trip of two days through its editor, and returns its ID.
    private func record(_ screens: Screens, title: String) throws -> Trip.ID {
        let editor = run(screens.newTrip())
        editor.send(.appeared, .titleTyped(title), .optionTapped(.region(.busan)), .firstDayTyped("2024-05-01"))
        editor.send(.lastDayTyped("2024-05-02"), .saveTapped, for: 20)
        guard case .close(.savedTrip(let id)) = try #require(editor.events.last) else {
            throw TravelError.notFound(.trip(editor.state.id))
        }
        return id
    }

    @Test("a user signs in, records a trip with an entry, and finds them on every screen")
    func wholeWay() throws {
        let screens = screens()
        let home = run(screens.home())
        home.send(.appeared, for: 20)
        #expect(home.state.content == .empty)
        #expect(signIn(screens) == [.notice(.done(.signedIn)), .close(.signedIn)])
        #expect(home.state.user?.nickname.text == "Mina")

        let id = try record(screens, title: "부산")
        #expect(home.state.rows.map(\.trip.title.text) == ["부산"])
        let timeline = run(screens.timeline(id, day: 2))
        timeline.send(.appeared, for: 20)
        #expect(timeline.state.isMine)

        let entry = run(screens.newEntry(in: id, day: 2))
        entry.send(.appeared, for: 20)
        entry.send(.titleTyped("해운대"), .textTyped("바다"), .placeTyped("해운대"), .imagePicked("a.jpg"), for: 400)
        let place = try #require(entry.state.places.results?.first?.place)
        entry.send(.placePicked(place), .saveTapped, for: 20)
        #expect(entry.events.contains(.close(.savedEntry(entry.state.form.id, day: 2))))
        #expect(timeline.state.cards.map(\.entry.title.text) == ["해운대"])
        #expect(timeline.state.stops.map(\.place) == [place])
        #expect(timeline.state.cards.first?.entry.time.description == "17:45")

        timeline.send(.likeTapped, for: 20)
        #expect(home.state.rows.first?.like == .init(isLiked: true, count: 1))
        home.send(.search(.keywordPicked("부")), for: 20)
        home.send(.search(.opened), for: 20)
        home.send(.search(.typed("")), for: 20)
        #expect(home.state.search.suggestions == Keyword("부").map { .recent([$0]) })

        timeline.send(.deleteTapped, .answered(true), for: 20)
        #expect(timeline.events.last == .close(.removedTrip(id)))
        #expect(home.state.content == .empty)
        #expect(home.events.isEmpty)
    }

    @Test("my page follows the trips of the user and the ones they like")
    func myPage() throws {
        let screens = screens()
        signIn(screens)
        let (contents, bag) = (Recorder<MyPageContent>(), DisposeBag())
        SharingScheduler.mock(scheduler: scheduler) {
            let output = screens.useCases.myPage(of: screens.user).transform(.init())
            scheduler.perform { output.content.asObservable().subscribe(onNext: contents.add).disposed(by: bag) }
        }
        pass()
        let id = try record(screens, title: "Mine")
        let list = run(screens.home(.liked))
        list.send(.appeared, for: 20)
        #expect(list.state.content == .empty)
        let timeline = run(screens.timeline(id))
        timeline.send(.appeared, for: 20)
        timeline.send(.likeTapped, for: 20)
        guard case .loaded(let mine, hasMore: false) = contents.all.last?.trips,
            case .loaded(let liked, hasMore: false) = contents.all.last?.likedTrips
        else {
            Issue.record("\(String(describing: contents.all.last))")
            return
        }
        #expect(mine.map(\.id) == [id])
        #expect(liked.map(\.id) == [id])
        #expect(list.state.rows.map(\.id) == [id])
    }

    @Test("a change on another device is a conflict, which the user resolves")
    func conflict() throws {
        let screens = screens()
        signIn(screens)
        let id = try record(screens, title: "Mine")
        let editor = run(screens.tripEditor(id))
        editor.send(.appeared, for: 20)
        editor.send(.titleTyped("Newer"))
        try elsewhere(id) { $0.title = try Title("Elsewhere") }
        editor.send(.saveTapped, for: 20)
        let lines = try #require(editor.state.merge?.collidingLines(in: .korean)).map(\.line)
        #expect(lines == [VersionLine(label: "제목", mine: "Newer", theirs: "Elsewhere")])
        editor.send(.mergeTapped, for: 20)
        #expect(editor.events.last == .close(.savedTrip(id)))
        #expect(try title(of: id) == "Newer")
    }

    @Test("signing out while a form is being saved closes the form, and nothing is saved")
    func signOutWhileSaving() throws {
        let slow = InterceptedStore.slow(
            store, by: .milliseconds(100), clock: scheduler.virtualClock, at: [.update])
        let screens = screens(slow)
        signIn(screens)
        let id = try record(screens, title: "Mine")
        let coordinator = run(CoordinatorFlow(OpenScreens([.home, .tripEditor(id)])))
        coordinator.bind(screens.user.map { .sessionChanged($0?.id) })
        pass()
        #expect(coordinator.state.screens.top.screen == .tripEditor(id))
        let editor = run(screens.tripEditor(id))
        editor.send(.appeared, for: 20)
        editor.send(.titleTyped("Newer"), .saveTapped, for: 20)
        #expect(editor.state.phase == .saving)
        scheduler.perform { screens.session.signOutTapped.accept(()) }
        pass()
        #expect(coordinator.state.screens.top.screen == .home)
        editor.dismiss()
        pass(200)
        #expect(try title(of: id) == "Mine")
        #expect(editor.events.isEmpty)
    }

    @Test("an author who is blocked leaves the lists, and returns when unblocked")
    func blocking() throws {
        let screens = screens()
        signIn(screens)
        try scheduler.run { [store] in
            try await store.add([try TripBuilder(seed: 5, author: Person.jun).build()])
        }
        let home = run(screens.home())
        home.send(.appeared, for: 20)
        let timeline = run(screens.timeline(.init(seed: 5)))
        timeline.send(.appeared, for: 20)
        timeline.send(.blockTapped, .answered(true), for: 20)
        #expect(timeline.events.last == .close(.removedTrip(.init(seed: 5))))
        #expect(home.state.content == .empty)
        let (unblockTapped, bag) = (PublishRelay<User.ID>(), DisposeBag())
        let blocked = SharingScheduler.mock(scheduler: scheduler) {
            let output = screens.useCases.blocked.transform(.init(unblockTapped: unblockTapped.asObservable()))
            return scheduler.perform { output.content.recorded(bag) }
        }
        pass()
        #expect(blocked.all.last == .users([Person.jun]))
        scheduler.perform { unblockTapped.accept(Person.jun.id) }
        pass()
        #expect(home.state.rows.map(\.id) == [.init(seed: 5)])
    }

    @Test("a new nickname reaches the other screens, and deleting the account removes the user with their trips")
    func account() throws {
        let screens = screens()
        signIn(screens)
        _ = try record(screens, title: "Mine")
        let home = run(screens.home())
        home.send(.appeared, for: 20)
        let (text, saveTapped, bag) = (BehaviorRelay(value: "Mina"), PublishRelay<Void>(), DisposeBag())
        SharingScheduler.mock(scheduler: scheduler) {
            let output = screens.useCases.profile.transform(
                .init(nickname: text.asObservable(), saveTapped: saveTapped.asObservable()))
            scheduler.perform {
                output.canSave.asObservable().subscribe().disposed(by: bag)
                output.events.asObservable().subscribe(onNext: { event in
                    if case .close(.renamed(let user)) = event { screens.session.renamed.accept(user) }
                }).disposed(by: bag)
            }
        }
        scheduler.perform { text.accept("Minah") }
        pass(400)
        scheduler.perform { saveTapped.accept(()) }
        pass()
        #expect(home.state.user?.nickname.text == "Minah")
        #expect(home.state.rows.first?.trip.author.nickname.text == "Minah")

        scheduler.perform { screens.session.deleteAccountTapped.accept(()) }
        scheduler.perform { screens.session.answered.accept(true) }
        pass()
        #expect(screens.session.users.all.last == .some(nil))
        #expect(home.state.user == nil)
        #expect(home.state.content == .empty)
    }

    private func elsewhere(
        _ id: Trip.ID, _ change: @escaping @Sendable (inout TripContent) throws -> Void
    ) throws {
        try scheduler.run { [store] in
            let edit = EditTrip(
                trips: store, session: InMemorySession(signedIn: Person.mina.id),
                now: { Date(timeIntervalSince1970: 0) })
            var content = try await store.trip(id, viewer: Person.mina.id).content
            try change(&content)
            _ = try await edit(id, content)
        }
    }

    private func title(of id: Trip.ID) throws -> String {
        try scheduler.run { [store] in try await store.trip(id, viewer: Person.mina.id).title.text }
    }
}
