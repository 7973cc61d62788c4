/// The session of the app: the signed-in person, signing out, and withdrawing. One store for the whole app.
///
/// A flow, because sign-in on another screen, sign-out, withdrawal and a session that expires all change one value,
/// which every other screen follows through ``person(of:)``: a change reaches all of them in one step.
///
/// - The session of before is restored when the flow starts: automatic sign-in.
/// - The session is watched. While the store cannot answer, the person stays as they were, and the flow asks again
///   every five seconds; only the first failure in a row raises a notice.
/// - Withdrawing asks first. Signing out and withdrawing run once, however often they are tapped.
///
/// ```swift
/// let session = FlowStore(SessionFlow(useCases))
/// session.send(.started)
/// let home = FlowStore(HomeFlow(homeUseCases, person: SessionFlow.person(of: session)))
/// ```
public struct SessionFlow: Flow {
    /// The events that the session raises: notices of successes and failures.
    public typealias Event = ScreenEvent

    /// How long the flow waits before it asks a store again that could not answer.
    public static let retryPause = Duration.seconds(5)

    /// The state of the session: the person, and the requests in progress.
    ///
    /// ```swift
    /// session.send(.started)
    /// session.currentState.isKnown    // false, until the session was read
    /// session.currentState.person     // nil: nobody, or not known yet
    /// ```
    public struct State: Equatable, Sendable {
        /// The signed-in person; `nil` if there is none, and until that is known.
        public internal(set) var person: User?
        /// Whether the signed-in person is known.
        public internal(set) var isKnown = false
        /// Whether the screen asks if the person wants to delete the account.
        public internal(set) var asksToWithdraw = false
        /// The work that is under way; `nil` for none.
        public internal(set) var working: Work?
        /// Why the session cannot be read at the moment.
        public internal(set) var failure: ScreenFailure?
    }

    /// The work that a person can start with their session.
    ///
    /// ```swift
    /// button.isEnabled = session.currentState.working != .signOut
    /// ```
    public enum Work: Hashable, Sendable {
        /// Signing out of the account on this device.
        case signOut
        /// Deleting the account with everything the person owns.
        case withdraw
    }

    /// What the person does with the session, and the answers of its side effects.
    ///
    /// ```swift
    /// session.send(.withdrawTapped)
    /// session.currentState.asksToWithdraw    // true
    /// session.send(.answered(false))         // the account stays
    /// ```
    public enum Action: Equatable, Sendable {
        /// The app started. Starting again has no effect.
        case started
        /// The button that signs out was tapped.
        case signOutTapped
        /// The button that deletes the account was tapped: asks first.
        case withdrawTapped
        /// The question whether to delete the account was answered.
        case answered(Bool)
        /// The user has another nickname: watching the session does not tell.
        case renamed(User)

        /// The signed-in person arrived, now or after a change.
        case arrived(Result<User?, ScreenFailure>)
        /// The work that was under way succeeded or failed.
        case ended(Work, Outcome)
    }

    /// The work that the session requests of the domain.
    ///
    /// ```swift
    /// var state = flow.initialState
    /// flow.reduce(&state, .started)    // requests .watch
    /// ```
    public enum SideEffect: Equatable, Sendable {
        /// Restores the session and follows its changes.
        case watch
        /// Signs out, or deletes the account of the person.
        case work(Work)
    }

    /// The functions of the domain that the session calls. Their errors become notices.
    ///
    /// ```swift
    /// let useCases = SessionFlow.UseCases(watch: { .just(nil) }, signOut: {}, withdraw: {})
    /// ```
    public struct UseCases: Sendable {
        /// The signed-in person: now, and after each change, also of their nickname; `nil` if nobody is signed in.
        public var watch: @Sendable () -> Observable<User?>
        /// Signs out on this device. Throws `TravelError.unavailable` when the session cannot be changed.
        public var signOut: @Sendable () async throws -> Void
        /// Deletes the account of the person, with everything they own. Throws `TravelError.signedOut` if nobody is
        /// signed in any more.
        public var withdraw: @Sendable () async throws -> Void

        /// Creates use cases from functions: those of ``ScreenUseCases``, or stubs of a test.
        public init(
            watch: @escaping @Sendable () -> Observable<User?>, signOut: @escaping @Sendable () async throws -> Void,
            withdraw: @escaping @Sendable () async throws -> Void
        ) {
            self.watch = watch
            self.signOut = signOut
            self.withdraw = withdraw
        }
    }

    /// The state before the first action: nothing is known.
    public var initialState: State { State() }
    private let useCases: UseCases

    /// Creates the session of an app. Create one for the whole app.
    public init(_ useCases: UseCases) {
        self.useCases = useCases
    }

    /// Changes the state for an action, and returns the side effects and events that follow from it.
    public func reduce(_ state: inout State, _ action: Action) -> Next<SideEffect, ScreenEvent> {
        switch action {
        case .started: return .exhausting(.watch)
        case .arrived(.success(let person)):
            if person == nil { state.asksToWithdraw = false }
            (state.person, state.isKnown, state.failure) = (person, true, nil)
            return .none
        case .arrived(.failure(let failure)):
            let isFirst = state.failure == nil
            (state.isKnown, state.failure) = (true, failure)
            let again = Next<SideEffect, ScreenEvent>.latest(.watch, after: Self.retryPause)
            return isFirst ? again.and(.event(.notice(.failed(failure)))) : again
        case .renamed(let user):
            if state.person?.id == user.id { state.person = user }
            return .none
        case .signOutTapped:
            guard state.person != nil, state.working == nil else { return .none }
            state.working = .signOut
            return .run(.work(.signOut))
        case .withdrawTapped:
            state.asksToWithdraw = state.person != nil && state.working == nil
            return .none
        case .answered(let isYes):
            guard state.asksToWithdraw else { return .none }
            state.asksToWithdraw = false
            guard isYes else { return .none }
            state.working = .withdraw
            return .run(.work(.withdraw))
        case .ended(let work, let outcome):
            state.working = nil
            if let failure = outcome.failure { return .event(.notice(.failed(failure))) }
            return .event(.notice(.done(work == .signOut ? .signedOut : .withdrawn)))
        }
    }

    /// Performs a side effect with a use case, and emits its answer as an action. The stream does not fail.
    public func perform(_ sideEffect: SideEffect) -> Observable<Action> {
        switch sideEffect {
        case .watch:
            useCases.watch().map { .arrived(.success($0)) }.catch { .just(.arrived(.failure(ScreenFailure($0)))) }
        case .work(let work):
            .task { [useCases] in
                .ended(
                    work,
                    await Outcome {
                        switch work {
                        case .signOut: try await useCases.signOut()
                        case .withdraw: try await useCases.withdraw()
                        }
                    })
            }
        }
    }
}

extension SessionFlow {
    /// The signed-in person, for the other screens: the current one as soon as that is known, then each change;
    /// `nil` for nobody. It emits on the main actor, does not fail, and completes when the store is dismissed.
    public static func person(of store: Store) -> Observable<User?> {
        store.state.asObservable().filter(\.isKnown).map(\.person).distinctUntilChanged()
    }
}
