/// The authors whom the user has blocked, each with a button that shows their trips again.
///
/// Several authors may be unblocked at the same time, each once, while the list stays. One that was unblocked while the
/// list was being loaded is not in it, even if it was read before.
public struct BlockedViewModel: ViewModel {
    public struct Input: Sendable {
        public let refreshTapped: Observable<Void>
        public let unblockTapped: Observable<User.ID>
        public let backTapped: Observable<Void>

        public init(
            refreshTapped: Observable<Void> = .never(), unblockTapped: Observable<User.ID> = .never(),
            backTapped: Observable<Void> = .never()
        ) {
            self.refreshTapped = refreshTapped
            self.unblockTapped = unblockTapped
            self.backTapped = backTapped
        }
    }

    public struct Output: Sendable {
        public let content: Driver<Content>
        /// The IDs of the authors that are being unblocked.
        public let working: Driver<Set<User.ID>>
        public let events: Signal<ScreenEvent>
    }

    public enum Content: Hashable, Sendable {
        case loading
        /// The blocked authors, ordered by their IDs.
        case users([User])
        case failed(ScreenFailure)
    }

    private let load: @Sendable () async throws -> [User]
    private let unblock: @Sendable (User.ID) async throws -> Void

    public init(
        load: @escaping @Sendable () async throws -> [User],
        unblock: @escaping @Sendable (User.ID) async throws -> Void
    ) {
        self.load = load
        self.unblock = unblock
    }

    public func transform(_ input: Input) -> Output {
        let state = BlockedList(load: load, unblock: unblock).transform(
            .merge(
                input.refreshTapped.map { .refreshTapped }, input.unblockTapped.map(BlockedList.Action.unblockTapped))
        ).state
        return Output(
            content: state.select(\.content), working: state.select(\.working),
            events: .merge(
                state.pulse(\.$notice).compactMap { $0 }.asSignal(onErrorSignalWith: .empty()),
                input.backTapped.map { .close(nil) }.asSignal(onErrorSignalWith: .empty())))
    }
}

/// The list and the authors that are being unblocked: each tap becomes changes, unless the state shows that its work is
/// in progress.
private struct BlockedList: MutationFlow {
    enum Action: Sendable { case refreshTapped, unblockTapped(User.ID) }

    enum SideEffect: Sendable {
        case loading, unblocking(User.ID)
        case loaded(Result<[User], ScreenFailure>), unblocked(User.ID, Outcome)
    }

    struct State: Sendable {
        var content = BlockedViewModel.Content.loading
        var isLoading = false
        var working: Set<User.ID> = []
        /// The authors that were unblocked since the list began to load.
        var unblocked: Set<User.ID> = []
        @Pulse var notice: ScreenEvent?
    }

    let load: @Sendable () async throws -> [User]
    let unblock: @Sendable (User.ID) async throws -> Void
    var running = Running()
    var initialState: State { State() }

    func transform(actions: Observable<Action>) -> Observable<Action> { actions.startWith(.refreshTapped) }

    func transform(_ action: Action) -> Observable<SideEffect> {
        switch action {
        case .refreshTapped where currentState.isLoading: .empty()
        case .unblockTapped(let id) where currentState.working.contains(id): .empty()
        case .refreshTapped:
            Observable.task { .loaded(await Result { try await load() }) }.startWith(.loading)
        case .unblockTapped(let id):
            Observable.task { .unblocked(id, await Outcome { try await unblock(id) }) }.startWith(.unblocking(id))
        }
    }

    func reduce(_ state: inout State, _ sideEffect: SideEffect) {
        switch sideEffect {
        case .loading:
            state.isLoading = true
            state.unblocked = []
            state.content = .loading
        case .loaded(let result):
            state.isLoading = false
            state.content =
                switch result {
                case .success(let users): .users(users.filter { !state.unblocked.contains($0.id) })
                case .failure(let failure): .failed(failure)
                }
        case .unblocking(let id): state.working.insert(id)
        case .unblocked(let id, let outcome):
            state.working.remove(id)
            state.notice = .notice(outcome.failure.map(Notice.failed) ?? .done(.unblocked))
            guard case .done = outcome else { break }
            state.unblocked.insert(id)
            if case .users(let users) = state.content { state.content = .users(users.filter { $0.id != id }) }
        }
    }
}
