public import Streams
import Synchronization

/// A screen in the style of ReactorKit: each action becomes a stream of changes, and each change is applied to the
/// state. The state is `actions.flatMap(transform)`, scanned by `reduce`.
///
/// ```swift
/// struct Timeline: MutationFlow {
///     enum Action: Sendable { case dayTapped(Int), deleteTapped(Entry.ID) }
///     enum SideEffect: Sendable { case day(Int), removed(Entry.ID) }
///     struct State: Sendable { … }
///
///     let delete: @Sendable (Entry.ID) -> Completable
///     var running = Running()
///     var initialState: State { State() }
///
///     func transform(_ action: Action) -> Observable<SideEffect> {
///         switch action {
///         case .dayTapped(let day): day == currentState.day ? .empty() : .just(.day(day))
///         case .deleteTapped(let id): delete(id).andThen(.just(.removed(id)))
///         }
///     }
///
///     func reduce(_ state: inout State, _ sideEffect: SideEffect) {
///         switch sideEffect {
///         case .day(let day): state.day = day
///         case .removed(let id): state.entries.removeAll { $0.id == id }
///         }
///     }
/// }
/// ```
///
/// A ``FlowStore`` runs it, or ``transform(_:)`` connects it to a stream of actions. There are no events and no
/// policies: the streams of all actions run concurrently, each until it ends; operators across actions belong in
/// ``transform(actions:)``.
///
/// - **Order.** Actions are transformed one at a time, in the order in which they were sent, from any thread; one that
///   is sent while another is transformed is enqueued, and the sender continues. Changes are reduced one at a time.
/// - **State at hand.** With the property ``running``, `transform` and the closures of its streams read
///   ``currentState`` and ``send(_:)`` further actions. A change that a stream emits is reduced before the stream
///   continues, so the second part of `.concat(.just(.began), .deferred { … })` reads the state after the first,
///   unless a change of another stream is being reduced at that moment: then it is enqueued behind that.
/// - **Each store has its own state**: a running flow is a copy that is connected to its store, so one value may run in
///   two stores. A class, which is not copied, may run in one store at a time.
/// - **Errors.** A stream that fails is a programming error, is reported to `Hooks.defaultErrorHandler` as an
///   ``EffectFailure``, and counts as ended. Convert errors to changes in `transform`.
/// - **Memory.** `reduce` changes the only copy of the state in place, if it takes the state `inout` or `consuming`. The
///   form of ReactorKit, `func reduce(_ state: State, _ sideEffect: SideEffect) -> State`, compiles as well, but may
///   copy each array that it changes.
public protocol MutationFlow<State, Action>: ViewModel where Input == Observable<Action>, Output == Driver<State> {
    // Declared here, because the compiler would otherwise infer them from `transform(_ action:)`.
    /// A stream of actions: the input of the view model.
    associatedtype Input = Observable<Action>
    /// The states: the output of the view model.
    associatedtype Output = Driver<State>
    /// The state that the screen shows, as a value.
    associatedtype State: Sendable
    /// An event from outside: `searchTapped`.
    associatedtype Action: Sendable
    /// A change of the state, which `reduce` applies.
    associatedtype SideEffect: Sendable

    /// The state before the first action, which the screen shows first.
    var initialState: State { get }

    /// The connection to the store, which is set when the flow starts. Declare `var running = Running()` to read
    /// ``currentState`` and to ``send(_:)`` actions; a flow that does neither needs no such property.
    var running: RunningFlow<State, Action> { get set }

    /// The changes that an action leads to, now and later. It runs on the sending thread.
    func transform(_ action: Action) -> Observable<SideEffect>

    /// Changes the state. It depends on its arguments only.
    ///
    /// Implement this form or the one that returns the new state.
    func reduce(_ state: inout State, _ sideEffect: SideEffect)

    /// The state after a change. It depends on its arguments only.
    ///
    /// Implement this form or the one that changes the state in place.
    func reduce(_ state: consuming State, _ sideEffect: SideEffect) -> State

    /// Transforms the actions before ``transform(_:)`` receives them, for example to merge those of other sources, or to
    /// debounce; by default returns them unchanged. Called once, when the flow starts.
    ///
    /// ```swift
    /// func transform(actions: Observable<Action>) -> Observable<Action> {
    ///     .merge(actions, session.signedOut.map { .signedOut }).startWith(.appeared)
    /// }
    /// ```
    func transform(actions: Observable<Action>) -> Observable<Action>

