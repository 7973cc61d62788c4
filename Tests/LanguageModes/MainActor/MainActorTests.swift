import Composition
import Dispatch
import Streams
import StreamsTesting
import Testing
import ViewModels
import ViewModelsTesting

@Suite("Screens of a module on the main actor", .nothingSurvives, .timeLimit(.minutes(5)))
struct MainActorTests {
    @Test("a view of a main actor module passes its dependencies to a child that it makes later", .virtualTime)
    func views() {
        let scheduler = TestScheduler(resolution: 0.001)
        let view = withDependencies {
            $0.useVirtualTime(of: scheduler)
            $0.catalog.search = { ["\($0) in winter"] }
        } operation: {
            SearchView()
        }
        for view in [view, view.makeChild()] {
            view.store.send(.typed("Jeju"))
            scheduler.run()
            #expect(view.shown == ["Jeju in winter"])
        }
    }

    @Test("an object that is made in an asynchronous scope stays on the main actor")
    func scopes() async {
        let view = await withDependencies {
            $0.uuid = .incrementing
        } operation: {
            await Task.yield()
            return SearchView()
        }
        #expect(view.shown == [])
    }

    @Test("a mutation flow of a main actor module runs")
    func mutations() {
        let counter = FlowStore(Counter())
        counter.send(.plus)
        #expect(counter.currentState == 1)
    }
}

// Screens in a module whose code is on the main actor by default: compiling them is half of the test.

struct Counter: MutationFlow {
    enum Action { case plus }
    enum SideEffect { case add(Int) }

    var initialState: Int { 0 }

    func transform(_ action: Action) -> Observable<SideEffect> { .just(.add(1)) }

    func reduce(_ state: Int, _ sideEffect: SideEffect) -> Int {
        switch sideEffect {
        case .add(let number): state + number
        }
    }
}

/// A view that makes a child later.
final class SearchView {
    @Dependency(\.self) private var dependencies
    let store = FlowStore(CatalogSearch())
    private(set) var shown: [String] = []
    private let bag = DisposeBag()

    init() {
        store.state.select(\.titles).drive(with: self, onNext: { $0.shown = $1 }).disposed(by: bag)
    }

    func makeChild() -> SearchView { withDependencies(from: dependencies) { SearchView() } }
}

/// Rx code in the Swift 6 language mode where everything is isolated to the main actor by default. Compiling without a
/// warning is part of the test.
final class ProfileViewModel {
    private let bag = DisposeBag()
    private let nickname = BehaviorRelay(value: "")
    private(set) var title = ""

    var isValid: Driver<Bool> {
        nickname.map { (2...10).contains($0.count) }.distinctUntilChanged().asDriver(onErrorJustReturn: false)
    }

    func type(_ text: String) {
        nickname.accept(text)
    }

    func bind() {
        nickname.asDriver().map { "Hello, \($0)" }.drive(onNext: { [weak self] in self?.title = $0 }).disposed(by: bag)
    }
}

@Suite("Streams where the main actor is the default")
struct ProfileTests {
    @Test("A driver reaches main-actor state without a hop")
    func driver() {
        let model = ProfileViewModel()
        model.bind()
        model.type("Mina")
        #expect(model.title == "Hello, Mina")
    }

    @Test("A scheduler drives main-actor state from a synchronous test")
    func virtualTime() {
        let scheduler = TestScheduler(initialClock: 0)
        SharingScheduler.mock(scheduler: scheduler) {
            let model = ProfileViewModel()
            let valid = scheduler.createObserver(Bool.self)
            let subscription = model.isValid.drive(valid)
            scheduler.scheduleAt(10) { model.type("M") }
            scheduler.scheduleAt(20) { model.type("Mina") }
            scheduler.start()
            subscription.dispose()
            #expect(valid.events.compactMap(\.value.element) == [false, true])
        }
    }

    @Test("Jobs of a virtual world run on the main actor's thread when the test does")
    func assumeIsolated() throws {
        let scheduler = TestScheduler()
        let clock = scheduler.virtualClock
        let model = ProfileViewModel()
        let title = try scheduler.run { @concurrent in
            try await clock.sleep(for: .seconds(10))
            return rename(model)
        }
        #expect(title == "Hello, Jun")
    }

    private nonisolated func rename(_ model: ProfileViewModel) -> String {
        MainActor.assumeIsolated {
            model.bind()
            model.type("Jun")
            return model.title
        }
    }
}
