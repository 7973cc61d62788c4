public import Streams

/// A parent flow with a child for each row; see ``Flow/forEach(_:action:row:event:)``.
///
/// ```swift
/// let feed: ForEachFlow<Feed, Post> = Feed().forEach(\.rows, action: rowActions, row: Post())
/// let store = FlowStore(feed)
/// store.send(.row(7, .likeTapped))    // reduced by the post with the id 7, and then by the feed
/// ```
public struct ForEachFlow<Parent: Flow, Row: Flow>: Flow where Row.State: Identifiable, Row.State.ID: Sendable {
    /// The state of the parent, which contains the child's.
    public typealias State = Parent.State
    /// The actions of the parent, some of which are the child's.
    public typealias Action = Parent.Action
    /// The events of the parent, and of no child.
    public typealias Event = Parent.Event

    /// A side effect of the parent or of a row.
    ///
    /// ```swift
    /// let effect: ForEachFlow<Feed, Post>.SideEffect = .row(7, .saveLike)
    /// feed.perform(effect)    // what the post performs; its actions arrive as `.row(7, …)`
    /// ```
    public enum SideEffect: Sendable {
        /// A side effect that the parent requested.
        case parent(Parent.SideEffect)
        /// A side effect of the row with this id.
        case row(Row.State.ID, Row.SideEffect)
    }

    @usableFromInline let parent: Parent
    @usableFromInline let row: Row
    @usableFromInline let rows: Lens<Parent.State, IdentifiedRows<Row.State>>
    @usableFromInline let actions: ActionCase<Parent.Action, (Row.State.ID, Row.Action)>
    @usableFromInline let event: @Sendable (Row.State.ID, Row.Event) -> Parent.Event

    @usableFromInline
    init(
        _ parent: Parent, _ row: Row, _ rows: Lens<Parent.State, IdentifiedRows<Row.State>>,
        _ actions: ActionCase<Parent.Action, (Row.State.ID, Row.Action)>,
        _ event: @escaping @Sendable (Row.State.ID, Row.Event) -> Parent.Event
    ) {
        self.parent = parent
        self.row = row
        self.rows = rows
        self.actions = actions
        self.event = event
    }

    /// The initial state of the parent, child states included.
    public var initialState: State { parent.initialState }

    /// Reduces the action with the row that it addresses, and then with the parent.
    @inlinable
    public func reduce(_ state: inout State, _ action: Action) -> Next<SideEffect, Event> {
        var next = Next<SideEffect, Event>.none
        var before: UInt64 = 0
        rows.access(&state) { rows in
            before = rows.membership
            guard let (id, rowAction) = actions.extract(action) else { return }
            guard let request = rows.update(id, { row.reduce(&$0, rowAction) }) else {
                return next.reportMissingChild("a row with the id \(id)")
            }
            if !request.isNone {
                next = request.nested(in: EffectID(id), { SideEffect.row(id, $0) }, { event(id, $0) })
            }
        }
        let request = parent.reduce(&state, action)
        if !request.isNone { next.add(request.wrapped(SideEffect.parent) { $0 }) }
        rows.access(&state) { rows in
            if rows.membership == before { return }
            next.cancelEffects(
                of: ChildRemoval { [rows] id in (id?.value as? Row.State.ID).map(rows.contains(id:)) ?? false })
        }
        return next
    }

    /// Performs the side effect with the parent or the row.
    public func perform(_ sideEffect: SideEffect) -> Observable<Action> {
        switch sideEffect {
        case .parent(let sideEffect): parent.perform(sideEffect)
        case .row(let id, let sideEffect): row.perform(sideEffect).map { [actions] in actions.embed((id, $0)) }
        }
    }
}

extension ForEachFlow.SideEffect: Equatable where Parent.SideEffect: Equatable, Row.SideEffect: Equatable {}

extension Flow {
    /// This flow, with a child for each row of a list.
    ///
    /// Removing a row from the list ends its side effects, running and waiting. The row reduces its actions first; then
    /// this flow reduces the same action, and may respond to the row's delegate actions. Only this flow reduces an
    /// action for an absent row; a test fails on it. The cost of an action does not grow with the number of rows, except
    /// that of closing the gap in memory after a removal; see ``IdentifiedRows``. Rows that contain rows of their own
    /// type, or are of several types, are composed by ``Next/map(_:event:in:)``.
    ///
    /// ```swift
    /// Feed().forEach(\.rows, action: ActionCase(Feed.Action.row) {
    ///     if case .row(let id, let action) = $0 { (id, action) } else { nil }
    /// }, row: Post(), event: { id, event in .post(id, event) })
    /// ```
    ///
    /// - Parameters:
    ///   - rows: The states of the rows.
    ///   - action: The actions of the rows, with the id of the row.
    ///   - row: The flow of each row.
    ///   - event: Maps an event of a row to an event of this flow.
    @inlinable
    public func forEach<Row: Flow>(
        _ rows: any WritableKeyPath<State, IdentifiedRows<Row.State>> & Sendable,
        action: ActionCase<Action, (Row.State.ID, Row.Action)>, row: Row,
        event: @escaping @Sendable (Row.State.ID, Row.Event) -> Event
    ) -> ForEachFlow<Self, Row> {
        ForEachFlow(self, row, Lens { $1(&$0[keyPath: rows]) }, action, event)
    }

    /// This flow, with a child for each row of a list, without events of the rows; see
    /// ``forEach(_:action:row:event:)``.
    @inlinable
    public func forEach<Row: Flow>(
        _ rows: any WritableKeyPath<State, IdentifiedRows<Row.State>> & Sendable,
        action: ActionCase<Action, (Row.State.ID, Row.Action)>, row: Row
    ) -> ForEachFlow<Self, Row> where Row.Event == Never {
        ForEachFlow(self, row, Lens { $1(&$0[keyPath: rows]) }, action) { (_, _: Never) -> Event in }
    }
}
