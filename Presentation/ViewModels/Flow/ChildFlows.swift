public import Streams

/// A parent flow with a child that runs on a part of its state; see ``Flow/scope(_:action:child:event:)``.
///
/// ```swift
/// let home: ScopeFlow<Home, Banner> = Home().scope(\.banner, action: bannerActions, child: Banner())
/// let store = FlowStore(home)
/// store.send(.banner(.closeTapped))    // reduced by the banner, and then by the home screen
/// ```
public struct ScopeFlow<Parent: Flow, Child: Flow>: Flow {
    /// The state of the parent, which contains the child's.
    public typealias State = Parent.State
    /// The actions of the parent, some of which are the child's.
    public typealias Action = Parent.Action
    /// The events of the parent, and of no child.
    public typealias Event = Parent.Event

    /// A side effect of the parent or of the child.
    ///
    /// ```swift
    /// let effect: ScopeFlow<Home, Banner>.SideEffect = .child(.rememberClosing)
    /// home.perform(effect)    // what the banner performs; its actions arrive as `.banner(…)`
    /// ```
    public enum SideEffect: Sendable {
        /// A side effect that the parent requested.
        case parent(Parent.SideEffect)
        /// A side effect that the child requested.
        case child(Child.SideEffect)
    }

    @usableFromInline let parent: Parent
    @usableFromInline let child: Child
    @usableFromInline let part: Lens<Parent.State, Child.State>
    @usableFromInline let actions: ActionCase<Parent.Action, Child.Action>
    @usableFromInline let event: @Sendable (Child.Event) -> Parent.Event

    @usableFromInline
    init(
        _ parent: Parent, _ child: Child, _ part: Lens<Parent.State, Child.State>,
        _ actions: ActionCase<Parent.Action, Child.Action>, _ event: @escaping @Sendable (Child.Event) -> Parent.Event
    ) {
        self.parent = parent
        self.child = child
        self.part = part
        self.actions = actions
        self.event = event
    }

    /// The initial state of the parent, child states included.
    public var initialState: State { parent.initialState }

    /// Reduces the action with the child, if it addresses the child, and then with the parent.
    @inlinable
    public func reduce(_ state: inout State, _ action: Action) -> Next<SideEffect, Event> {
        var next = Next<SideEffect, Event>.none
        if let childAction = actions.extract(action) {
            part.access(&state) { part in
                let request = child.reduce(&part, childAction)
                if !request.isNone { next = request.nested(in: nil, SideEffect.child, event) }
            }
        }
        let request = parent.reduce(&state, action)
        if !request.isNone { next.add(request.wrapped(SideEffect.parent) { $0 }) }
        return next
    }

    /// Performs the side effect with the parent or the child.
    public func perform(_ sideEffect: SideEffect) -> Observable<Action> {
        switch sideEffect {
        case .parent(let sideEffect): parent.perform(sideEffect)
        case .child(let sideEffect): child.perform(sideEffect).map(actions.embed)
        }
    }
}

extension ScopeFlow.SideEffect: Equatable where Parent.SideEffect: Equatable, Child.SideEffect: Equatable {}

extension Flow {
    /// This flow, with a child that runs on a part of its state.
    ///
    /// The child reduces its actions first; then this flow reduces the same action, and may respond to the child's
    /// delegate actions.
    ///
    /// ```swift
    /// Home().scope(\.banner, action: ActionCase(Home.Action.banner) {
    ///     if case .banner(let action) = $0 { action } else { nil }
    /// }, child: Banner(), event: Home.Event.banner)
    /// ```
    ///
    /// - Parameters:
    ///   - part: The child's state.
    ///   - action: The child's actions.
    ///   - child: The child.
    ///   - event: Maps an event of the child to an event of this flow.
    @inlinable
    public func scope<Child: Flow>(
        _ part: any WritableKeyPath<State, Child.State> & Sendable, action: ActionCase<Action, Child.Action>,
        child: Child,
        event: @escaping @Sendable (Child.Event) -> Event
    ) -> ScopeFlow<Self, Child> {
        ScopeFlow(self, child, Lens { $1(&$0[keyPath: part]) }, action, event)
    }

