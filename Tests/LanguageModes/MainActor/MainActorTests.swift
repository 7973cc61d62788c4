import Composition
import Dispatch
import Streams
import StreamsTesting
import Testing
import ViewModels
import ViewModelsTesting

@Suite("Screens of a module on the main actor", .nothingSurvives, .timeLimit(.minutes(5)))
struct MainActorTests {
    @Test(
        "a flow of a main actor module passes a FlowTester test",
        .dependencies { $0.titles = Titles { ["\($0) in winter"] } })
    func flow() {
        let tester = FlowTester(TitleSearch())
        tester.send(.typed("Jeju")) { $0.text = "Jeju" }
        tester.receive(.found(["Jeju in winter"])) { $0.titles = ["Jeju in winter"] }
        tester.finish()
    }

    @Test("a view of a main actor module passes its dependencies to a child that it makes later", .virtualTime)
    func views() {
        let scheduler = TestScheduler(resolution: 0.001)
        let view = withDependencies {
            $0.useVirtualTime(of: scheduler)
            $0.titles = Titles { ["\($0) in winter"] }
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

    @Test("input/output and mutation screens of a main actor module run")
    func others() {
        let counter = FlowStore(Counter())
        counter.send(.plus)
        #expect(counter.currentState == 1)
        expectOnlyComposes(Greeter()) { inputs in .init(name: inputs.count(Observable.just("Mina"))) }
    }
}

// Screens in a module whose code is on the main actor by default: compiling them is half of the test.

struct Titles: Sendable {
    var search: @Sendable (String) async throws -> [String]
}

enum TitlesKey: DependencyKey {
    static let liveValue = Titles { [$0] }
}

nonisolated extension DependencyValues {
    var titles: Titles {
        get { self[TitlesKey.self] }
        set { self[TitlesKey.self] = newValue }
    }
}

struct TitleSearch: Flow {
    struct State: Equatable {
        var text = ""
        var titles: [String] = []
    }

    enum Action: Equatable { case typed(String), found([String]) }
    enum SideEffect: Equatable { case search(String) }

    @Dependency(\.clock) private var clock
    @Dependency(\.titles) private var titles

    var initialState: State { State() }

    func reduce(_ state: inout State, _ action: Action) -> Next<SideEffect, Never> {
        switch action {
        case .typed(let text):
            state.text = text
            return .latest(.search(text))
        case .found(let titles):
            state.titles = titles
            return .none
        }
    }

    func perform(_ sideEffect: SideEffect) -> Observable<Action> {
        switch sideEffect {
        case .search(let text):
            .task {
                try await clock.sleep(for: .milliseconds(300))
                return .found(try await titles.search(text))
            }
            .catchAndReturn(.found([]))
        }
    }
}

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

struct Greeter: ViewModel {
    struct Input { let name: Observable<String> }
    struct Output { let greeting: Driver<String> }

    func transform(_ input: Input) -> Output {
        Output(greeting: input.name.map { "Hello, \($0)" }.asDriver(onErrorJustReturn: ""))
    }
}

/// A view that makes a child later.
final class SearchView {
    @Dependency(\.self) private var dependencies
    let store = FlowStore(TitleSearch())
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
