public import Streams

/// A flow with children that run on parts of its state; see ``Flow/scope(_:action:child:event:)``,
/// `ifLet(_:action:child:event:)` and ``Flow/forEach(_:action:row:event:)`` of ``Flow``.
///
/// ```swift
/// let feed: ForEachFlow<Feed, Post> = Feed().forEach(\.rows, action: rowActions, row: Post())
/// let store = FlowStore(feed)
/// store.send(.row(7, .likeTapped))    // reduced by the post with the id 7, and then by the feed
/// ```
///
/// A child reduces its actions first, and then the parent reduces the same action, so that it may respond to the child's
/// delegate actions. Only the parent reduces an action for an absent child; a test fails on it.
public struct ParentFlow<Parent: Flow, Child: Flow, ID: Hashable & Sendable>: Flow {
    /// The state of the parent, which contains the children's.
    public typealias State = Parent.State
    /// The actions of the parent, some of which are a child's.
    public typealias Action = Parent.Action
    /// The events of the parent, and of no child.
    public typealias Event = Parent.Event

    public enum SideEffect: Sendable {
        case parent(Parent.SideEffect)
        /// A side effect of the child with this id; `nil` is the id of an only child.
        case child(ID, Child.SideEffect)
    }

    @usableFromInline let parent: Parent
    @usableFromInline let child: Child
    @usableFromInline let children: Children<Parent.State, ID, Child.State>
    @usableFromInline let actions: ActionCase<Parent.Action, (ID, Child.Action)>
    @usableFromInline let event: @Sendable (ID, Child.Event) -> Parent.Event

    @usableFromInline
    init(
        _ parent: Parent, _ child: Child, _ children: Children<Parent.State, ID, Child.State>,
        _ actions: ActionCase<Parent.Action, (ID, Child.Action)>,
        _ event: @escaping @Sendable (ID, Child.Event) -> Parent.Event
    ) {
        self.parent = parent
        self.child = child
        self.children = children
        self.actions = actions
        self.event = event
    }

    public var initialState: State { parent.initialState }

    @inlinable
    public func reduce(_ state: inout State, _ action: Action) -> Next<SideEffect, Event> {
        var next = Next<SideEffect, Event>.none
        let hasRemovedChild = children.watch(&state) { state in
            if let (id, childAction) = actions.extract(action) {
                let isPresent = children.access(&state, id) { part, path in
                    let request = child.reduce(&part, childAction)
                    if !request.isNone {
                        let component = PathComponent(path(), of: children.part)
                        next = request.nested(in: component, { .child(id, $0) }, { event(id, $0) })
                    }
                }
                if !isPresent {
                    next.reportMissingChild(
                        ID.self == Never?.self ? "a child of the type \(Child.self)" : "a row with the id \(id)")
                }
            }
            let request = parent.reduce(&state, action)
            if !request.isNone { next.add(request.wrapped(SideEffect.parent) { $0 }) }
        }
        if hasRemovedChild || !next.childReports.isEmpty { removeChildren(in: &state, hasRemovedChild, from: &next) }
        return next
    }

    /// Cancels the effects of children that may have left, and drops what missing children requested.
    @usableFromInline
    func removeChildren(in state: inout State, _ hasRemovedChild: Bool, from next: inout Next<SideEffect, Event>) {
        if hasRemovedChild { next.cancelEffects(of: ChildRemoval(isPresent: children.remaining(&state))) }
        if next.hasStepsOfChildren { next.dropSteps(ofChildrenMissingIn: state) }
    }

    public func perform(_ sideEffect: SideEffect) -> Observable<Action> {
        switch sideEffect {
        case .parent(let sideEffect): parent.perform(sideEffect)
        case .child(let id, let sideEffect): child.perform(sideEffect).map { [actions] in actions.embed((id, $0)) }
        }
    }

    public func unanswered(_ sideEffect: SideEffect) -> Action? {
        switch sideEffect {
        case .parent(let sideEffect): parent.unanswered(sideEffect)
        case .child(let id, let sideEffect): child.unanswered(sideEffect).map { actions.embed((id, $0)) }
        }
    }
}

extension ParentFlow.SideEffect: Equatable where Parent.SideEffect: Equatable, Child.SideEffect: Equatable {}

