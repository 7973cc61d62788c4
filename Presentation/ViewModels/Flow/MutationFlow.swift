public import Streams
public import Synchronization

/// A screen in the style of ReactorKit: each action becomes a stream of side effects that change the state. The states
/// are `actions.flatMap(transform)`, scanned by `reduce`.
///
/// There are no events and no policies: the streams of all actions run concurrently, each until it ends.
///
/// ```swift
/// struct Counter: MutationFlow {
///     enum Action: Sendable { case plus, minus }
///     enum SideEffect: Sendable { case add(Int) }
///     var initialState: Int { 0 }
///
///     func transform(_ action: Action) -> Observable<SideEffect> {
///         switch action {
///         case .plus: .just(.add(1))
///         case .minus: .just(.add(-1))
///         }
///     }
///
///     func reduce(_ state: Int, _ sideEffect: SideEffect) -> Int {
///         switch sideEffect {
///         case .add(let number): state + number
///         }
///     }
/// }
/// ```
///
/// **The state at hand.** With a property `var running = Running()`, `transform` and the closures of its streams read
/// ``currentState`` and ``send(_:)`` further actions, as reactors and base view models do:
///
/// ```swift
/// struct Timeline: MutationFlow {
///     var running = Running()
///     …
///     func transform(_ action: Action) -> Observable<SideEffect> {
///         switch action {
///         case .dayTapped(let day):
///             day == currentState.day ? .empty() : .just(.day(day))
///         case .deleteTapped(let id):
///             entries.delete(id).andThen(.deferred {
///                 send(.dayTapped(currentState.day))
///                 return .just(.deleted(id))
///             })
///         …
/// ```
///
/// Each run has its own connection: a running flow is a copy that is connected to its store. So one value may run in two
/// stores, and the value that you created stays unconnected. A class, which is not copied, may run in one store at a
/// time.
///
/// **Guarantees.** Actions are transformed one at a time, in the order in which they were sent, from any thread; an
/// action that is sent meanwhile is enqueued, and the sender continues. Side effects are reduced one at a time, in the
/// order in which they were emitted: a side effect that is emitted while another one is being reduced is enqueued, and
/// every other one is reduced before its stream continues. Delivery, dismissal and memory are those of a ``Flow``.
///
/// **The form of `reduce`.** Implement one of the three. Their costs differ when the state holds arrays, dictionaries
/// or other copy-on-write values:
///
/// | form | a change in an array of 10,000 rows |
/// |---|---|
/// | `func reduce(_ state: inout State, _ sideEffect: SideEffect)` | in place |
/// | `func reduce(_ state: consuming State, _ sideEffect: SideEffect) -> State` | in place: `var state = state` takes ownership of the state |
/// | `func reduce(_ state: State, _ sideEffect: SideEffect) -> State` | a copy of the array, unless the optimizer inlines the function: the caller retains the old state meanwhile |
///
/// Code from ReactorKit keeps its body, and the word `consuming` in its signature avoids the copy.
public protocol MutationFlow<State, Action>: ViewModel
where Input == Observable<Action>, Output == FlowOutput<State, Never> {
    // Declared here, because the compiler would otherwise infer them from `transform(_ action:)`.
    /// A stream of actions: the input of the view model.
    associatedtype Input = Observable<Action>
    /// The states, and no events: the output of the view model.
    associatedtype Output = FlowOutput<State, Never>
    /// The state that the screen shows, as a value.
    associatedtype State: Sendable
    /// An event from outside: `searchTapped`.
    associatedtype Action: Sendable
    /// A change of the state, which `reduce` applies.
    associatedtype SideEffect: Sendable

    /// The state before the first action, which the screen shows first.
    var initialState: State { get }

    /// The changes that an action leads to, now and later. Convert errors to changes here, as in ``Flow/perform(_:)``.
    ///
    /// It runs on the sending thread. A side effect that its stream emits during the subscription is reduced before the
    /// stream continues; so the second part of `concat(.just(.began), .deferred { … })` reads the state after the first.
    func transform(_ action: Action) -> Observable<SideEffect>

    /// The change after the caller has cancelled the stream of an action, or the stream has failed, so that no part of the
    /// state waits for it; by default `nil`. See ``Flow/unanswered(_:)``.
    ///
    /// It depends on its argument only, and is called when the action is transformed.
    ///
    /// ```swift
    /// func unanswered(_ action: Action) -> SideEffect? {
    ///     switch action {
    ///     case .refreshed: .loadingEnded
    ///     case .renamed: nil
    ///     }
    /// }
    /// ```
    func unanswered(_ action: Action) -> SideEffect?

    /// Changes the state. It depends on its arguments only.
    ///
    /// Implement this form or the one that returns the new state.
    func reduce(_ state: inout State, _ sideEffect: SideEffect)

    /// The state after a change. It depends on its arguments only.
    ///
    /// Implement this form or the one that changes the state in place.
    func reduce(_ state: consuming State, _ sideEffect: SideEffect) -> State

    /// Transforms the actions before ``transform(_:)`` receives them; by default returns them unchanged.
    ///
    /// Called once, when the flow starts; the result is subscribed to until the flow ends. Use it to merge actions from
    /// other sources, and for operators across actions:
    ///
    /// ```swift
    /// func transform(actions: Observable<Action>) -> Observable<Action> {
    ///     .merge(actions, session.signedOut.map { .signedOut }).startWith(.appeared)
    /// }
    /// ```
    ///
    /// - Parameter actions: All sent actions, one at a time, in order.
    func transform(actions: Observable<Action>) -> Observable<Action>

    /// Transforms the changes before they are reduced; by default returns them unchanged.
    ///
    /// Called once, when the flow starts; the result is subscribed to until the flow ends. Use it to filter and
    /// debounce, and to merge changes that do not come from an action:
    ///
    /// ```swift
    /// func transform(mutations: Observable<SideEffect>) -> Observable<SideEffect> {
    ///     .merge(mutations, session.userChanges.map(SideEffect.user))
    /// }
    /// ```
    ///
    /// - Parameter mutations: The changes of all actions, one at a time, in the order in which they were emitted.
    func transform(mutations: Observable<SideEffect>) -> Observable<SideEffect>

    /// The observer of the flow's steps. Read once, when the flow starts; by default `nil`. See ``traced(by:)``.
    var trace: (@Sendable (MutationStep<State, Action, SideEffect>) -> Void)? { get }

    /// The connection to the store, which is set when the flow starts to run. Declare `var running = Running()` to use
    /// ``currentState``, ``actions`` and ``send(_:)``; a flow that uses none of them needs no such property.
    var running: RunningFlow<State, Action> { get set }
}