    /// Transforms the changes before they are reduced; by default returns them unchanged. Called once, when the flow
    /// starts.
    ///
    /// ```swift
    /// func transform(mutations: Observable<SideEffect>) -> Observable<SideEffect> {
    ///     .merge(mutations, session.userChanges.map(SideEffect.user)).debug("timeline")
    /// }
    /// ```
    func transform(mutations: Observable<SideEffect>) -> Observable<SideEffect>
}

extension MutationFlow {
    /// The store that runs such a flow for a screen.
    public typealias Store = FlowStore<State, Action, Never>
    /// The connection of such a flow to its store.
    public typealias Running = RunningFlow<State, Action>

    /// Not connected: the flow declares no such property.
    public var running: RunningFlow<State, Action> {
        get { RunningFlow() }
        set {}
    }

    /// The current state, after all reduced changes; after dismissal, the last one.
    ///
    /// Stops the program if the flow does not run, or inside `reduce`.
    public var currentState: State { running.currentState }

    /// Sends an action. It is transformed after the current one: if this is called in `transform`, after `transform`
    /// has returned and its stream has emitted its synchronous changes. After dismissal it is ignored.
    ///
    /// Stops the program if the flow does not run, or inside `reduce`.
    public func send(_ action: Action) { running.send(action) }

    /// Changes the state by ``reduce(_:_:)-(consuming_State,_)``, to which it passes the state without a copy.
    @inlinable
    public func reduce(_ state: inout State, _ sideEffect: SideEffect) {
        state = reduce(consume state, sideEffect)
    }

    /// Never called: the flow implements the form that changes the state in place.
    public func reduce(_ state: consuming State, _ sideEffect: SideEffect) -> State {
        preconditionFailure(
            "\(Self.self) has no `reduce(_ state: State, _ sideEffect: SideEffect) -> State`: "
                + "implement that, or call the form that takes the state `inout`")
    }

    @inlinable
    public func transform(actions: Observable<Action>) -> Observable<Action> { actions }

    @inlinable
    public func transform(mutations: Observable<SideEffect>) -> Observable<SideEffect> { mutations }

    /// The flow as a view model; see ``Flow/transform(_:)``.
    @inlinable
    public func transform(_ actions: Observable<Action>) -> Driver<State> {
        let shared = SharedRun {
            MutationLoop(self)
        } start: { loop in
            loop.start()
            _ = loop.bind(actions)
        } end: {
            $0.dismiss()
        }
        return Driver(raw: .create { observer in shared.subscribe { $0.state.subscribe(observer) } })
    }
}

extension FlowStore where Event == Never {
    /// Runs a mutation flow. Dismissing the store disposes the streams of its actions, and does not wait for a
    /// `transform` that runs on another thread.
    ///
    /// - Parameters:
    ///   - flow: The flow to run.
    ///   - initialState: The first state; by default the flow's own initial state.
    @inlinable
    public convenience init<M: MutationFlow>(_ flow: M, initialState: State? = nil)
    where M.State == State, M.Action == Action {
        let loop = MutationLoop(flow, from: initialState)
        loop.start()
        self.init(
            state: loop.state.driver, events: .empty(),
            core: Core(
                send: { loop.actions.send($0) }, current: { loop.state.value }, bind: { loop.bind($0) },
                cancel: { $0.cancel() }, dismiss: { loop.dismiss() }, droppedEvents: { 0 }))
    }
}

/// The connection of a ``MutationFlow`` to the store that runs it. Thread-safe.
public struct RunningFlow<State: Sendable, Action: Sendable>: Sendable {
    private let current: (@Sendable () -> State)?
    private let sendAction: (@Sendable (Action) -> Void)?

    /// Creates an unconnected value, which is replaced when the flow runs.
    public init() {
        current = nil
        sendAction = nil
    }

    /// Creates a stand-in for a store, to test `transform` alone.
    ///
    /// ```swift
    /// var timeline = Timeline()
    /// timeline.running = RunningFlow(currentState: { state }, send: { sent.append($0) })
    /// timeline.transform(.dayTapped(2))
    /// ```
    public init(currentState: @escaping @Sendable () -> State, send: @escaping @Sendable (Action) -> Void) {
        current = currentState
        sendAction = send
    }

    fileprivate var currentState: State {
        guard let current else { notRunning() }
        return current()
    }

