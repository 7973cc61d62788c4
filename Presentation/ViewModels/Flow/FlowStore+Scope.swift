import Streams

extension FlowStore {
    /// A part of this store: its state is a part of the state, and its actions are actions of this store.
    ///
    /// ```swift
    /// let banner = store.scope(state: \.banner, action: Home.Action.banner)
    /// banner.send(.closed)    // as store.send(.banner(.closed))
    /// ```
    ///
    /// It tells its state after each action, like this one; `select` what is to be told on change only. It keeps this store
    /// alive, and dismissing it, or letting it go, ends nothing. Events are told by this store.
    public func scope<Child: Sendable, ChildAction: Sendable>(
        state: @escaping @Sendable (State) -> Child, action: @escaping @Sendable (ChildAction) -> Action
    ) -> FlowStore<Child, ChildAction, Never> {
        FlowStore<Child, ChildAction, Never>(
            state: self.state.map(state), events: .empty(),
            core: .init(
                send: { [self] in core.send(action($0)) }, current: { [self] in state(currentState) },
                bind: { [self] in core.bind($0.map(action)) }, cancel: core.cancel, dismiss: {}, droppedEvents: { 0 }))
    }

    /// A part of this store that may be missing, such as a row of a list; `nil` if it is.
    ///
    /// ```swift
    /// let row = store.scope(state: { $0.rows[id: 7] }, action: { .row(7, $0) })
    /// row?.send(.liked)    // as store.send(.row(7, .liked))
    /// ```
    ///
    /// When the part leaves the state, the state of the scoped store stays as it was last.
    public func scope<Child: Sendable, ChildAction: Sendable>(
        state: @escaping @Sendable (State) -> Child?, action: @escaping @Sendable (ChildAction) -> Action
    ) -> FlowStore<Child, ChildAction, Never>? {
        guard let first = state(currentState) else { return nil }
        let last = LastValue(first)
        return FlowStore<Child, ChildAction, Never>(
            state: self.state.compactMap(state), events: .empty(),
            core: .init(
                send: { [self] in core.send(action($0)) }, current: { [self] in last.update(state(currentState)) },
                bind: { [self] in core.bind($0.map(action)) }, cancel: core.cancel, dismiss: {}, droppedEvents: { 0 }))
    }
}

/// The last value that was there.
private final class LastValue<Value: Sendable>: Sendable {
    private let value: TracedMutex<Value>

    init(_ value: Value) {
        self.value = TracedMutex(value)
    }

    /// Takes a value, if there is one; returns the last one.
    func update(_ new: Value?) -> Value {
        guard let new else { return value.withLock { $0 } }
        let old = value.withLock { value in
            defer { value = new }
            return value
        }
        withExtendedLifetime(old) {}  // let go outside the lock
        return new
    }
}