extension MutationFlow {
    /// The store that runs such a flow for a screen.
    public typealias Store = FlowStore<State, Action, Never>
    /// The connection of such a flow to its store.
    public typealias Running = RunningFlow<State, Action>

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

    /// Returns the actions unchanged: the default of ``transform(actions:)``.
    @inlinable public func transform(actions: Observable<Action>) -> Observable<Action> { actions }

    /// Returns the side effects unchanged: the default of ``transform(mutations:)``.
    @inlinable public func transform(mutations: Observable<SideEffect>) -> Observable<SideEffect> { mutations }

    /// No change.
    @inlinable public func unanswered(_ action: Action) -> SideEffect? { nil }

    /// No observer.
    @inlinable public var trace: (@Sendable (MutationStep<State, Action, SideEffect>) -> Void)? { nil }

    /// Not connected: the flow declares no such property.
    public var running: RunningFlow<State, Action> {
        get { RunningFlow() }
        set {}
    }

    /// The current state, after all reduced side effects; after dismissal, the last state.
    ///
    /// Stops the program if the flow does not run, or inside `reduce`.
    public var currentState: State { running.currentState(in: Self.self) }

    /// The actions that are sent from now on, before ``transform(actions:)`` changes them: for work that ends with a later
    /// one. Where each action of a kind only cancels the one before, a ``Flow`` states it with ``Next/latest(_:id:)``.
    ///
    /// ```swift
    /// titles.search(text).take(until: actions.filter { if case .typed = $0 { true } else { false } })
    /// ```
    ///
    /// A subscriber receives an action after it has been transformed. Stops the program if the flow does not run.
    public var actions: Observable<Action> { running.actions(in: Self.self) }

    /// Sends an action. It is transformed after the current one: if this is called in `transform`, after `transform`
    /// has returned and its stream has emitted its synchronous elements. After dismissal it is ignored.
    ///
    /// Stops the program if the flow does not run, or inside `reduce`.
    public func send(_ action: Action) { running.send(action, in: Self.self) }

    /// The flow as a view model; see ``Flow/transform(_:)``. There are no events.
    @inlinable
    public func transform(_ actions: Observable<Action>) -> FlowOutput<State, Never> {
        let scheduler = DriverSharingStrategy.scheduler
        return FlowOutput {
            MutationEngine(self, on: scheduler)
        } start: {
            $0.start(self)
            _ = $0.bind(actions)
        }
    }
}

