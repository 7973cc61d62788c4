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
