public import Streams

/// A parent flow with a child that runs on a part of its state; see ``Flow/scope(_:action:child:event:)``.
public struct Scope<Parent: Flow, Child: Flow>: Flow {
    /// The parent's state.
    public typealias State = Parent.State
    /// The parent's actions.
    public typealias Action = Parent.Action
    /// The parent's events.
    public typealias Event = Parent.Event

    /// A side effect of the parent or of the child.
    public enum SideEffect: Sendable {
        /// The parent's.
        case parent(Parent.SideEffect)
        /// The child's.
        case child(Child.SideEffect)
    }

    @usableFromInline let parent: Parent
    @usableFromInline let child: Child
    @usableFromInline let part: Part<Parent.State, Child.State>
    @usableFromInline let actions: Case<Parent.Action, Child.Action>
    @usableFromInline let event: @Sendable (Child.Event) -> Parent.Event

    @usableFromInline
    init(
        _ parent: Parent, _ child: Child, _ part: Part<Parent.State, Child.State>,
        _ actions: Case<Parent.Action, Child.Action>, _ event: @escaping @Sendable (Child.Event) -> Parent.Event
    ) {
        self.parent = parent
        self.child = child
        self.part = part
        self.actions = actions
        self.event = event
    }

    /// The parent's initial state.
    public var initialState: State { parent.initialState }

    /// Lets the child reduce its action, and then the parent the same action.
    @inlinable
    public func reduce(_ state: inout State, _ action: Action) -> Next<SideEffect, Event> {
        var next = Next<SideEffect, Event>.none
        if let childAction = actions.extract(action) {
            part.access(&state) { part in
                let asked = child.reduce(&part, childAction)
                if !asked.isNone { next = asked.nested(in: nil, SideEffect.child, event) }
            }
        }
        let asked = parent.reduce(&state, action)
        if !asked.isNone { next.add(asked.wrapped(SideEffect.parent) { $0 }) }
        return next
    }

    /// Lets the parent, or the child, carry out its side effect.
    public func perform(_ sideEffect: SideEffect) -> Observable<Action> {
        switch sideEffect {
        case .parent(let sideEffect): parent.perform(sideEffect)
        case .child(let sideEffect): child.perform(sideEffect).map(actions.embed)
        }
    }
}

extension Scope.SideEffect: Equatable where Parent.SideEffect: Equatable, Child.SideEffect: Equatable {}

extension Flow {
    /// This flow, with a child that runs on a part of its state.
    ///
    /// The child reduces its actions first; then this flow sees the same action, and may act on what the child
    /// tells it by a delegate action.
    ///
    /// ```swift
    /// Home().scope(\.banner, action: Case(Home.Action.banner) {
    ///     if case .banner(let action) = $0 { action } else { nil }
    /// }, child: Banner(), event: Home.Event.banner)
    /// ```
    ///
    /// - Parameters:
    ///   - part: The child's state.
    ///   - action: The child's actions.
    ///   - child: The child.
    ///   - event: What an event of the child is to this flow.
    @inlinable
    public func scope<Child: Flow>(
        _ part: any WritableKeyPath<State, Child.State> & Sendable, action: Case<Action, Child.Action>, child: Child,
        event: @escaping @Sendable (Child.Event) -> Event
    ) -> Scope<Self, Child> {
        Scope(self, child, Part { $1(&$0[keyPath: part]) }, action, event)
    }

    /// This flow, with a child that runs on a part of its state and raises no events; see
    /// ``scope(_:action:child:event:)``.
    @inlinable
    public func scope<Child: Flow>(
        _ part: any WritableKeyPath<State, Child.State> & Sendable, action: Case<Action, Child.Action>, child: Child
    ) -> Scope<Self, Child> where Child.Event == Never {
        Scope(self, child, Part { $1(&$0[keyPath: part]) }, action) { (_: Never) -> Event in }
    }
}
