public import Streams

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
