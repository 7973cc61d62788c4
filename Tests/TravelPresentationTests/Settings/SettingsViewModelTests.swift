import StreamsTesting
import Synchronization
import Testing
import TestConcurrency
import TravelDomainTesting
import TravelPresentation
import ViewModelsTesting

@Suite("Settings")
struct SettingsViewModelTests {
    private let scheduler = TestScheduler(resolution: 0.001)
    private let languagePicked = PublishRelay<Language>()
    private let bag = DisposeBag()

    /// The languages of the screens, and the events, after picking these.
    private func pick(
        _ languages: Language..., save: @escaping @Sendable (Language) async throws -> Void
    ) -> (languages: [Language], events: [ScreenEvent]) {
        SharingScheduler.mock(scheduler: scheduler) {
            let output = SettingsViewModel(language: .english, save: save)
                .transform(.init(languagePicked: languagePicked.asObservable()))
            let (shown, events) = scheduler.perform { (output.language.recorded(bag), output.events.recorded(bag)) }
            for language in languages { scheduler.perform { languagePicked.accept(language) } }
            scheduler.advance(by: .seconds(1))
            return (shown.all, events.all)
        }
    }

    @Test("a language applies immediately, and the choices are saved one after the other")
    func language() {
        let saved = Recorder<String>()
        let result = pick(.english, .korean, .english) { [scheduler] language in
            saved.add("begin \(language)")
            try await scheduler.virtualClock.sleep(for: .milliseconds(100))
            saved.add("end \(language)")
        }
        #expect(result.languages == [.english, .korean, .english])
        #expect(result.events == [])
        #expect(saved.all == ["begin korean", "end korean", "begin english", "end english"])
    }

    @Test("a language that cannot be saved stays for this run and says why")
    func failure() {
        let result = pick(.korean) { _ in throw TravelError.busy }
        #expect(result.languages == [.english, .korean])
        #expect(result.events == [.notice(.failed(.busy))])
    }

    @Test("the settings only compose")
    @MainActor
    func composes() {
        expectOnlyComposes(SettingsViewModel(language: .korean) { _ in }) { inputs in
            .init(languagePicked: inputs.count(languagePicked.asObservable()))
        } whileBound: {
            languagePicked.accept(.english)
        }
    }
}

/// The list of two blocked people, with answers that take 100 ms each.
private final class BlockedRun: Sendable {
    let scheduler = TestScheduler(resolution: 0.001)
    let refreshTapped = PublishRelay<Void>()
    let unblockTapped = PublishRelay<User.ID>()
    let backTapped = PublishRelay<Void>()
    let calls = Recorder<String>()
    private let failing = Mutex<Set<String>>([])
    private let bag = DisposeBag()

    var viewModel: BlockedViewModel {
        BlockedViewModel(
            load: { [self] in
                try await call("load")
                return [Person.mina, Person.jun]
            },
            unblock: { [self] in try await call($0 == Person.jun.id ? "Jun" : "Mina") })
    }

    func start() -> (
        content: Recorder<BlockedViewModel.Content>, working: Recorder<Set<User.ID>>, events: Recorder<ScreenEvent>
    ) {
        SharingScheduler.mock(scheduler: scheduler) {
            let output = viewModel.transform(
                .init(
                    refreshTapped: refreshTapped.asObservable(), unblockTapped: unblockTapped.asObservable(),
                    backTapped: backTapped.asObservable()))
            return scheduler.perform {
                (output.content.recorded(bag), output.working.recorded(bag), output.events.recorded(bag))
            }
        }
    }

    func fail(_ calls: String...) { failing.withLock { $0 = Set(calls) } }

    func unblock(_ users: User..., for milliseconds: Int) {
        scheduler.perform { for user in users { unblockTapped.accept(user.id) } }
        pass(milliseconds)
    }

    func pass(_ milliseconds: Int) { scheduler.advance(by: .milliseconds(milliseconds)) }