/// The connection of a ``MutationFlow`` to the store that runs it. Thread-safe.
///
/// ```swift
/// struct Timeline: MutationFlow {
///     var running = Running()    // unconnected until a store runs the flow
///     …
/// }
/// ```
public struct RunningFlow<State: Sendable, Action: Sendable>: Sendable {
    private let current: (@Sendable () -> State)?
    private let sendAction: (@Sendable (Action) -> Void)?
    private let sentActions: Observable<Action>
    /// Whether the calling thread reduces a side effect of the flow.
    private var isReducing: @Sendable () -> Bool = { false }
    /// Where the flow declares the connection.
    private var file: StaticString
    private var line: UInt

    /// Creates an unconnected value, which is replaced when the flow runs. If the flow is used in a way that stops the
    /// program, the message names the file and the line.
    public init(file: StaticString = #fileID, line: UInt = #line) {
        current = nil
        sendAction = nil
        sentActions = .never()
        self.file = file
        self.line = line
    }

    /// Creates a stand-in for a store, to test `transform` alone.
    ///
    /// ```swift
    /// var timeline = Timeline()
    /// timeline.running = RunningFlow(currentState: { state }, send: { sent.append($0) })
    /// timeline.transform(.dayTapped(2))
    /// ```
    ///
    /// - Parameters:
    ///   - currentState: Returns the state at hand.
    ///   - send: Receives the actions that the flow sends.
    ///   - actions: The later actions of a store; none by default.
    ///   - file: The file that a message names if the flow stops the program.
    ///   - line: The line that the message names.
    public init(
        currentState: @escaping @Sendable () -> State, send: @escaping @Sendable (Action) -> Void,
        actions: Observable<Action> = .never(), file: StaticString = #fileID, line: UInt = #line
    ) {
        current = currentState
        sendAction = send
        sentActions = actions
        self.file = file
        self.line = line
    }

    /// The same declaration, connected to an engine.
    @usableFromInline
    func connected(
        currentState: @escaping @Sendable () -> State, send: @escaping @Sendable (Action) -> Void,
        actions: Observable<Action>, isReducing: @escaping @Sendable () -> Bool
    ) -> RunningFlow {
        var running = RunningFlow(currentState: currentState, send: send, actions: actions, file: file, line: line)
        running.isReducing = isReducing
        return running
    }

    fileprivate func currentState(in flow: Any.Type) -> State {
        guard let current else { notRunning(flow) }
        if isReducing() {
            stop(
                """
                `currentState` was read inside `reduce` of \(flow), which depends on its arguments only: use the state \
                that `reduce` receives, or read `currentState` in `transform`, and pass what `reduce` needs in the side \
                effect
                """)
        }
        return current()
    }

    fileprivate func send(_ action: Action, in flow: Any.Type) {
        guard let sendAction else { notRunning(flow) }
        if isReducing() {
            stop(
                """
                the action \(action) was sent inside `reduce` of \(flow), which depends on its arguments only: send it in \
                `transform` or in its streams, or change the state here as the action would
                """)
        }
        sendAction(action)
    }

    fileprivate func actions(in flow: Any.Type) -> Observable<Action> {
        if sendAction == nil { notRunning(flow) }
        return sentActions
    }

    private func notRunning(_ flow: Any.Type) -> Never {
        stop(
            """
            \(flow) does not run: `currentState`, `actions` and `send` work only in a flow that declares \
            `var running = Running()` and that a store runs, in `transform` and in its streams
            """)
    }

    private func stop(_ reason: String) -> Never { fatalError(reason, file: file, line: line) }
}

/// Emits the change for the stream of an action that was cancelled or has failed.
@usableFromInline
struct UnansweredReport: Sendable {
    @usableFromInline let emit: @Sendable () -> Void

    @usableFromInline
    init(_ emit: @escaping @Sendable () -> Void) { self.emit = emit }
}