    /// This flow, with a child without events that runs on a part of its state; see ``scope(_:action:child:event:)``.
    @inlinable
    public func scope<Child: Flow>(
        _ part: any WritableKeyPath<State, Child.State> & Sendable, action: ActionCase<Action, Child.Action>,
        child: Child
    ) -> ScopeFlow<Self, Child> where Child.Event == Never {
        ScopeFlow(self, child, Lens { $1(&$0[keyPath: part]) }, action) { (_: Never) -> Event in }
    }
}

/// A parent flow with a child that exists while an optional part of the state is not `nil`; see
/// `ifLet(_:action:child:event:)` of ``Flow``.
///
/// ```swift
/// let home: IfLetFlow<Home, FilterSheet> = Home().ifLet(\.sheet, action: sheetActions, child: FilterSheet())
/// let store = FlowStore(home)
/// store.send(.sheet(.resetTapped))    // reduced by the sheet, if it is open, and then by the home screen
/// ```
public struct IfLetFlow<Parent: Flow, Child: Flow>: Flow {
    /// The state of the parent, which contains the child's.
    public typealias State = Parent.State
    /// The actions of the parent, some of which are the child's.
    public typealias Action = Parent.Action
    /// The events of the parent, and of no child.
    public typealias Event = Parent.Event
    /// A side effect of the parent or of the child.
    public typealias SideEffect = ScopeFlow<Parent, Child>.SideEffect

    @usableFromInline let parent: Parent
    @usableFromInline let child: Child
    @usableFromInline let part: Lens<Parent.State, Child.State?>
    @usableFromInline let actions: ActionCase<Parent.Action, Child.Action>
    @usableFromInline let identity: @Sendable (Child.State) -> EffectID?
    @usableFromInline let event: @Sendable (Child.Event) -> Parent.Event

    @usableFromInline
    init(
        _ parent: Parent, _ child: Child, _ part: Lens<Parent.State, Child.State?>,
        _ actions: ActionCase<Parent.Action, Child.Action>, identity: @escaping @Sendable (Child.State) -> EffectID?,
        _ event: @escaping @Sendable (Child.Event) -> Parent.Event
    ) {
        self.parent = parent
        self.child = child
        self.part = part
        self.actions = actions
        self.identity = identity
        self.event = event
    }

    /// The initial state of the parent, child states included.
    public var initialState: State { parent.initialState }

    /// Reduces the action with the child, if it addresses the child, and then with the parent.
    @inlinable
    public func reduce(_ state: inout State, _ action: Action) -> Next<SideEffect, Event> {
        var next = Next<SideEffect, Event>.none
        var before: EffectID??
        part.access(&state) { part in
            if part == nil {
                if actions.extract(action) != nil { next.reportMissingChild("a child of the type \(Child.self)") }
                return
            }
            before = part.map(identity)
            guard let before, let childAction = actions.extract(action) else { return }
            let request = child.reduce(&part!, childAction)
            if !request.isNone { next = request.nested(in: before, SideEffect.child, event) }
        }
        let request = parent.reduce(&state, action)
        if !request.isNone { next.add(request.wrapped(SideEffect.parent) { $0 }) }
        guard let before else { return next }
        part.access(&state) { part in
            let after = part.map(identity)
            if after != before { next.cancelEffects(of: ChildRemoval { $0 == after }) }
        }
        return next
    }

    /// Performs the side effect with the parent or the child.
    public func perform(_ sideEffect: SideEffect) -> Observable<Action> {
        switch sideEffect {
        case .parent(let sideEffect): parent.perform(sideEffect)
        case .child(let sideEffect): child.perform(sideEffect).map(actions.embed)
        }
    }
}