    private func call(_ name: String) async throws {
        calls.add(name)
        try await scheduler.virtualClock.sleep(for: .milliseconds(100))
        if failing.withLock({ $0.contains(name) }) { throw TravelError.busy }
    }
}

@Suite("Blocked users", .limitedConcurrency)
struct BlockedViewModelTests {
    private let run = BlockedRun()

    @Test("several authors are unblocked at the same time, each once, however often that is tapped")
    func unblock() {
        let (content, working, events) = run.start()
        run.pass(150)
        run.unblock(Person.jun, Person.jun, for: 50)
        run.unblock(Person.mina, Person.jun, for: 30)
        #expect(run.calls.all == ["load", "Jun", "Mina"])
        #expect(working.all.last == [Person.mina.id, Person.jun.id])
        run.pass(30)
        #expect(content.all.last == .users([Person.mina]))
        #expect(working.all.last == [Person.mina.id])
        run.pass(100)
        #expect(content.all.last == .users([]))
        #expect(working.all == [[], [Person.jun.id], [Person.mina.id, Person.jun.id], [Person.mina.id], []])
        #expect(events.all == [.notice(.done(.unblocked)), .notice(.done(.unblocked))])
    }

    @Test("users who fail to load can be loaded again")
    func failedLoad() {
        run.fail("load")
        let (content, _, events) = run.start()
        run.pass(150)
        run.fail()
        run.scheduler.perform { run.refreshTapped.accept(()) }
        run.pass(150)
        #expect(content.all == [.loading, .failed(.busy), .loading, .users([Person.mina, Person.jun])])
        #expect(events.all == [])
    }

    @Test("an author who cannot be unblocked stays and can be unblocked again, while another leaves")
    func failedUnblock() {
        let (content, _, events) = run.start()
        run.pass(150)
        run.fail("Mina")
        run.unblock(Person.mina, Person.jun, for: 150)
        #expect(content.all.last == .users([Person.mina]))
        #expect(Set(events.all) == [.notice(.failed(.busy)), .notice(.done(.unblocked))])
        run.fail()
        run.unblock(Person.mina, for: 150)
        #expect(content.all.last == .users([]))
        run.scheduler.perform { run.backTapped.accept(()) }
        run.pass(5)
        #expect(events.all.last == .close(nil))
    }

    @Test("an author who is unblocked while the list is loaded again is not in it")
    func unblockedWhileLoading() {
        let (content, _, _) = run.start()
        run.pass(150)
        run.unblock(Person.jun, for: 50)
        run.scheduler.perform { run.refreshTapped.accept(()) }
        run.pass(150)
        #expect(content.all.last == .users([Person.mina]))
    }

    @Test("the list of blocked users only composes")
    @MainActor
    func composes() {
        expectOnlyComposes(run.viewModel) { inputs in
            .init(
                refreshTapped: inputs.count(run.refreshTapped.asObservable()),
                unblockTapped: inputs.count(run.unblockTapped.asObservable()),
                backTapped: inputs.count(run.backTapped.asObservable()))
        } whileBound: {
            run.unblockTapped.accept(Person.jun.id)
        }
    }
}

@Suite("My page", .limitedConcurrency)
struct MyPageViewModelTests {
    private let scheduler = TestScheduler(resolution: 0.001)
    private let user = BehaviorRelay<User?>(value: Person.mina)
    private let trips = PublishSubject<Result<TripPage, TravelError>>()
    private let likedTrips = PublishSubject<Result<TripPage, TravelError>>()
    private let opened = PublishRelay<Screen>()
    private let retryTapped = PublishRelay<Void>()
    private let backTapped = PublishRelay<Void>()
    private let contents = Recorder<MyPageContent>()
    private let events = Recorder<ScreenEvent>()
    private let bag = DisposeBag()

