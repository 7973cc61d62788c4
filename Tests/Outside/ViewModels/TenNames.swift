import Testing
import ViewModels
import ViewModelsTesting

// The example of the article:
/// Finds titles while the user types, and saves one at a time.
struct Finder: Flow {
    struct State: Equatable { var titles: [String] = [] }
    enum Action: Equatable { case typed(String), found([String]), saveTapped, saved }
    enum SideEffect: Equatable { case search(String), save([String]) }
    enum Event: Equatable { case close }

    let search: @Sendable (String) async throws -> [String]
    var initialState: State { State() }

    func reduce(_ state: inout State, _ action: Action) -> Next<SideEffect, Event> {
        switch action {
        case .typed(let text): return .latest(.search(text))  // cancels the previous search
        case .found(let titles): state.titles = titles
        case .saveTapped: return .exhausting(.save(state.titles))  // a second tap is ignored meanwhile
        case .saved: return .event(.close)
        }
        return .none
    }

    func perform(_ sideEffect: SideEffect) -> Observable<Action> {
        switch sideEffect {
        case .search(let text): Observable.task { .found(try await search(text)) }.catchAndReturn(.found([]))
        case .save: .just(.saved)
        }
    }
}

/// The edge: a view reads `store.titles`; other code subscribes to `store.store.state`.
@MainActor
func present(_ finder: Finder, titlesChanged: @escaping @MainActor @Sendable ([String]) -> Void, in bag: DisposeBag)
    -> ObservedStore<Finder.State, Finder.Action, Finder.Event>
{
    let store = ObservedStore(FlowStore(finder))
    store.store.state.select(\.titles).drive(onNext: titlesChanged).disposed(by: bag)
    store.send(.typed("sea"))
    return store
}
// Its results:

@Suite("The ten names of ViewModels", .timeLimit(.minutes(5)))
@MainActor
struct TenNamesTests {
    @Test("a flow is bound, and tested by its actions")
    func example() async {
        let tester = FlowTester(Finder { ["a \($0)"] })
        tester.send(.typed("sea"), starts: .search("sea"))
        tester.receive(.found(["a sea"])) { $0.titles = ["a sea"] }
        tester.send(.saveTapped, starts: .save(["a sea"]))
        tester.receive(.saved)
        tester.receive(event: .close)
        tester.finish()

        let bag = DisposeBag()
        var shown: [[String]] = []
        let store = present(Finder { ["a \($0)"] }, titlesChanged: { shown.append($0) }, in: bag)
        while shown.last != ["a sea"] { await Task.yield() }
        #expect(store.titles == ["a sea"])
        store.store.dismiss()
    }
}
