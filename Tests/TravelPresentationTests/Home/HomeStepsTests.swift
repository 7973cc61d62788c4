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

    private func tester(_ setLiked: @escaping @Sendable (Bool, Travel.ID) async throws -> Void) -> FlowTester<HomeFlow>
    {
        let page = page
        return FlowTester(
            HomeFlow(
                .init(
                    firstPage: { _ in .just(page) }, page: { _, _ in page }, setLiked: setLiked,
                    suggest: { _ in .recent([]) }, remember: { _ in }, forget: { _ in }),
                person: .just(Person.mina)))
    }

    @Test("the home screen loads, likes and rolls back in exactly these steps")
    func steps() throws {
        let tester = tester { _, _ in throw TravelError.busy }
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

extension HomeFlow.UseCases {
    /// Use cases that never answer.
    static let silent = HomeFlow.UseCases(
        firstPage: { _ in .never() }, page: { _, _ in TravelPage(travels: [], next: nil) }, setLiked: { _, _ in },
        suggest: { _ in .recent([]) }, remember: { _ in }, forget: { _ in })
}
