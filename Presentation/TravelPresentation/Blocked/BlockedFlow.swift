/// The authors whom the person has blocked, each with a button that shows their travels again.
///
/// A flow, because several authors may be unblocked at the same time, each once, while the list stays.
///
/// ```swift
/// let blocked = FlowStore(BlockedFlow(load: { try await blockedAuthors() }, unblock: { try await unblock($0) }))
/// blocked.send(.appeared)
/// blocked.send(.unblockTapped(id))
/// ```
public struct BlockedFlow: Flow {
    /// The events of the screen.
    public typealias Event = ScreenEvent

    /// What the screen shows.
    public struct State: Hashable, Sendable {
        /// The list.
        public internal(set) var content = Content.loading
        /// The authors who are being unblocked.
        public internal(set) var working: Set<User.ID> = []
    }

    /// The list.
    public enum Content: Hashable, Sendable {
        /// The list is loading.
        case loading
        /// The blocked authors.
        case people([User])
        /// The list failed to load.
        case failed(ScreenFailure)
    }

    /// What happens to the screen.
    public enum Action: Equatable, Sendable {
        /// The screen appeared, or is to be loaded again.
        case appeared
        /// The button that unblocks an author was tapped.
        case unblockTapped(User.ID)
        /// The back button was tapped.
        case backTapped
        /// The blocked authors.
        case arrived(Result<[User], ScreenFailure>)
        /// Unblocking an author ended.
        case unblocked(User.ID, Outcome)
    }

    /// What the screen asks for.
    public enum SideEffect: Hashable, Sendable {
        /// Loads the list.
        case load
        /// Unblocks an author.
        case unblock(User.ID)
    }

    /// The state before the first action.
    public var initialState: State { State() }
    private let load: @Sendable () async throws -> [User]
    private let unblock: @Sendable (User.ID) async throws -> Void

    /// Creates the screen.
    ///
    /// - Parameters:
    ///   - load: Returns the blocked authors.
    ///   - unblock: Shows the travels of an author again.
    public init(
        load: @escaping @Sendable () async throws -> [User],
        unblock: @escaping @Sendable (User.ID) async throws -> Void
    ) {
        self.load = load
        self.unblock = unblock
    }

    /// Changes the state for an action.
    public func reduce(_ state: inout State, _ action: Action) -> Next<SideEffect, ScreenEvent> {
        switch action {
        case .appeared:
            state.content = .loading
            return .latest(.load)
        case .arrived(.success(let people)):
            state.content = .people(people)
            return .none
        case .arrived(.failure(let failure)):
            state.content = .failed(failure)
            return .none
        case .unblockTapped(let id):
            return state.working.insert(id).inserted ? .run(.unblock(id)) : .none
        case .unblocked(let id, let outcome):
            state.working.remove(id)
            if let failure = outcome.failure { return .event(.notice(.failed(failure))) }
            if case .people(let people) = state.content { state.content = .people(people.filter { $0.id != id }) }
            return .event(.notice(.done(.unblocked)))
        case .backTapped: return .event(.close(nil))
        }
    }

    /// Performs a side effect.
    public func perform(_ sideEffect: SideEffect) -> Observable<Action> {
        switch sideEffect {
        case .load: .task { [load] in .arrived(await Result { try await load() }) }
        case .unblock(let id): .task { [unblock] in .unblocked(id, await Outcome { try await unblock(id) }) }
        }
    }
}