    init() {
        SharingScheduler.mock(scheduler: scheduler) {
            let output = viewModel.transform(
                .init(
                    opened: opened.asObservable(), retryTapped: retryTapped.asObservable(),
                    backTapped: backTapped.asObservable()))
            scheduler.perform {
                output.content.asObservable().subscribe(onNext: contents.add).disposed(by: bag)
                output.events.asObservable().subscribe(onNext: events.add).disposed(by: bag)
            }
        }
        scheduler.advance(by: 5)
    }

    private var viewModel: MyPageViewModel {
        MyPageViewModel(user: user.asObservable()) { [trips, likedTrips] criteria in
            (criteria.likedBy == nil ? trips : likedTrips).map { try $0.get() }
        }
    }

    private func perform(_ body: () -> Void) {
        scheduler.perform(body)
        scheduler.advance(by: 5)
    }

    private func page(_ numbers: ClosedRange<UInt64>, hasMore: Bool = false) -> Result<TripPage, TravelError> {
        let trips = numbers.map { Trip.sample($0, by: Person.mina) }
        return .success(
            TripPage(
                trips: trips, next: hasMore ? trips.last.map { TripCursor(after: $0, in: .newest) } : nil))
    }

    private func cards(_ numbers: ClosedRange<UInt64>) -> [TripCard] {
        numbers.map { TripCard(.sample($0, by: Person.mina)) }
    }

    @Test("my page shows three trips of each list, and whether there are more")
    func lists() {
        #expect(contents.all == [MyPageContent(user: Person.mina)])
        perform { trips.onNext(page(1...4)) }
        perform { likedTrips.onNext(page(1...3)) }
        #expect(
            contents.all.last
                == MyPageContent(
                    user: Person.mina, trips: .loaded(cards(1...3), hasMore: true),
                    likedTrips: .loaded(cards(1...3), hasMore: false)))
        perform { likedTrips.onNext(page(1...3, hasMore: true)) }
        #expect(contents.all.last?.likedTrips == .loaded(cards(1...3), hasMore: true))
    }

    @Test("a list that fails says why, and a retry loads both again")
    func failure() {
        perform { trips.onNext(.failure(.busy)) }
        #expect(contents.all.last?.trips == .failed(.busy))
        #expect(contents.all.last?.likedTrips == .loading)
        perform { retryTapped.accept(()) }
        #expect(contents.all.last == MyPageContent(user: Person.mina))
        perform { trips.onNext(page(1...1)) }
        #expect(contents.all.last?.trips == .loaded(cards(1...1), hasMore: false))
    }

    @Test("my page drops the lists of the user before as soon as the session changes")
    func session() {
        perform { trips.onNext(page(1...2)) }
        scheduler.perform { user.accept(nil) }
        scheduler.advance(by: 5)
        #expect(contents.all.last == MyPageContent(user: nil))
        perform { trips.onNext(page(1...2)) }
        #expect(contents.all.last == MyPageContent(user: nil))
        perform { user.accept(Person.jun) }
        #expect(contents.all.last == MyPageContent(user: Person.jun))
        let strangers = contents.all.filter { $0.user != Person.mina }.map(\.trips)
        #expect(strangers.allSatisfy { $0 == .loading })
    }

    @Test("a new nickname keeps the lists")
    func nickname() throws {
        perform { trips.onNext(page(1...2)) }
        let renamed = User(id: Person.mina.id, nickname: try Nickname("Minah"))
        perform { user.accept(renamed) }
        #expect(contents.all.last == MyPageContent(user: renamed, trips: .loaded(cards(1...2), hasMore: false)))
    }

    @Test("the buttons of my page open other screens")
    func navigation() {
        perform {
            opened.accept(.myTrips)
            opened.accept(.profile)
            backTapped.accept(())
        }
        #expect(events.all == [.open(.myTrips), .open(.profile), .close(nil)])
    }

    @Test("my page only composes")
    @MainActor
    func composes() {
        expectOnlyComposes(viewModel) { inputs in
            .init(
                opened: inputs.count(opened.asObservable()), retryTapped: inputs.count(retryTapped.asObservable()),
                backTapped: inputs.count(backTapped.asObservable()))
        }
    }
}