/// Runs a ``MutationFlow``: ``start(_:)`` connects its streams, and the rest keeps track of the work of each action.
///
/// The streams of the flow and its connection retain each other and the engine; dismissal disposes the streams.
///
/// `@unchecked Sendable`: the thread inside the gate accesses `sending`, as `sendingThread` tells others; only the
/// serial stream of the actions accesses `transformed`, and only the serial stream of the side effects `reduced`.
@usableFromInline
package final class MutationEngine<M: MutationFlow>: EffectTable, FlowEngine, @unchecked Sendable {
    /// What the stream of an action emits, with the run that it belongs to.
    @usableFromInline
    enum Emission: Sendable {
        case change(M.SideEffect, EffectRun)
        /// The change for a stream that was cancelled or has failed.
        case unanswered(M.SideEffect, EffectRun)
        case end(EffectRun, EffectFailure?)
    }

    @usableFromInline package let state: FlowState<M.State>
    @usableFromInline package let events: WaitingRelay<Never>
    /// Where the actions that the flow sends, and what the streams of actions emit, are handled; by default on the
    /// threads that send and emit.
    @usableFromInline let effectScheduler: (any SchedulerType)?
    @usableFromInline let actions = PublishSubject<M.Action>()
    @usableFromInline let gate = Gate()
    /// The work of the action that `sendingThread` sends.
    @exclusivity(unchecked) @usableFromInline var sending: EffectGroup?
    @usableFromInline let sendingThread = Atomic<UInt>(0)
    /// The number of transformed actions.
    @exclusivity(unchecked) @usableFromInline var transformed = 0
    /// The number of reduced side effects.
    @exclusivity(unchecked) @usableFromInline var reduced = 0
    @usableFromInline let trace: (@Sendable (M.Step) -> Void)?
    @usableFromInline let steps = Gate()
    /// The run whose side effect that thread passes to ``MutationFlow/transform(mutations:)``, if the flow is traced.
    @usableFromInline let passing = TracedMutex<(run: EffectRun, thread: UInt)?>(nil)

    @inlinable
    package init(
        _ flow: M, from state: M.State? = nil, on scheduler: any SchedulerType,
        effectsOn effectScheduler: (any SchedulerType)? = nil
    ) {
        let scheduler = DeliveryScheduler(scheduler)
        self.effectScheduler = effectScheduler
        self.state = FlowState(state ?? flow.initialState, of: M.self, on: scheduler)
        events = WaitingRelay(on: scheduler, limit: 1)
        trace = flow.trace
    }

    /// Connects the streams of the flow. Called once, before anything is sent; actions that are sent meanwhile wait.
    @inlinable
    package func start(_ flow: M) {
        let isFree = gate.enter()
        var flow = flow
        flow.running = flow.running.connected(
            currentState: { [state] in state.value }, send: { [self] in sendInside($0) },
            actions: actions.asObservable(), isReducing: { [state] in state.isBeingChangedHere })
        let mutations = PublishSubject<M.SideEffect>()
        let transformed = flow.transform(mutations: mutations)
        let isDirect = transformed === mutations
        if !isDirect {
            _ = effects.bind(transformed) { [self, flow] change in reduce(change, of: passingRun, flow) }
        }
        let emissions = flow.transform(actions: actions).flatMap { [self, flow] action in
            changes(of: action, flow)
        }
        _ = effects.bind(emissions) { [self, flow] emission in
            switch emission {
            case .change(_, let run) where run.isDropped: break
            case .change(let change, let run) where isDirect: reduce(change, of: run, flow)
            case .change(let change, let run): pass(change, of: run, to: mutations)
            case .unanswered(let change, let run) where isDirect: reduce(change, of: run, flow)
            case .unanswered(let change, let run): pass(change, of: run, to: mutations)
            case .end(let run, let failure): end(run, failure)
            }
        }
        if isFree { gate.leave() }
    }

    @inlinable
    func reduce(_ change: M.SideEffect, of run: EffectRun?, _ flow: M) {
        let before = trace == nil ? nil : state.current
        var receivers: [ErasedSink] = []
        if state.change(&receivers, { flow.reduce(&$0, change) }) == nil { return }
        reduced &+= 1
        if let before {
            note(
                .reduced(
                    .init(
                        number: reduced, sideEffect: change, action: run?.number, before: before, after: state.current))
            )
        }
        _ = state.deliver(to: receivers)
    }

    // MARK: Actions

    @inlinable
    @discardableResult
    package func send(_ action: M.Action) -> EffectGroup? {
        let group = EffectGroup()
        if gate.enter() {
            send(action, group)
            gate.leave()
        } else {
            gate.pass { [self] in send(action, group) }
        }
        return group
    }

    @inlinable
    func send(_ action: M.Action, _ group: EffectGroup) {
        sending = group
        sendingThread.store(Thread.current, ordering: .relaxed)
        actions.onNext(action)
        sendingThread.store(0, ordering: .relaxed)
        sending = nil
        group.leave()
    }

    @usableFromInline
    func sendInside(_ action: M.Action) {
        guard let effectScheduler else {
            send(action)
            return
        }
        _ = effectScheduler.schedule(action) { [self] action in
            send(action)
            return Disposables.create()
        }
    }

    /// The side effects of an action, as a piece of the work of its group; none if that was cancelled in the queue.
    @inlinable
    func changes(of action: M.Action, _ flow: M) -> Observable<Emission> {
        let group = sendingThread.load(ordering: .relaxed) == Thread.current ? sending : nil
        guard effects.beginStart(in: group) else { return .empty() }
        defer { effects.endStart() }
        let stream = flow.transform(action)
        transformed &+= 1
        let run = EffectRun(
            number: transformed, action: 0, key: EffectKey(nil),
            sideEffect: trace == nil ? nil : KeptSideEffect(action), group: group)
        if trace == nil, let change = stream.storedElement { return .just(.change(change, run)) }
        return track(stream, of: action, run, unanswered: flow.unanswered(action))
    }

    /// The stream of an action until it ends, or its work is cancelled.
    @inlinable
    func track(
        _ stream: Observable<M.SideEffect>, of action: M.Action, _ run: EffectRun, unanswered change: M.SideEffect?
    ) -> Observable<Emission> {
        .create { [self] observer in
            run.onEnd = { observer.onCompleted() }
            if let change {
                let report = UnansweredReport { [weak run] in if let run { observer.onNext(.unanswered(change, run)) } }
                run.unanswered = KeptSideEffect(report)
            }
            guard effects.add(run, .merge) == .start else {
                run.end()
                return Disposables.create()
            }
            note(run, .began)
            let scheduled = effectScheduler.map { stream.observe(on: $0) } ?? stream
            let subscription = scheduled.subscribe { event in
                switch event {
                case .next(let change): observer.onNext(.change(change, run))
                case .error(let error): observer.onNext(.end(run, EffectFailure(ofAction: action, error)))
                case .completed: observer.onNext(.end(run, nil))
                }
            }
            effects.keep(subscription, for: run)
            return Disposables.create { [self] in if effects.remove(run).isRemoved { cancel([run]) } }
        }
    }

    /// Ends the work on an action whose stream has ended; this completes the stream of ``track(_:of:_:)``.
    @inlinable
    func end(_ run: EffectRun, _ failure: EffectFailure?) {
        if !effects.remove(run).isRemoved { return }
        note(run, failure.map { .failed($0) } ?? .ended)
        if let failure {
            Hooks.defaultErrorHandler([], failure)
            reportUnanswered(run)
        }
        run.end()
    }

    /// Emits the change for a stream without an answer, in the order of the changes.
    @usableFromInline
    func reportUnanswered(_ run: EffectRun) {
        (run.unanswered?.value as? UnansweredReport)?.emit()
    }

    /// Cancels the work on actions that is no longer in the table.
    @inlinable
    func cancel(_ runs: [EffectRun]) {
        for run in runs {
            note(run, .cancelled)
            run.end()
        }
    }

    // MARK: Tracing

    /// Passes a side effect to ``MutationFlow/transform(mutations:)``.
    @inlinable
    func pass(_ change: M.SideEffect, of run: EffectRun, to mutations: PublishSubject<M.SideEffect>) {
        if trace == nil { return mutations.onNext(change) }
        passing.withLock { $0 = (run, Thread.current) }
        mutations.onNext(change)
        passing.withLock { $0 = nil }
    }

    /// The run whose side effect this thread passes on.
    @usableFromInline
    var passingRun: EffectRun? {
        if trace == nil { return nil }
        return passing.withLock { $0?.thread == Thread.current ? $0?.run : nil }
    }

    @inlinable
    func note(_ run: EffectRun, _ change: M.Step.Change) {
        if let action = run.sideEffect?.value as? M.Action { note(.action(action, number: run.number, change)) }
    }

    /// Reports a step; one at a time.
    @usableFromInline
    func note(_ step: M.Step) {
        if let trace { steps.pass { trace(step) } }
    }

    // MARK: Ending

    @usableFromInline
    package func cancel(_ group: EffectGroup) {
        group.close()
        let removed = effects.remove { $0.group === group }.removed
        for run in removed { reportUnanswered(run) }
        cancel(removed)
        effects.waitForStarts(in: group)
    }

    @inlinable
    package func traceDismissal(of runs: [EffectRun]) {
        cancel(runs)
        note(.dismissed)
    }
}
