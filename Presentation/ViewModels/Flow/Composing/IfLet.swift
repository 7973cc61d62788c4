public import Streams

/// A parent flow with a child that is there while a part of the state is; see
/// ``Flow/ifLet(_:action:child:event:)``.
public struct IfLet<Parent: Flow, Child: Flow>: Flow {
    /// The parent's state.
    public typealias State = Parent.State
    /// The parent's actions.
    public typealias Action = Parent.Action
    /// The parent's events.
    public typealias Event = Parent.Event
    /// A side effect of the parent or of the child.
    public typealias SideEffect = Scope<Parent, Child>.SideEffect

    @usableFromInline let parent: Parent
    @usableFromInline let child: Child
    @usableFromInline let part: Part<Parent.State, Child.State?>
    @usableFromInline let actions: Case<Parent.Action, Child.Action>
    @usableFromInline let identity: @Sendable (Child.State) -> EffectID?
    @usableFromInline let event: @Sendable (Child.Event) -> Parent.Event

    @usableFromInline
    init(
        _ parent: Parent, _ child: Child, _ part: Part<Parent.State, Child.State?>,
        _ actions: Case<Parent.Action, Child.Action>, identity: @escaping @Sendable (Child.State) -> EffectID?,
        _ event: @escaping @Sendable (Child.Event) -> Parent.Event
    ) {
        self.parent = parent
        self.child = child
        self.part = part
        self.actions = actions
        self.identity = identity
        self.event = event
    }

    /// The parent's initial state.
    public var initialState: State { parent.initialState }

    /// Lets the child reduce its action, and then the parent the same action.
    @inlinable
    public func reduce(_ state: inout State, _ action: Action) -> Next<SideEffect, Event> {
        var next = Next<SideEffect, Event>.none
        var before: EffectID??
        part.access(&state) { part in
            if part == nil {
                if actions.extract(action) != nil { next.miss("a child of the type \(Child.self)") }
                return
            }
            before = part.map(identity)
            guard let before, let childAction = actions.extract(action) else { return }
            let asked = child.reduce(&part!, childAction)
            if !asked.isNone { next = asked.nested(in: before, SideEffect.child, event) }
        }
        let asked = parent.reduce(&state, action)
        if !asked.isNone { next.add(asked.wrapped(SideEffect.parent) { $0 }) }
        guard let before else { return next }
        part.access(&state) { part in
            let after = part.map(identity)
            if after != before { next.leave(Departure { $0 == after }) }
        }
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

extension Flow {
    /// This flow, with a child that is there while a part of the state is.
    ///
    /// When that part is set to `nil`, the child's side effects end, be they running or waiting. The child reduces its
    /// actions first; then this flow sees the same action. An action for a child that is not there is seen by this
    /// flow alone; a test fails on it.
    ///
    /// ```swift
    /// Home().ifLet(\.sheet, action: Case(Home.Action.sheet) {
    ///     if case .sheet(let action) = $0 { action } else { nil }
    /// }, child: FilterSheet(), event: Home.Event.sheet)
    /// ```
    ///
    /// A child state that is replaced by another one takes its effects with it, too, if it is `Identifiable` and the
    /// other has another id.
    ///
    /// - Parameters:
    ///   - part: The child's state.
    ///   - action: The child's actions.
    ///   - child: The child.
    ///   - event: What an event of the child is to this flow.
    @inlinable
    public func ifLet<Child: Flow>(
        _ part: any WritableKeyPath<State, Child.State?> & Sendable, action: Case<Action, Child.Action>, child: Child,
        event: @escaping @Sendable (Child.Event) -> Event
    ) -> IfLet<Self, Child> {
        IfLet(self, child, Part { $1(&$0[keyPath: part]) }, action, identity: { _ in nil }, event)
    }

    /// As ``ifLet(_:action:child:event:)``, for a child without events.
    @inlinable
    public func ifLet<Child: Flow>(
        _ part: any WritableKeyPath<State, Child.State?> & Sendable, action: Case<Action, Child.Action>, child: Child
    ) -> IfLet<Self, Child> where Child.Event == Never {
        IfLet(self, child, Part { $1(&$0[keyPath: part]) }, action, identity: { _ in nil }) { (_: Never) -> Event in }
    }

    /// As ``ifLet(_:action:child:event:)``, for a child that is another one when its state has another id.
    @inlinable
    public func ifLet<Child: Flow>(
        _ part: any WritableKeyPath<State, Child.State?> & Sendable, action: Case<Action, Child.Action>, child: Child,
        event: @escaping @Sendable (Child.Event) -> Event
    ) -> IfLet<Self, Child> where Child.State: Identifiable, Child.State.ID: Sendable {
        IfLet(self, child, Part { $1(&$0[keyPath: part]) }, action, identity: { EffectID($0.id) }, event)
    }

    /// As ``ifLet(_:action:child:event:)``, for a child without events that is another one when its state has another id.
    @inlinable
    public func ifLet<Child: Flow>(
        _ part: any WritableKeyPath<State, Child.State?> & Sendable, action: Case<Action, Child.Action>, child: Child
    ) -> IfLet<Self, Child> where Child.State: Identifiable, Child.State.ID: Sendable, Child.Event == Never {
        IfLet(self, child, Part { $1(&$0[keyPath: part]) }, action, identity: { EffectID($0.id) }) {
            (_: Never) -> Event in
        }
    }
}
