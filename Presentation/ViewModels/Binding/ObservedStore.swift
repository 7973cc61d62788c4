public import Observation
public import Streams

/// A store for SwiftUI and other clients of Observation: each part of the state is an observable property, and a change
/// of a part invalidates only its readers.
///
/// ```swift
/// struct SearchView: View {
///     let store: ObservedStore<Search.State, Search.Action, Never>
///
///     var body: some View {
///         List(store.titles, id: \.self) { Text($0) }                  // updated when the titles change
///             .searchable(text: store.binding(\.text, send: Search.Action.typed))
///             .refreshable { await store.send(.refreshed).finish() }
///     }
/// }
/// ```
///
/// - A part that is `Equatable` counts as changed when it differs; any other, after every action. So does a part that does
///   not equal itself, such as a `Double` that is not a number.
/// - A control that sets a part to a value that the reducer refuses reads the part again, and shows the state.
/// - It observes the state from the first read of a part. It retains the store and the parts that were read, and no
///   copy of the whole state: an action still changes the other parts in place.
/// - The main actor delivers changes after the state was written: a reader that is invalidated reads the state that
///   caused it, or a newer one. Every reader that read a part before it changed is invalidated, whoever reads the part
///   in between.
///
/// Pass a part of it to the view of a row, by `scope(state:action:)`. For one driver instead of a store see
/// ``Observed``.
@MainActor
@dynamicMemberLookup
public final class ObservedStore<State: Sendable, Action: Sendable, Event: Sendable>: Observation.Observable {
    public nonisolated let store: FlowStore<State, Action, Event>

    /// The parts that were read.
    private var parts: [AnyKeyPath: ObservedPart] = [:]
    private var bag: DisposeBag?

    /// Creates an observable store, which follows the state of `store` until it is released.
    public init(_ store: FlowStore<State, Action, Event>) {
        self.store = store
    }

    /// Runs a flow, whose side effects answer on the main actor: a view that sends an action and reads a part right
    /// afterwards, such as a text field, reads what the action changed.
    public convenience init<F: Flow>(_ flow: F, initialState: State? = nil)
    where F.State == State, F.Action == Action, F.Event == Event {
        self.init(FlowStore(flow, initialState: initialState, effectsOn: DriverSharingStrategy.scheduler))
    }

    /// Runs a mutation flow, whose side effects are reduced on the main actor.
    public convenience init<M: MutationFlow>(_ flow: M, initialState: State? = nil)
    where M.State == State, M.Action == Action, Event == Never {
        self.init(FlowStore(flow, initialState: initialState, effectsOn: DriverSharingStrategy.scheduler))
    }

    /// The one-time events; see ``FlowStore/events``.
    public nonisolated var events: Signal<Event> { store.events }

    /// A part of the state, whose changes are observed separately.
    public subscript<Value: Equatable>(dynamicMember part: KeyPath<State, Value>) -> Value {
        follow()
        let state = store.currentState
        let value = state[keyPath: part]
        watch(part, in: state) { $0.assumingMemoryBound(to: State.self).pointee[keyPath: part] == value }
        return value
    }

    /// A part of the state that is not `Equatable`; its readers are invalidated after every action.
    @_disfavoredOverload
    public subscript<Value>(dynamicMember part: KeyPath<State, Value>) -> Value {
        follow()
        let state = store.currentState
        watch(part, in: state) { _ in false }
        return state[keyPath: part]
    }

    /// Sends an action to the store; see ``FlowStore/send(_:)`` for the order.
    ///
    /// ```swift
    /// List(store.rows) { row in Button(row.title) { store.send(.rowTapped(row.id)) } }
    ///     .refreshable { await store.send(.refreshed).finish() }
    /// ```
    @discardableResult
    public func send(_ action: Action) -> ActionEffects { store.send(action) }

    /// Sends an action by which a control sets a part.
    ///
    /// If the part has another value afterwards, because the reducer has refused or corrected what was typed, its readers
    /// are invalidated, although the part may be the same as before: the control shows what was typed, and reads again.
    package func send<Value: Equatable>(_ action: Action, setting part: KeyPath<State, Value>, to value: Value) {
        send(action)
        if store.currentState[keyPath: part] != value { parts[part]?.change() }
    }

    // MARK: Parts

    /// Begins to observe the state, before the first part is read: the delivery of the current state counts as a change
    /// for the readers before it.
    private func follow() {
        if bag != nil { return }
        let bag = DisposeBag()
        self.bag = bag
        store.state.drive(
            with: self, onNext: { $0.compare($1) },
            // A state that was not delivered before the dismissal.
            onCompleted: { $0.compare($0.store.currentState) }
        ).disposed(by: bag)
    }

