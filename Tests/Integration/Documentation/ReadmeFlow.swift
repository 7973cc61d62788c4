import ViewModels

struct SearchFlow: Flow {
    struct State: Equatable {
        var text = ""
        var titles: [String] = []
    }

    enum Action: Equatable { case typed(String), found([String]) }
    enum SideEffect: Equatable { case search(String) }

    let search: @Sendable (String) async throws -> [String]

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
            Observable.task { .found(try await search(text)) }.catchAndReturn(.found([]))
        }
    }
}