    fileprivate func send(_ action: Action) {
        guard let sendAction else { notRunning() }
        sendAction(action)
    }

    private func notRunning() -> Never {
        preconditionFailure(
            """
            the flow does not run: `currentState` and `send` work only in a flow that declares \
            `var running = Running()` and that a store runs, in `transform` and in its streams
            """)
    }
}

/// A running mutation flow: the sent actions, transformed, and the state, changed by what they emit.
@usableFromInline
final class MutationLoop<M: MutationFlow>: Sendable {
    @usableFromInline let state: FlowState<M.State>
    @usableFromInline let actions = SentActions<M.Action>()
    private let flow: M
    private let inputs = CompositeDisposable()

    @usableFromInline
    init(_ flow: M, from state: M.State? = nil) {
        let state = FlowState(state ?? flow.initialState, on: DriverSharingStrategy.scheduler)
        var flow = flow
        flow.running = RunningFlow(currentState: { state.value }) { [actions] action in
            precondition(
                !state.isBeingChangedHere,
                "an action was sent inside `reduce`, which depends on its arguments only")
            actions.send(action)
        }
        self.flow = flow
        self.state = state
    }

    /// Called once, before an action is sent.
    @usableFromInline
    func start() {
        let changes = flow.transform(actions: actions.stream)
            .map { [flow, actions] action in (action, actions.enterGroup(), flow) }
            .flatMap { action, work, flow in work.stream(of: action, flow.transform(action)) }
            .publish()
        let subscription = flow.transform(mutations: changes.asObservable()).subscribe(onNext: { [flow, state] change in
            _ = state.change { flow.reduce(&$0, change) }
        })
        _ = inputs.insert(subscription)
        // Last, because `transform(actions:)` may emit at once.
        _ = inputs.insert(changes.connect())
    }

    @usableFromInline
    func bind(_ stream: Observable<M.Action>) -> any Disposable {
        let input = SingleAssignmentDisposable()
        guard let key = inputs.insert(input) else { return input }
        input.setDisposable(
            stream.subscribe(
                onNext: { [actions] in actions.send($0) }, onDisposed: { [inputs] in inputs.remove(for: key) }))
        return input
    }

    @usableFromInline
    func dismiss() {
        guard state.end() else { return }
        inputs.dispose()
        state.complete()
    }
}

/// The sent actions of a mutation flow, one at a time.
///
/// `@unchecked Sendable`: `group` is read only by the thread that has written it, as `sendingThread` says.
@usableFromInline
final class SentActions<Action: Sendable>: @unchecked Sendable {
    private let gate = Gate()
    private let subject = PublishSubject<Action>()
    private let sendingThread = Atomic<UInt>(0)
    @exclusivity(unchecked) private var group: EffectGroup?

    var stream: Observable<Action> { subject.asObservable() }

    @usableFromInline
    init() {}

    @usableFromInline
    @discardableResult
    func send(_ action: Action) -> EffectGroup {
        let group = EffectGroup()
        gate.pass { [self] in
            self.group = group
            sendingThread.store(Thread.current, ordering: .relaxed)
            subject.onNext(action)
            sendingThread.store(0, ordering: .relaxed)
            self.group = nil
            group.leave()
        }
        return group
    }

    /// One more piece of the work of the action that this thread is sending.
    fileprivate func enterGroup() -> ActionWork {
        ActionWork(group: sendingThread.load(ordering: .relaxed) == Thread.current ? group : nil)
    }
}

/// The stream of one action, as a piece of the work of a group.
private final class ActionWork: Sendable {
    private let group: EffectGroup?
    private let hasEnded = Atomic(false)

    init(group: EffectGroup?) {
        self.group = group
        group?.enter()
    }

    deinit { end() }

    private func end() {
        if let group, !hasEnded.exchange(true, ordering: .relaxed) { group.leave() }
    }

    /// The stream until it ends, fails, or the group is cancelled.
    func stream<Action: Sendable, Element: Sendable>(
        of action: Action, _ stream: Observable<Element>
    ) -> Observable<Element> {
        .create { [self] observer in
            let subscription = stream.subscribe { event in
                switch event {
                case .next, .completed: observer.on(event)
                case .error(let error):
                    Hooks.defaultErrorHandler([], EffectFailure(of: action, error))
                    observer.onCompleted()
                }
            }
            group?.onCancel { observer.onCompleted() }
            return Disposables.create(subscription, Disposables.create { [self] in end() })
        }
    }
}