/// A flow with a child on a part of its state; see ``Flow/scope(_:action:child:event:)``.
public typealias ScopeFlow<Parent: Flow, Child: Flow> = ParentFlow<Parent, Child, Never?>
/// A flow with a child on an optional part of its state; see `ifLet(_:action:child:event:)` of ``Flow``.
public typealias IfLetFlow<Parent: Flow, Child: Flow> = ParentFlow<Parent, Child, Never?>
/// A flow with a child for each row of a list; see ``Flow/forEach(_:action:row:event:)``.
public typealias ForEachFlow<Parent: Flow, Row: Flow> = ParentFlow<Parent, Row, Row.State.ID>
where Row.State: Identifiable, Row.State.ID: Sendable

/// The children of one kind in the state of their parent.
///
/// Closures, not key paths: written where the key path is a literal, they compile to direct access, which takes a tenth of
/// the time.
@usableFromInline
struct Children<Whole, ID, Child>: Sendable {
    /// Changes a child in place, and returns `true`; or returns `false`, if there is none with that ID. The path of a child
    /// distinguishes its effects from those of other children.
    @usableFromInline
    let access:
        @Sendable (_ whole: inout Whole, _ id: ID, _ body: (inout Child, _ path: () -> EffectID?) -> Void) -> Bool
    /// Changes the whole, and returns whether a child may have left it.
    @usableFromInline let watch: @Sendable (_ whole: inout Whole, _ change: (inout Whole) -> Void) -> Bool
    /// Whether the child with a path is present.
    @usableFromInline let remaining: @Sendable (inout Whole) -> @Sendable (EffectID?) -> Bool
    /// The part of the whole that contains the children.
    @usableFromInline let part: ChildPart<Whole>

    @inlinable
    init(
        access: @escaping @Sendable (inout Whole, ID, (inout Child, () -> EffectID?) -> Void) -> Bool,
        watch: @escaping @Sendable (inout Whole, (inout Whole) -> Void) -> Bool,
        remaining: @escaping @Sendable (inout Whole) -> @Sendable (EffectID?) -> Bool,
        part: ChildPart<Whole>
    ) {
        self.access = access
        self.watch = watch
        self.remaining = remaining
        self.part = part
    }
}

extension Children where ID == Never? {
    @inlinable
    init(always part: any WritableKeyPath<Whole, Child> & Sendable) {
        self.init(
            access: { whole, _, body in
                body(&whole[keyPath: part]) { nil }
                return true
            },
            watch: { whole, change in
                change(&whole)
                return false
            },
            remaining: { _ in { _ in true } },
            part: FixedPart(part))
    }

    @inlinable
    init(
        optional part: any WritableKeyPath<Whole, Child?> & Sendable,
        identity: @escaping @Sendable (Child) -> EffectID?
    ) {
        self.init(
            access: { whole, _, body in
                guard let path = whole[keyPath: part].map(identity) else { return false }
                body(&whole[keyPath: part]!) { path }
                return true
            },
            watch: { whole, change in
                let before = whole[keyPath: part].map(identity)
                change(&whole)
                return before != nil && before != whole[keyPath: part].map(identity)
            },
            remaining: { whole in
                let present = whole[keyPath: part].map(identity)
                return { $0 == present }
            },
            part: OptionalPart(part, identity))
    }
}

extension Children where Child: Identifiable & Sendable, ID == Child.ID, ID: Sendable {
    @inlinable
    init(rows: any WritableKeyPath<Whole, IdentifiedRows<Child>> & Sendable) {
        self.init(
            access: { whole, id, body in
                whole[keyPath: rows].update(id) { row in body(&row) { EffectID(id) } } != nil
            },
            watch: { whole, change in
                // Mutating accesses: unlike a read, they compile to direct access.
                let before = whole[keyPath: rows].currentMembership()
                change(&whole)
                return whole[keyPath: rows].currentMembership() != before
            },
            remaining: { whole in
                let rows = whole[keyPath: rows]
                return { ($0?.value as? ID).map(rows.contains(id:)) ?? false }
            },
            part: RowsPart(rows))
    }
}

