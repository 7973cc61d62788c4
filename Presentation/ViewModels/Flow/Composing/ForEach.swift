public import Streams

/// A parent flow with a child for each row; see ``Flow/forEach(_:action:row:event:)``.
public struct ForEach<Parent: Flow, Row: Flow>: Flow where Row.State: Identifiable, Row.State.ID: Sendable {
    /// The parent's state.
    public typealias State = Parent.State
    /// The parent's actions.
    public typealias Action = Parent.Action
    /// The parent's events.
    public typealias Event = Parent.Event

    /// A side effect of the parent or of a row.
    public enum SideEffect: Sendable {
        /// The parent's.
        case parent(Parent.SideEffect)
        /// That of the row with this id.
        case row(Row.State.ID, Row.SideEffect)
    }

    @usableFromInline let parent: Parent
    @usableFromInline let row: Row
    @usableFromInline let rows: Part<Parent.State, Rows<Row.State>>
    @usableFromInline let actions: Case<Parent.Action, (Row.State.ID, Row.Action)>
    @usableFromInline let event: @Sendable (Row.State.ID, Row.Event) -> Parent.Event

    @usableFromInline
    init(
        _ parent: Parent, _ row: Row, _ rows: Part<Parent.State, Rows<Row.State>>,
        _ actions: Case<Parent.Action, (Row.State.ID, Row.Action)>,
        _ event: @escaping @Sendable (Row.State.ID, Row.Event) -> Parent.Event
    ) {
        self.parent = parent
        self.row = row
        self.rows = rows
        self.actions = actions
        self.event = event
    }

    /// The parent's initial state.
    public var initialState: State { parent.initialState }

    /// Lets the row reduce its action, and then the parent the same action.
    @inlinable
    public func reduce(_ state: inout State, _ action: Action) -> Next<SideEffect, Event> {
        var next = Next<SideEffect, Event>.none
        var before: UInt64 = 0
        rows.access(&state) { rows in
            before = rows.membership
            guard let (id, rowAction) = actions.extract(action) else { return }
            guard let asked = rows.update(id, { row.reduce(&$0, rowAction) }) else {
                return next.miss("a row with the id \(id)")
            }
            if !asked.isNone {
                next = asked.nested(in: EffectID(id), { SideEffect.row(id, $0) }, { event(id, $0) })
            }
        }
        let asked = parent.reduce(&state, action)
        if !asked.isNone { next.add(asked.wrapped(SideEffect.parent) { $0 }) }
        rows.access(&state) { rows in
            if rows.membership == before { return }
            next.leave(Departure { [rows] id in (id?.value as? Row.State.ID).map(rows.contains(id:)) ?? false })
        }
        return next
    }

    /// Lets the parent, or the row, carry out its side effect.
    public func perform(_ sideEffect: SideEffect) -> Observable<Action> {
        switch sideEffect {
        case .parent(let sideEffect): parent.perform(sideEffect)
        case .row(let id, let sideEffect): row.perform(sideEffect).map { [actions] in actions.embed((id, $0)) }
        }
    }
}

extension ForEach.SideEffect: Equatable where Parent.SideEffect: Equatable, Row.SideEffect: Equatable {}

extension Flow {
    /// This flow, with a child for each row of a list.
    ///
    /// A row that leaves the list takes its side effects with it, be they running or waiting. The row reduces its actions
    /// first; then this flow sees the same action, and may act on what the row tells it by a delegate action. An action
    /// for a row that is not there is seen by this flow alone; a test fails on it. What an action costs does not grow with the number of rows.
    ///
    /// ```swift
    /// Feed().forEach(\.rows, action: Case(Feed.Action.row) {
    ///     if case .row(let id, let action) = $0 { (id, action) } else { nil }
    /// }, row: Post(), event: { id, event in .post(id, event) })
    /// ```
    ///
    /// - Parameters:
    ///   - rows: The states of the rows.
    ///   - action: The rows' actions, with the id of the row.
    ///   - row: What each row is.
    ///   - event: What an event of a row is to this flow.
    @inlinable
    public func forEach<Row: Flow>(
        _ rows: any WritableKeyPath<State, Rows<Row.State>> & Sendable,
        action: Case<Action, (Row.State.ID, Row.Action)>, row: Row,
        event: @escaping @Sendable (Row.State.ID, Row.Event) -> Event
    ) -> ForEach<Self, Row> {
        ForEach(self, row, Part { $1(&$0[keyPath: rows]) }, action, event)
    }

    /// This flow, with a child for each row of a list, which raises no events; see
    /// ``forEach(_:action:row:event:)``.
    @inlinable
    public func forEach<Row: Flow>(
        _ rows: any WritableKeyPath<State, Rows<Row.State>> & Sendable,
        action: Case<Action, (Row.State.ID, Row.Action)>, row: Row
    ) -> ForEach<Self, Row> where Row.Event == Never {
        ForEach(self, row, Part { $1(&$0[keyPath: rows]) }, action) { (_, _: Never) -> Event in }
    }
}
