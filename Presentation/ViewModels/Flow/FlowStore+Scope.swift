import Streams

extension FlowStore {
    /// A store for a part of the state, whose actions are actions of this store.
    ///
    /// ```swift
    /// let banner = store.scope(state: \.banner, action: Home.Action.banner)
    /// banner.send(.closed)    // as store.send(.banner(.closed))
    /// ```
    ///
    /// The scoped store emits its state after each action, like this store; use `select` to emit changes only. It
    /// retains this store; dismissing or releasing it neither dismisses this store nor cancels effects. It has no
    /// events: this store delivers them.
    public func scope<Child: Sendable, ChildAction: Sendable>(
        state: @escaping @Sendable (State) -> Child, action: @escaping @Sendable (ChildAction) -> Action
    ) -> FlowStore<Child, ChildAction, Never> {
        FlowStore<Child, ChildAction, Never>(
            state: self.state.map(state), events: .empty(),
            core: .init(
                send: { [self] in core.send(action($0)) }, current: { [self] in state(currentState) },
                bind: { [self] in core.bind($0.map(action)) }, cancel: core.cancel, dismiss: {}, droppedEvents: { 0 }))
    }

    /// A store for a part of the state that may be absent, such as a row of a list; `nil` if it is absent.
    ///
    /// ```swift
    /// let row = store.scope(state: { $0.rows[id: 7] }, action: { .row(7, $0) })
    /// row?.send(.liked)    // as store.send(.row(7, .liked))
    /// ```
    ///
    /// After the part leaves the state, the scoped store keeps its last state.
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

/// Stores the last state of a part that was present.
private final class LastValue<Value: Sendable>: Sendable {
    private let value: TracedMutex<Value>

    init(_ value: Value) {
        self.value = TracedMutex(value)
    }

    /// Stores a value, if there is one; returns the last one.
    func update(_ new: Value?) -> Value {
        guard let new else { return value.withLock { $0 } }
        let old = value.withLock { value in
            defer { value = new }
            return value
        }
        withExtendedLifetime(old) {}  // release outside the lock
        return new
    }
}