extension Flow {
    /// This flow, with a child that exists while an optional part of the state is not `nil`.
    ///
    /// Setting the part to `nil` ends the child's side effects, running and waiting. The child reduces its actions
    /// first; then this flow reduces the same action. Only this flow reduces an action for an absent child; a test
    /// fails on it.
    ///
    /// ```swift
    /// Home().ifLet(\.sheet, action: ActionCase(Home.Action.sheet) {
    ///     if case .sheet(let action) = $0 { action } else { nil }
    /// }, child: FilterSheet(), event: Home.Event.sheet)
    /// ```
    ///
    /// Replacing the child's state by one with another id ends its effects, too, if the state is `Identifiable`.
    ///
    /// - Parameters:
    ///   - part: The child's state.
    ///   - action: The child's actions.
    ///   - child: The child.
    ///   - event: Maps an event of the child to an event of this flow.
    @inlinable
    public func ifLet<Child: Flow>(
        _ part: any WritableKeyPath<State, Child.State?> & Sendable, action: ActionCase<Action, Child.Action>,
        child: Child,
        event: @escaping @Sendable (Child.Event) -> Event
    ) -> IfLetFlow<Self, Child> {
        IfLetFlow(self, child, Lens { $1(&$0[keyPath: part]) }, action, identity: { _ in nil }, event)
    }

    /// Like `ifLet(_:action:child:event:)`, for a child without events.
    @inlinable
    public func ifLet<Child: Flow>(
        _ part: any WritableKeyPath<State, Child.State?> & Sendable, action: ActionCase<Action, Child.Action>,
        child: Child
    ) -> IfLetFlow<Self, Child> where Child.Event == Never {
        IfLetFlow(self, child, Lens { $1(&$0[keyPath: part]) }, action, identity: { _ in nil }) { (_: Never) -> Event in
        }
    }

    /// Like `ifLet(_:action:child:event:)`, for a child that is replaced when its state has another id.
    @inlinable
    public func ifLet<Child: Flow>(
        _ part: any WritableKeyPath<State, Child.State?> & Sendable, action: ActionCase<Action, Child.Action>,
        child: Child,
        event: @escaping @Sendable (Child.Event) -> Event
    ) -> IfLetFlow<Self, Child> where Child.State: Identifiable, Child.State.ID: Sendable {
        IfLetFlow(self, child, Lens { $1(&$0[keyPath: part]) }, action, identity: { EffectID($0.id) }, event)
    }

    /// Like `ifLet(_:action:child:event:)`, for a child without events that is replaced when its state has another id.
    @inlinable
    public func ifLet<Child: Flow>(
        _ part: any WritableKeyPath<State, Child.State?> & Sendable, action: ActionCase<Action, Child.Action>,
        child: Child
    ) -> IfLetFlow<Self, Child> where Child.State: Identifiable, Child.State.ID: Sendable, Child.Event == Never {
        IfLetFlow(self, child, Lens { $1(&$0[keyPath: part]) }, action, identity: { EffectID($0.id) }) {
            (_: Never) -> Event in
        }
    }
}

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

/// Embeds a value in one case of an enumeration and extracts it (a prism): maps the actions of a child to actions of
/// its parent and back.
///
/// ```swift
/// let detail = ActionCase(Action.detail) { if case .detail(let action) = $0 { action } else { nil } }
/// let row = ActionCase(Action.row) { if case .row(let id, let action) = $0 { (id, action) } else { nil } }
/// ```
public struct ActionCase<Root: Sendable, Value: Sendable>: Sendable {
    /// Embeds a value in the case.
    public let embed: @Sendable (Value) -> Root
    /// Extracts the value; `nil` for another case.
    public let extract: @Sendable (Root) -> Value?

    /// Creates a case from its constructor and its pattern match.
    public init(_ embed: @escaping @Sendable (Value) -> Root, extract: @escaping @Sendable (Root) -> Value?) {
        self.embed = embed
        self.extract = extract
    }

    /// Creates a case with two associated values, which become a tuple.
    public init<First, Second>(
        _ embed: @escaping @Sendable (First, Second) -> Root,
        extract: @escaping @Sendable (Root) -> (First, Second)?
    ) where Value == (First, Second) {
        self.embed = { embed($0.0, $0.1) }
        self.extract = extract
    }
}
