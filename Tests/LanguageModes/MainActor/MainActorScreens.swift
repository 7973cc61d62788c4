import Composition
import Streams
import ViewModels

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
