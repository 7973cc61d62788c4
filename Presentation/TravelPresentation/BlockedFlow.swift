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
    /// The events that the screen raises: closing, and notices.
    public typealias Event = ScreenEvent

    /// The state of the screen: the list, and the authors that are being unblocked.
    ///
    /// ```swift
    /// blocked.currentState.content    // .people([…])
    /// blocked.send(.unblockTapped(id))
    /// blocked.currentState.working    // [id]
    /// ```
    public struct State: Hashable, Sendable {
        /// The list of blocked authors, or its status while there is none.
        public internal(set) var content = Content.loading
        /// The IDs of the authors that are being unblocked.
        public internal(set) var working: Set<User.ID> = []
    }

    /// The list of blocked authors, or its status while there is none.
    ///
    /// ```swift
    /// switch state.content {
    /// case .loading: showSkeleton()
    /// case .people(let people): show(people.map(\.nickname.text))
    /// case .failed(let failure): show(failure.message(in: .english).text)
    /// }
    /// ```
    public enum Content: Hashable, Sendable {
        /// The list is loading; nothing is shown in its place.
        case loading
        /// The blocked authors, ordered by their IDs.
        case people([User])
        /// The list failed to load, for that reason.
        case failed(ScreenFailure)
    }

    /// The person's actions on the screen, and the answers of its side effects.
    ///
    /// ```swift
    /// blocked.send(.appeared)             // loads the list
    /// blocked.send(.unblockTapped(id))    // unblocks, and removes the author from the list when that has succeeded
    /// ```
    public enum Action: Equatable, Sendable {
        /// The screen appeared, or is to be loaded again.
        case appeared
        /// The button that unblocks an author was tapped.
        case unblockTapped(User.ID)
        /// The back button was tapped: closes the screen.
        case backTapped
        /// The blocked authors arrived, or failed to load.
        case arrived(Result<[User], ScreenFailure>)
        /// The request to unblock an author succeeded or failed.
        case unblocked(User.ID, Outcome)
    }

    /// The work that the screen requests of the domain.
    ///
    /// ```swift
    /// var state = flow.initialState
    /// flow.reduce(&state, .appeared)    // requests .load
    /// ```
    public enum SideEffect: Hashable, Sendable {
        /// Loads the list of blocked authors, once.
        case load
        /// Unblocks an author, whose travels the person sees again.
        case unblock(User.ID)
    }

    /// The state before the first action: the list is loading.
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

    /// Changes the state for an action, and returns the side effects and events that follow from it.
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

    /// Performs a side effect with a use case, and emits its answer as an action. The stream does not fail.
    public func perform(_ sideEffect: SideEffect) -> Observable<Action> {
        switch sideEffect {
        case .load: .task { [load] in .arrived(await Result { try await load() }) }
        case .unblock(let id): .task { [unblock] in .unblocked(id, await Outcome { try await unblock(id) }) }
        }
    }
}
