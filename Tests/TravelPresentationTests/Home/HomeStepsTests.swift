import StreamsTesting
import TestTurns
import Testing
import TravelDomainTesting
import ViewModelsTesting

@testable import TravelPresentation

/// Each step of the home screen, with nothing left unexpected.
@Suite("Home: every step", .takesTurns)
struct HomeStepsTests {
    private let page = TravelPage(travels: [.sample(2), .sample(1)], next: nil)

    /// A store with one page, which refuses likes.
    private struct Store: StoreStub {
        let page: TravelPage

        func observe(_ query: TravelQuery) -> any AsyncSequence<TravelPage, any Error> & Sendable {
            Observable.just(page).values
        }
        func setLiked(_ isLiked: Bool, travel id: Travel.ID, by user: User.ID) async throws { throw TravelError.busy }
    }

    @Test("the home screen loads, likes and rolls back in exactly these steps")
    func steps() throws {
        let tester = FlowTester(HomeFlow(ScreenUseCases(Store(page: page)), person: .just(Person.mina)))
        var travels = HomeFlow.Travels()
        let request = travels.show(TravelCriteria())
        let id = Travel.ID(seed: 2)

        tester.send(.appeared) { $0.travels = travels }
        tester.receive(.personChanged(Person.mina)) {
            $0.person = Person.mina
            $0.knowsPerson = true
        }
        tester.receive(.firstPageArrived(request, .success(page))) { [page] in
            $0.travels.receive(CursorPage(page.travels.map { TravelCard($0) }), of: request)
        }
        tester.send(.likeTapped(id)) {
            $0.travels.update(id) { $0.show(true) }
            _ = $0.likes.want(true, id)
        }
        tester.receive(.likeEnded(id, true, .failed(.busy))) {
            $0.travels.update(id) { $0.rollBack() }
            _ = $0.likes.finish(id, succeeded: false)
        }
        tester.receive(event: .notice(.failed(.busy)))
        tester.finish()
    }

    @Test("typing requests suggestions after a pause, and emptying the field requests them immediately")
    func typing() {
        FlowSpec(HomeFlow(.silent, person: .never()))
            .when(.searchTyped("바")).then(.latest(.suggest("바"), after: .milliseconds(300))) {
                $0.search.isActive = true
                $0.search.text = "바"
            }
            .when(.searchTyped("바")).then()
            .when(.searchTyped("")).then(.latest(.suggest(""))) { $0.search.text = "" }
            .when(.suggested("바", .success(.titles([])))).then()
            .when(.suggested("", .failure(.busy))).then { $0.search.failure = .busy }
            .when(.searchClosed).then(.cancel(kindOf: .suggest(""))) { $0.search = .init() }
    }

    @Test("a sheet that is closed, and answers to a closed field, request nothing")
    func ignored() {
        FlowSpec(HomeFlow(.silent, person: .never()))
            .when(
                .sheetApplied, .sheetClosed, .sheetCleared, .sheetOptionTapped(.region(.busan)), .refreshed,
                .reachedEnd, .retryTapped, .suggested("", .success(.recent([]))), .filtersCleared, .keywordsSaved(.done)
            ).then()
    }
}