    /// Makes the reader of a part depend on it, and keeps the comparison for the next delivery.
    private func watch(_ keyPath: AnyKeyPath, in state: State, _ isSame: @escaping (UnsafeRawPointer) -> Bool) {
        let part: ObservedPart
        if let known = parts[keyPath] {
            part = known
        } else {
            part = ObservedPart()
            parts[keyPath] = part
        }
        withUnsafePointer(to: state) { part.read(in: $0, isSame) }
    }

    /// Invalidates the readers of changed parts. They are notified once, and read again.
    private func compare(_ state: State) {
        withUnsafePointer(to: state) { state in
            for part in parts.values where part.isChanged(in: state) { part.change() }
        }
    }
}

/// The observable dependency of the readers of a part.
///
/// Neither generic nor nested in a generic class, where each access of an observable property would create the key path of
/// that property, and look up metadata. So a state is passed by its address: the store that creates the comparisons passes
/// its own states, which have the type for which the comparisons were created.
@Observable
private final class ObservedPart {
    private var changes = 0
    /// Whether the part in a state equals the part at the last read; `nil` if its readers have been told since.
    @ObservationIgnored private var isSame: ((_ state: UnsafeRawPointer) -> Bool)?
    /// Whether an earlier reader read another value than the last one. The next delivery invalidates it; not
    /// the read, because the last reader, whose tracking is not in place yet, may be the same.
    @ObservationIgnored private var hasStaleReaders = false

    func isChanged(in state: UnsafeRawPointer) -> Bool { hasStaleReaders || isSame?(state) == false }

    func change() {
        (isSame, hasStaleReaders) = (nil, false)
        changes += 1
    }

    /// Makes a reader depend on the part.
    func read(in state: UnsafeRawPointer, _ isSame: @escaping (_ state: UnsafeRawPointer) -> Bool) {
        hasStaleReaders = isChanged(in: state)
        self.isSame = isSame
        _ = changes
    }
}

extension ObservedStore {
    /// A store for a part of the state, for the view of that part: only changes of its own part update the view.
    ///
    /// ```swift
    /// BannerView(store: store.scope(state: \.banner, action: Home.Action.banner))
    /// ```
    ///
    /// The scoped store retains the underlying ``store``; releasing it neither dismisses the flow nor cancels effects.
    /// It has no events: this store delivers them.
    public func scope<Child: Sendable, ChildAction: Sendable>(
        state: @escaping @Sendable (State) -> Child, action: @escaping @Sendable (ChildAction) -> Action
    ) -> ObservedStore<Child, ChildAction, Never> {
        ObservedStore<Child, ChildAction, Never>(store.scope(state: state, action: action))
    }

    /// A store for a part of the state that may be absent, such as a row; `nil` if it is absent.
    ///
    /// ```swift
    /// ForEach(store.rows) { row in
    ///     if let store = store.scope(state: { $0.rows[id: row.id] }, action: { .row(row.id, $0) }) {
    ///         RowView(store: store)
    ///     }
    /// }
    /// ```
    ///
    /// After the part leaves the state, the scoped store keeps the last one that was read from it, or that followed.
    public func scope<Child: Sendable, ChildAction: Sendable>(
        state: @escaping @Sendable (State) -> Child?, action: @escaping @Sendable (ChildAction) -> Action
    ) -> ObservedStore<Child, ChildAction, Never>? {
        store.scope(state: state, action: action).map { ObservedStore<Child, ChildAction, Never>($0) }
    }
}

/// The latest element of a driver as an observable property, for SwiftUI and other clients of Observation.
///
/// It subscribes to the driver from its creation until it is released; the driver does not retain it. Store it in the
/// object that represents the screen.
///
/// ```swift
/// @MainActor final class MovieScreen {
///     let title: Observed<String>
///
///     init(_ viewModel: MovieDetailsViewModel, appeared: Observable<Void>) {
///         let output = viewModel.transform(.init(trigger: appeared))
///         title = Observed(output.title, initially: "…")
///     }
/// }
///
/// struct MovieView: View {
///     let screen: MovieScreen
///     var body: some View { Text(screen.title.value) }    // updated when the driver emits another title
/// }
/// ```
@Observable
@MainActor
public final class Observed<Value: Sendable> {
    /// The latest element of the driver.
    public private(set) var value: Value
    @ObservationIgnored private let bag = DisposeBag()

    /// Creates a value that follows `driver`; `initially` until its first element.
    public init(_ driver: Driver<Value>, initially value: Value) {
        self.value = value
        driver.drive(with: self, onNext: { $0.value = $1 }).disposed(by: bag)
    }

    /// Creates a value that follows `driver`; `initially` until its first element. An element that equals the value
    /// updates no view.
    public init(_ driver: Driver<Value>, initially value: Value) where Value: Equatable {
        self.value = value
        driver.drive(with: self, onNext: { if $0.value != $1 { $0.value = $1 } }).disposed(by: bag)
    }
}
