import ViewModels

/// A screen whose values are tangled: one state, changed by actions, with side effects as values.
nonisolated struct Search: Flow {
    struct State: Equatable, Sendable {
        var text = ""
        var titles: [String] = []
        var isSearching = false
        @Pulse var toast: String?
    }

    nonisolated enum Action: Equatable, Sendable {
        case typed(String), found([String]), gaveUp, opened(String), stopped
    }
    nonisolated enum SideEffect: Equatable, Sendable { case search(String), log }
    nonisolated enum Event: Equatable, Sendable { case open(String) }

    @Dependency(\.clock) private var clock
    var initialState: State { State() }

    func reduce(_ state: inout State, _ action: Action) -> Next<SideEffect, Event> {
        switch action {
        case .typed(let text):
            state.text = text
            state.isSearching = true
            return .latest(.search(text), id: "search")
        case .found(let titles):
            state.titles = titles
            state.isSearching = false
        case .gaveUp:
            state.isSearching = false
            state.toast = "nothing found"
        case .opened(let title): return .event(.open(title))
        case .stopped: return .cancel("search").and(.run(.log))
        }
        return .none
    }

    func perform(_ sideEffect: SideEffect) -> Observable<Action> {
        switch sideEffect {
        case .search(let text):
            Observable.task {
                try await clock.sleep(for: .milliseconds(200))
                return .found(["\(text) in winter"])
            }.catchAndReturn(.gaveUp)
        case .log: .empty()
        }
    }

    func unanswered(_ sideEffect: SideEffect) -> Action? {
        if case .search = sideEffect { .gaveUp } else { nil }
    }
}

/// A child: a row, a sheet, a part of the screen.
nonisolated struct Row: Flow {
    nonisolated struct State: Equatable, Identifiable, Sendable {
        let id: Int
        var count = 0
    }
    nonisolated enum Action: Equatable, Sendable { case plus }
    nonisolated enum SideEffect: Equatable, Sendable { case save(Int) }

    var initialState: State { State(id: 0) }

    func reduce(_ state: inout State, _ action: Action) -> Next<SideEffect, Never> {
        state.count += 1
        return .run(.save(state.count))
    }

    func perform(_ sideEffect: SideEffect) -> Observable<Action> { .empty() }
    func unanswered(_ sideEffect: SideEffect) -> Action? { nil }
}

/// A parent of rows, of a sheet that may be absent, and of a header.
nonisolated struct Home: Flow {
    nonisolated struct State: Equatable, Sendable {
        var rows: IdentifiedRows<Row.State> = [Row.State(id: 1), Row.State(id: 2)]
        var sheet: Row.State?
        var header = Row.State(id: 0)
    }
    nonisolated enum Action: Equatable, Sendable {
        case row(Int, Row.Action), sheet(Row.Action), header(Row.Action), opened
    }

    static let row = ActionCase<Action, (Int, Row.Action)>(Action.row) {
        if case .row(let id, let action) = $0 { (id, action) } else { nil }
    }
    static let sheet = ActionCase(Action.sheet) { if case .sheet(let action) = $0 { action } else { nil } }
    static let header = ActionCase(Action.header) { if case .header(let action) = $0 { action } else { nil } }

    var initialState: State { State() }

    func reduce(_ state: inout State, _ action: Action) -> Next<Never, Never> {
        if case .opened = action { state.sheet = Row.State(id: 7) }
        return .none
    }
}

/// A screen in the style of ReactorKit, with the state at hand.
nonisolated struct Profile: MutationFlow {
    nonisolated enum Action: Equatable, Sendable { case refreshed, renamed(String), saved }
    nonisolated enum SideEffect: Equatable, Sendable { case loading(Bool), named(String) }
    nonisolated struct State: Equatable, Sendable {
        var isLoading = false
        var name = ""
    }

    @Dependency(\.clock) private var clock
    var running = Running()
    var initialState: State { State() }

    func transform(_ action: Action) -> Observable<SideEffect> {
        switch action {
        case .refreshed:
            .concat(
                .just(.loading(true)),
                Observable.task {
                    try await clock.sleep(for: .milliseconds(200))
                    return .named("Mina")
                }.catchAndReturn(.named("?")),
                .just(.loading(false)))
        case .renamed(let name): .just(.named(name))
        case .saved:
            .deferred {
                send(.renamed(currentState.name + "!"))
                return .empty()
            }
        }
    }

    func reduce(_ state: inout State, _ sideEffect: SideEffect) {
        switch sideEffect {
        case .loading(let isLoading): state.isLoading = isLoading
        case .named(let name): state.name = name
        }
    }

    func transform(actions: Observable<Action>) -> Observable<Action> { actions }
    func transform(mutations: Observable<SideEffect>) -> Observable<SideEffect> { mutations }
    func unanswered(_ action: Action) -> SideEffect? { action == .refreshed ? .loading(false) : nil }
}

/// A form, each of whose fields a view may set.
nonisolated struct Draft: Flow {
    nonisolated struct State: Equatable, Sendable { var title = "" }
    nonisolated enum Action: AssigningAction { case set(Assignment<State>) }

    var initialState: State { State() }

    func reduce(_ state: inout State, _ action: Action) -> Next<Never, Never> {
        switch action {
        case .set(let assignment): assignment.apply(to: &state)
        }
        return .none
    }
}
