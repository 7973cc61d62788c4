import StreamsTesting
import Testing
import TravelDomainTesting
import TravelPresentation
import ViewModelsTesting

@Suite("What the user has recorded in all")
struct TravelSummaryViewModelTests {
    private let scheduler = TestScheduler(resolution: 0.001)
    private let user = BehaviorRelay<User?>(value: Person.mina)
    private let summaries = PublishSubject<Result<TravelSummary, TravelError>>()
    private let retryTapped = PublishRelay<Void>()
    private let contents: Recorder<TravelSummaryViewModel.Content>
    private let bag = DisposeBag()

    init() {
        let (user, summaries, retryTapped, bag, scheduler) = (user, summaries, retryTapped, bag, scheduler)
        contents = SharingScheduler.mock(scheduler: scheduler) {
            let output = Self.viewModel(user, summaries).transform(.init(retryTapped: retryTapped.asObservable()))
            return scheduler.perform { output.content.recorded(bag) }
        }
        scheduler.advance(by: 5)
    }

    private static func viewModel(
        _ user: BehaviorRelay<User?>, _ summaries: PublishSubject<Result<TravelSummary, TravelError>>
    ) -> TravelSummaryViewModel {
        TravelSummaryViewModel(user: user.asObservable()) { summaries.map { try $0.get() } }
    }

    private func perform(_ body: () -> Void) {
        scheduler.perform(body)
        scheduler.advance(by: 5)
    }

    private func summary(_ seeds: ClosedRange<UInt64>) throws -> TravelSummary {
        TravelSummary(
            try seeds.map { seed in
                let trip = try TripBuilder(seed: seed, author: Person.mina).build()
                let seen = try Trip(
                    id: trip.id, author: trip.author, content: trip.content, createdAt: trip.createdAt, likeCount: 0,
                    isLiked: false, isMine: true)
                return TravelSummary.Part(TripDetails(trip: seen, timeline: []))
            })
    }

    @Test("the summary follows changes, and that of another user does not stay")
    func changes() throws {
        let (one, three) = (try summary(1...1), try summary(1...3))
        perform { summaries.onNext(.success(one)) }
        perform { summaries.onNext(.success(three)) }
        #expect(contents.all == [.loading, .loaded(one), .loaded(three)])
        perform { user.accept(Person.jun) }
        #expect(contents.all.last == .loading)
        perform { user.accept(nil) }
        perform { summaries.onNext(.success(one)) }
        #expect(contents.all.last == .nobody)
    }

    @Test("a failure says why, and a retry reads again; a new nickname reads nothing")
    func failures() throws {
        perform { summaries.onNext(.failure(.busy)) }
        #expect(contents.all.last == .failed(.busy))
        perform { retryTapped.accept(()) }
        #expect(contents.all.last == .loading)
        let one = try summary(1...1)
        perform { summaries.onNext(.success(one)) }
        perform { user.accept(User(id: Person.mina.id, nickname: Person.jun.nickname)) }
        #expect(contents.all.last == .loaded(one))
    }

    @Test("the sums are one line in both languages")
    func text() throws {
        let summary = try summary(1...2)
        #expect(summary.text == Text("2 trips · 1 day · 1 region", "여행 2개 · 1일 · 지역 1곳"))
    }

    @Test("the summary only composes")
    @MainActor
    func composes() {
        expectOnlyComposes(Self.viewModel(user, summaries)) { inputs in
            .init(retryTapped: inputs.count(retryTapped.asObservable()))
        }
    }
}
