import StreamsTesting
import TestTurns
import Testing
import TravelDomainTesting
import TravelPresentation
import ViewModelsTesting

@Suite("My page", .takesTurns)
struct MyPageViewModelTests {
    private let scheduler = TestScheduler(resolution: 0.001)
    private let person = BehaviorRelay<User?>(value: Person.mina)
    private let travels = PublishSubject<Result<TravelPage, TravelError>>()
    private let likedTravels = PublishSubject<Result<TravelPage, TravelError>>()
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
        MyPageViewModel(
            .init(
                travels: { [travels] _ in travels.map { try $0.get() } },
                likedTravels: { [likedTravels] _ in likedTravels.map { try $0.get() } }),
            person: person.asObservable())
    }

    private func perform(_ body: () -> Void) {
        scheduler.perform(body)
        scheduler.advance(by: 5)
    }

    private func page(_ numbers: ClosedRange<UInt64>, hasMore: Bool = false) -> Result<TravelPage, TravelError> {
        let travels = numbers.map { Travel.sample($0, by: Person.mina) }
        return .success(
            TravelPage(
                travels: travels, next: hasMore ? travels.last.map { TravelCursor(after: $0, in: .newest) } : nil))
    }

    private func cards(_ numbers: ClosedRange<UInt64>) -> [TravelCard] {
        numbers.map { TravelCard(.sample($0, by: Person.mina)) }
    }

    @Test("my page shows three travels of each list, and whether there are more")
    func lists() {
        #expect(contents.all == [MyPageContent(person: Person.mina)])
        perform { travels.onNext(page(1...4)) }
        perform { likedTravels.onNext(page(1...3)) }
        #expect(
            contents.all.last
                == MyPageContent(
                    person: Person.mina, travels: .loaded(cards(1...3), hasMore: true),
                    likedTravels: .loaded(cards(1...3), hasMore: false)))
        perform { likedTravels.onNext(page(1...3, hasMore: true)) }
        #expect(contents.all.last?.likedTravels == .loaded(cards(1...3), hasMore: true))
    }

    @Test("a list that fails says why, and a retry loads both again")
    func failure() {
        perform { travels.onNext(.failure(.busy)) }
        #expect(contents.all.last?.travels == .failed(.busy))
        #expect(contents.all.last?.likedTravels == .loading)
        perform { retryTapped.accept(()) }
        #expect(contents.all.last == MyPageContent(person: Person.mina))
        perform { travels.onNext(page(1...1)) }
        #expect(contents.all.last?.travels == .loaded(cards(1...1), hasMore: false))
    }

    @Test("my page drops the lists of the person before as soon as the session changes")
    func session() {
        perform { travels.onNext(page(1...2)) }
        scheduler.perform { person.accept(nil) }
        scheduler.advance(by: 5)
        #expect(contents.all.last == MyPageContent(person: nil))
        perform { travels.onNext(page(1...2)) }
        #expect(contents.all.last == MyPageContent(person: nil))
        perform { person.accept(Person.jun) }
        #expect(contents.all.last == MyPageContent(person: Person.jun))
        let strangers = contents.all.filter { $0.person != Person.mina }.map(\.travels)
        #expect(strangers.allSatisfy { $0 == .loading })
    }

    @Test("a new nickname keeps the lists")
    func nickname() throws {
        perform { travels.onNext(page(1...2)) }
        let renamed = User(id: Person.mina.id, nickname: try Nickname("Minah"))
        perform { person.accept(renamed) }
        #expect(contents.all.last == MyPageContent(person: renamed, travels: .loaded(cards(1...2), hasMore: false)))
    }

    @Test("the buttons of my page open other screens")
    func navigation() {
        perform {
            opened.accept(.myTravels)
            opened.accept(.profile)
            backTapped.accept(())
        }
        #expect(events.all == [.open(.myTravels), .open(.profile), .close(nil)])
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