extension Flow {
    /// This flow, with a child that runs on a part of its state.
    ///
    /// A function returns a flow with its children as `some Flow<Home.State, Home.Action, Home.Event>`.
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
        child: Child, event: @escaping @Sendable (Child.Event) -> Event
    ) -> ScopeFlow<Self, Child> {
        ScopeFlow(self, child, Children(always: part), action.ofOnlyChild) { event($1) }
    }

    /// Like ``scope(_:action:child:event:)``, for a child without events.
    @inlinable
    public func scope<Child: Flow>(
        _ part: any WritableKeyPath<State, Child.State> & Sendable, action: ActionCase<Action, Child.Action>,
        child: Child
    ) -> ScopeFlow<Self, Child> where Child.Event == Never {
        scope(part, action: action, child: child) { (_: Never) -> Event in }
    }

    /// This flow, with a child that exists while an optional part of the state is not `nil`.
    ///
    /// The child's side effects, running and waiting, end with the reduction after which the part is `nil`, or has another
    /// id, if the child's state is `Identifiable`: whether the child, this flow or a flow around it, such as one that
    /// resets its own state, has changed the part. The child is the same as before if it is there after two reductions in
    /// succession, with an equal id: replacing the part within one reduction, even by a state that starts anew, keeps its
    /// effects. An id that is new for each presentation ends them.
    ///
    /// ```swift
    /// Home().ifLet(\.sheet, action: ActionCase(Home.Action.sheet) {
    ///     if case .sheet(let action) = $0 { action } else { nil }
    /// }, child: FilterSheet(), event: Home.Event.sheet)
    /// ```
    ///
    /// - Parameters:
    ///   - part: The child's state.
    ///   - action: The child's actions.
    ///   - child: The child.
    ///   - event: Maps an event of the child to an event of this flow.
    @inlinable
    public func ifLet<Child: Flow>(
        _ part: any WritableKeyPath<State, Child.State?> & Sendable, action: ActionCase<Action, Child.Action>,
        child: Child, event: @escaping @Sendable (Child.Event) -> Event
    ) -> IfLetFlow<Self, Child> {
        IfLetFlow(self, child, Children(optional: part) { _ in nil }, action.ofOnlyChild) { event($1) }
    }

    /// Like `ifLet(_:action:child:event:)`, for a child without events.
    @inlinable
    public func ifLet<Child: Flow>(
        _ part: any WritableKeyPath<State, Child.State?> & Sendable, action: ActionCase<Action, Child.Action>,
        child: Child
    ) -> IfLetFlow<Self, Child> where Child.Event == Never {
        ifLet(part, action: action, child: child) { (_: Never) -> Event in }
    }

    /// Like `ifLet(_:action:child:event:)`, for a child that is replaced when its state has another id.
    @inlinable
    public func ifLet<Child: Flow>(
        _ part: any WritableKeyPath<State, Child.State?> & Sendable, action: ActionCase<Action, Child.Action>,
        child: Child, event: @escaping @Sendable (Child.Event) -> Event
    ) -> IfLetFlow<Self, Child> where Child.State: Identifiable, Child.State.ID: Sendable {
        IfLetFlow(self, child, Children(optional: part) { EffectID($0.id) }, action.ofOnlyChild) { event($1) }
    }

    /// Like `ifLet(_:action:child:event:)`, for a child without events that is replaced when its state has another id.
    @inlinable
    public func ifLet<Child: Flow>(
        _ part: any WritableKeyPath<State, Child.State?> & Sendable, action: ActionCase<Action, Child.Action>,
        child: Child
    ) -> IfLetFlow<Self, Child> where Child.State: Identifiable, Child.State.ID: Sendable, Child.Event == Never {
        ifLet(part, action: action, child: child) { (_: Never) -> Event in }
    }

    /// This flow, with a child for each row of a list.
    ///
    /// The side effects of a row, running and waiting, end with the reduction after which no row in the list has its id:
    /// whether the row, this flow or a flow around it has removed the row or replaced the list. A list that contains the
    /// id after two reductions in succession has kept the row, even if it was loaded again; emptied and loaded in two, it
    /// has not.
    ///
    /// The cost of an action does not grow with the number of rows, nor with that of their side effects, except that of
    /// moving rows in memory after a removal or an insertion; see ``IdentifiedRows``. Replacing the whole list takes time
    /// in proportion to the rows that run side effects. Rows that contain rows of their own type, or are of several types,
    /// are composed by ``Next/map(_:event:in:)``.
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
        ForEachFlow(self, row, Children(rows: rows), action, event)
    }

    /// Like ``forEach(_:action:row:event:)``, for rows without events.
    @inlinable
    public func forEach<Row: Flow>(
        _ rows: any WritableKeyPath<State, IdentifiedRows<Row.State>> & Sendable,
        action: ActionCase<Action, (Row.State.ID, Row.Action)>, row: Row
    ) -> ForEachFlow<Self, Row> where Row.Event == Never {
        forEach(rows, action: action, row: row) { (_, _: Never) -> Event in }
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

    /// The case for a parent of children with ids.
    // Inlined, because it runs for each action: with types that are not known, it looks up their metadata.
    @inlinable var ofOnlyChild: ActionCase<Root, (Never?, Value)> {
        ActionCase<Root, (Never?, Value)>(
            { [embed] in embed($0.1) }, extract: { [extract] in extract($0).map { (nil, $0) } })
    }
}
