// One import is enough to write a view model: with MemberImportVisibility, this file sees the members of no other
// module.
import ViewModels

struct Catalog: Sendable {
    var search: @Sendable (String) async throws -> [String]
}

enum CatalogKey: DependencyKey {
    static var liveValue: Catalog { fromCompositionRoot(placeholder: Catalog { _ in [] }) }
}

nonisolated extension DependencyValues {
    var catalog: Catalog {
        get { self[CatalogKey.self] }
        set { self[CatalogKey.self] = newValue }
    }
}

struct GreeterViewModel: ViewModel {
    struct Input { let name: Observable<String> }
    struct Output { let greeting: Driver<String> }

    @Dependency(\.mainScheduler) private var scheduler

    func transform(_ input: Input) -> Output {
        Output(
            greeting: input.name.debounce(.milliseconds(300), scheduler: scheduler)
                .map { "Hello, \($0)" }.asDriver(onErrorJustReturn: ""))
    }
}

struct CatalogSearch: Flow {
    struct State: Equatable {
        var text = ""
        var titles: [String] = []
    }

    enum Action: Equatable { case typed(String), found([String]) }
    enum SideEffect: Equatable { case search(String) }

    @Dependency(\.catalog) private var catalog

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
            Observable.task { .found(try await catalog.search(text)) }.catchAndReturn(.found([]))
        }
    }
}

/// The edge: where a screen is bound.
@MainActor
final class CatalogScreen {
    let store: FlowStore<CatalogSearch.State, CatalogSearch.Action, Never>
    private(set) var titles: [String] = []
    private let bag = DisposeBag()

    init() {
        store = FlowStore(CatalogSearch())
        store.state.select(\.titles).drive(with: self, onNext: { $0.titles = $1 }).disposed(by: bag)
    }
}
