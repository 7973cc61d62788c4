/// The requests of an action: side effects to perform, and how; effects to cancel; events to raise.
///
/// ```swift
/// return .none
/// return .run(.log, .save)                          // both, concurrently
/// return .inOrder(.reset, .load)                    // load starts when reset has ended
/// return .latest(.search(text))                     // cancels the previous search
/// return .latest(.search(text), after: .seconds(1)) // the same, once nothing was typed for a second
/// return .exhausting(.loadPage).and(.event(.tick))  // ignored while a page is loading
/// return .cancel("upload")
/// ```
///
/// An effect may have an id: any hashable value. Ids are scoped to one store, and within it to the child flow that uses
/// them: the same id in two stores, or in two rows, names two different effects.
public struct Next<SideEffect: Sendable, Event: Sendable>: Sendable {
    /// The first step, and those that follow it. Most actions request one thing at most, which needs no array.
    @usableFromInline var first: Step?
    @usableFromInline var others: [Step] = []
    /// Facts that the combinators report to the engine.
    @usableFromInline package var childReports: [ChildReport] = []

    @usableFromInline
    package enum Step: Sendable {
        case run(SideEffect, EffectKey)
        case inOrder([SideEffect], EffectKey)
        case latest(SideEffect, EffectKey, after: Duration? = nil)
        case exhausting(SideEffect, EffectKey)
        /// A key without an id is that of a child.
        case cancel(EffectKey)
        case event(Event)
    }

    @inlinable
    init(_ first: Step?) {
        self.first = first
    }

    @inlinable
    init(steps: [Step]) {
        first = steps.first
        if steps.count > 1 { others = Array(steps.dropFirst()) }
    }

    package var steps: [Step] { first.map { [$0] + others } ?? [] }

    /// Whether there is nothing to do.
    ///
    /// ```swift
    /// Next<Command, Never>.none.isNone    // true
    /// ```
    @inlinable
    public var isNone: Bool { first == nil && childReports.isEmpty }

    /// Whether children requested some of the steps. A report and not a property, with which the compiler would copy each
    /// request through its metadata.
    @inlinable var hasStepsOfChildren: Bool { !childReports.isEmpty && reportsStepsOfChildren }

    @usableFromInline var reportsStepsOfChildren: Bool {
        childReports.contains { if case .requested = $0 { true } else { false } }
    }

    /// Descriptions of the children that the action addressed and that are not in the state.
    package var missingChildren: [String] {
        childReports.compactMap { if case .missing(let child) = $0 { child } else { nil } }
    }
}

extension Next {
    /// No requests: the action only changes the state.
    @inlinable
    public static var none: Next { Next(nil) }

    /// Starts side effects immediately; they run concurrently, with each other and with those that already run.
    ///
    /// ```swift
    /// return .run(.upload(draft), id: draft.id)    // runs beside other effects, until `.cancel(draft.id)`
    /// ```
    ///
    /// - Parameters:
    ///   - sideEffects: The side effects to start.
    ///   - id: The id for ``cancel(_:)``.
    @inlinable
    @inline(__always)
    public static func run(_ sideEffects: SideEffect..., id: (any Hashable & Sendable)? = nil) -> Next {
        let key = EffectKey(id.map { EffectID($0) })
        return sideEffects.count == 1
            ? Next(.run(sideEffects[0], key)) : Next(steps: sideEffects.map { .run($0, key) })
    }

    /// Starts the side effects of an array immediately; as `run(_:id:)` of several arguments.
    ///
    /// In time that is linear in their number, unlike joining single requests by ``and(_:)``.
    ///
    /// ```swift
    /// return .run(state.selection.map { .delete($0) })
    /// ```
    @inlinable
    public static func run(_ sideEffects: [SideEffect], id: (any Hashable & Sendable)? = nil) -> Next {
        let key = EffectKey(id.map { EffectID($0) })
        return Next(steps: sideEffects.map { .run($0, key) })
    }

    /// Starts side effects one after the other, each when the previous one has ended and all its actions were reduced.
    ///
    /// ```swift
    /// return .inOrder(.reset, .load)    // load starts when reset has ended
    /// ```
    ///
    /// - Parameters:
    ///   - sideEffects: The side effects to start, in order.
    ///   - id: With an id, they also wait for the effects of earlier actions that have the same id.
    @inlinable
    public static func inOrder(_ sideEffects: SideEffect..., id: (any Hashable & Sendable)? = nil) -> Next {
        inOrder(sideEffects, id: id)
    }

    /// Starts the side effects of an array one after the other; as `inOrder(_:id:)` of
    /// several arguments.
    ///
    /// ```swift
    /// return .inOrder(state.drafts.map { .upload($0) })    // each starts when the one before has ended
    /// ```
    @inlinable
    public static func inOrder(_ sideEffects: [SideEffect], id: (any Hashable & Sendable)? = nil) -> Next {
        Next(sideEffects.isEmpty ? nil : .inOrder(sideEffects, EffectKey(id.map(EffectID.init))))
    }

    /// Cancels the running and waiting effects with the same id, and starts the side effect: of several answers, the
    /// newest wins.
    ///
    /// Actions that a cancelled effect sent, but that were not reduced yet, are dropped without being reduced.
    ///
    /// ```swift
    /// return .latest(.search(text))    // cancels the search that runs
    /// ```
    ///
    /// - Parameters:
    ///   - sideEffect: The side effect to start.
    ///   - id: By default the kind of the side effect: the case of its enumeration, regardless of the payload.
    @inlinable
    public static func latest(_ sideEffect: SideEffect, id: (any Hashable & Sendable)? = nil) -> Next {
        Next(.latest(sideEffect, EffectKey(id.map(EffectID.init) ?? EffectID(kindOf: sideEffect))))
    }

    /// Like ``latest(_:id:)``, but waits before it starts the side effect: a debounce. Of several requests within that
    /// time, only the last one starts.
    ///
    /// ```swift
    /// return .latest(.search(text), after: .milliseconds(300))
    /// ```
    ///
    /// It waits on the `@Dependency(\.mainScheduler)` that was in effect where the store was created, or `transform` was
    /// called, and calls `perform` there. While it waits it counts as running: it can be cancelled, and
    /// ``ActionEffects/finish()`` waits for it.
    ///
    /// - Parameters:
    ///   - sideEffect: The side effect to start.
    ///   - duration: The time to wait.
    ///   - id: By default the kind of the side effect: the case of its enumeration, regardless of the payload.
    @inlinable
    public static func latest(
        _ sideEffect: SideEffect, after duration: Duration, id: (any Hashable & Sendable)? = nil
    ) -> Next {
        let key = EffectKey(id.map(EffectID.init) ?? EffectID(kindOf: sideEffect))
        return Next(.latest(sideEffect, key, after: duration))
    }

    /// Starts the side effect, unless an effect with the same id runs or waits: then it is ignored.
    ///
    /// An effect runs until its stream ends, even if it has already sent its result.
    ///
    /// ```swift
    /// return .exhausting(.loadPage)    // ignored while a page is loading
    /// ```
    ///
    /// - Parameters:
    ///   - sideEffect: The side effect to start.
    ///   - id: By default the kind of the side effect: the case of its enumeration, regardless of the payload.
    @inlinable
    public static func exhausting(_ sideEffect: SideEffect, id: (any Hashable & Sendable)? = nil) -> Next {
        Next(.exhausting(sideEffect, EffectKey(id.map(EffectID.init) ?? EffectID(kindOf: sideEffect))))
    }

    /// Cancels the running and waiting side effects that have this id. Without one, nothing happens; a `FlowTester` fails
    /// if no effect of its test has had the id, which may be misspelt: names are best the cases of an enumeration.
    ///
    /// ```swift
    /// enum Work { case search, upload }
    ///
    /// return .latest(.search(text), id: Work.search)
    /// …
    /// return .cancel(Work.search)    // ends the search, whatever its text
    /// ```
    @inlinable
    public static func cancel(_ id: any Hashable & Sendable) -> Next {
        Next(.cancel(EffectKey(EffectID(id))))
    }

    /// Cancels the running and waiting side effects of a child, and those of its own children: for a flow that maps the
    /// requests of its children by ``map(_:event:in:)``.
    ///
    /// ```swift
    /// state.rows.remove(id: id)
    /// return .cancel(child: id)
    /// ```
    ///
    /// - Parameter id: The id that `map` received.
    public static func cancel(child id: any Hashable & Sendable) -> Next {
        Next(.cancel(EffectKey(of: id)))
    }

    /// Raises an event, which observers of the flow receive once, on the main actor.
    ///
    /// ```swift
    /// return .event(.toast("Saved"))
    /// ```
    @inlinable
    public static func event(_ event: Event) -> Next {
        Next(.event(event))
    }

    /// These requests, followed by those of `other`.
    ///
    /// ```swift
    /// return .run(.save(draft)).and(.event(.closed))    // starts the effect, then raises the event
    /// ```
    ///
    /// Copies these requests: to request many side effects, pass an array to `run(_:id:)` or `inOrder(_:id:)`.
    public func and(_ other: Next) -> Next {
        var both = self
        both.add(other)
        return both
    }

    /// These requests as those of another flow, which runs the flow that made them as a part of itself.
    ///
    /// With it, a flow composes children in ways that ``Flow/scope(_:action:child:event:)``,
    /// ``Flow/forEach(_:action:row:event:)`` and `ifLet` do not offer: rows that contain rows, one child for each case
    /// of an enumeration, a stack of unlike screens.
    ///
    /// ```swift
    /// case .row(let id, let action):
    ///     let next = state.rows.update(id) { row.reduce(&$0, action) }
    ///     return next?.map({ .row(id, $0) }, event: { .row(id, $0) }, in: id) ?? .none
    /// …
    /// func perform(_ sideEffect: SideEffect) -> Observable<Action> {
    ///     switch sideEffect {
    ///     case .row(let id, let sideEffect): row.perform(sideEffect).map { .row(id, $0) }
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - sideEffect: Maps a side effect of the part to one of the other flow.
    ///   - event: Maps an event of the part to one of the other flow.
    ///   - child: The id of the part among the children of the other flow. The ids of its effects are then its own:
    ///     equal ids in two children, or in a child and its parent, name different effects. When the child leaves the
    ///     state, end its effects by ``cancel(child:)``, and those of the children that the library's combinators run
    ///     inside it. By default the part shares the ids of the other flow; then it is the whole state of that flow, or
    ///     has another type.
    public func map<OtherSideEffect: Sendable, OtherEvent: Sendable>(
        _ sideEffect: (SideEffect) -> OtherSideEffect, event: (Event) -> OtherEvent,
        in child: (any Hashable & Sendable)? = nil
    ) -> Next<OtherSideEffect, OtherEvent> {
        guard let child else { return moved(sideEffect, event) { _ in } }
        return nested(in: PathComponent(EffectID(child)), sideEffect, event)
    }

    /// These requests as those of another flow, for a part without events; see ``map(_:event:in:)``.
    public func map<OtherSideEffect: Sendable, OtherEvent: Sendable>(
        _ sideEffect: (SideEffect) -> OtherSideEffect, in child: (any Hashable & Sendable)? = nil
    ) -> Next<OtherSideEffect, OtherEvent> where Event == Never {
        map(sideEffect, event: { (_: Never) -> OtherEvent in }, in: child)
    }

    @inlinable
    mutating func add(_ other: Next) {
        if other.isNone { return }
        if first == nil {
            first = other.first
        } else if let step = other.first {
            others.append(step)
        }
        others += other.others
        childReports += other.childReports
    }
}

extension Next.Step: Equatable where SideEffect: Equatable, Event: Equatable {}

extension Next: Equatable where SideEffect: Equatable, Event: Equatable {
    /// Whether both make the same requests in the same order.
    public static func == (lhs: Next, rhs: Next) -> Bool { lhs.steps == rhs.steps }
}

extension Next: CustomStringConvertible {
    /// The requests as source code.
    public var description: String {
        first == nil ? ".none" : steps.map(\.description).joined(separator: " and ")
    }
}

extension Next.Step: CustomStringConvertible {
    @usableFromInline
    package var description: String {
        switch self {
        case .run(let sideEffect, let key): ".run(\(sideEffect)\(key.id?.suffix ?? ""))"
        case .inOrder(let sideEffects, let key):
            ".inOrder(\(sideEffects.map { "\($0)" }.joined(separator: ", "))\(key.id?.suffix ?? ""))"
        case .latest(let sideEffect, let key, let duration):
            ".latest(\(sideEffect)\(duration.map { ", after: \($0)" } ?? "")\(key.id?.suffix ?? ""))"
        case .exhausting(let sideEffect, let key): ".exhausting(\(sideEffect)\(key.id?.suffix ?? ""))"
        case .cancel(let key):
            key.id.map { ".cancel(\($0.value))" }
                ?? ".cancel(child: \(key.path.last?.child.map { "\($0.value)" } ?? ""))"
        case .event(let event): ".event(\(event))"
        }
    }
}

extension Next {
    /// The request of the flow inside a combinator, with its paths seen from outside.
    @usableFromInline
    func wrapped<Outer: Sendable, OuterEvent: Sendable>(
        _ sideEffect: (SideEffect) -> Outer, _ event: (Event) -> OuterEvent
    ) -> Next<Outer, OuterEvent> {
        moved(sideEffect, event) { $0.wrap() }
    }

    /// The request of a child, with its paths seen from its parent.
    @usableFromInline
    func nested<Outer: Sendable, OuterEvent: Sendable>(
        in child: PathComponent, _ sideEffect: (SideEffect) -> Outer, _ event: (Event) -> OuterEvent
    ) -> Next<Outer, OuterEvent> {
        var next = moved(sideEffect, event) { $0.nest(in: child) }
        if !next.hasStepsOfChildren { next.childReports.append(.requested) }
        return next
    }

    /// The same requests with other values and paths.
    func moved<Outer: Sendable, OuterEvent: Sendable>(
        _ sideEffect: (SideEffect) -> Outer, _ event: (Event) -> OuterEvent, _ move: (inout [PathComponent]) -> Void
    ) -> Next<Outer, OuterEvent> {
        func moved(_ key: EffectKey) -> EffectKey {
            var key = key
            move(&key.path)
            return key
        }
        func moved(_ step: Step) -> Next<Outer, OuterEvent>.Step {
            switch step {
            case .run(let value, let key): .run(sideEffect(value), moved(key))
            case .inOrder(let values, let key): .inOrder(values.map(sideEffect), moved(key))
            case .latest(let value, let key, let duration): .latest(sideEffect(value), moved(key), after: duration)
            case .exhausting(let value, let key): .exhausting(sideEffect(value), moved(key))
            case .cancel(let key): .cancel(moved(key))
            case .event(let value): .event(event(value))
            }
        }
        var result = Next<Outer, OuterEvent>(first.map(moved))
        result.others = others.map(moved)
        result.childReports = childReports.map { report in
            guard case .removed(var removal) = report else { return report }
            move(&removal.path)
            return .removed(removal)
        }
        return result
    }

    /// Records that the action addressed a child that is not in the state.
    @usableFromInline
    mutating func reportMissingChild(_ child: String) {
        childReports.append(.missing(child))
    }

    /// Cancels the effects of removed children, both running ones and those in this request.
    @usableFromInline
    mutating func cancelEffects(of removal: ChildRemoval) {
        drop { removal.matches($0.path) }
        childReports.append(.removed(removal))
    }

    /// Drops what children requested that the state does not contain: another flow has removed them since.
    @usableFromInline
    mutating func dropSteps<State>(ofChildrenMissingIn state: State) {
        drop { !$0.path[...].isPresent(in: state) }
    }

    /// Drops the steps whose key satisfies a condition.
    private mutating func drop(where isGone: (EffectKey) -> Bool) {
        func isKept(_ step: Step) -> Bool { step.key.map { !isGone($0) } ?? true }
        if first.map(isKept) != false, others.allSatisfy(isKept) { return }
        let kept = steps.filter(isKept)
        (first, others) = (kept.first, Array(kept.dropFirst()))
    }
}

extension Next.Step {
    /// The key of the effects; `nil` for an event.
    package var key: EffectKey? {
        switch self {
        case .run(_, let key), .inOrder(_, let key), .latest(_, let key, _), .exhausting(_, let key), .cancel(let key):
            key
        case .event: nil
        }
    }
}

/// Identifies effects: the path of the flow that requested them in the tree of flows, and the id that it assigned to
/// them.
///
/// Equal ids in two rows are therefore different keys. Each store has its own keys.
@usableFromInline
package struct EffectKey: Hashable, Sendable {
    /// The path from the root of the tree to the flow; empty for the root itself.
    @usableFromInline var path: [PathComponent]
    @usableFromInline let id: EffectID?

    @usableFromInline
    init(_ id: EffectID?) {
        path = []
        self.id = id
    }

    /// The key of the effects of one request without an id.
    @usableFromInline
    func ofRequest(_ number: Int) -> EffectKey {
        var key = EffectKey(EffectID(RequestNumber(number: number)))
        key.path = path
        return key
    }

    /// The key of no effect, whose path is that of a child.
    init(of child: any Hashable & Sendable) {
        path = [PathComponent(EffectID(child))]
        id = nil
    }
}

/// The id of effects, and the place of their flow in the tree of flows, whichever rows are on the way.
package struct EffectLabel: Hashable, Sendable {
    private let levels: [Int]
    private let id: EffectID

    fileprivate init(levels: [Int], id: EffectID) {
        self.levels = levels
        self.id = id
    }
}

extension EffectKey {
    /// The label of the effects; `nil` if they have no id.
    package var label: EffectLabel? { id.map { EffectLabel(levels: path.map(\.level), id: $0) } }
}

/// An id that no flow assigns.
private struct RequestNumber: Hashable {
    let number: Int
}

/// One step of the path through the tree of flows: a child, as its parent sees it.
@usableFromInline
package struct PathComponent: Hashable, Sendable {
    /// The number of the parent's combinators outside that of this child: 0 for the outermost one.
    var level = 0
    /// The id of the child among several.
    @usableFromInline let child: EffectID?
    /// The part of the parent's state that contains the child; `nil` if the combinator is one of the app.
    let part: AnyChildPart?

    @usableFromInline
    init(_ child: EffectID?, of part: AnyChildPart? = nil) {
        self.child = child
        self.part = part
    }

    @usableFromInline
    package static func == (lhs: PathComponent, rhs: PathComponent) -> Bool {
        lhs.level == rhs.level && lhs.child == rhs.child
    }

    @usableFromInline
    package func hash(into hasher: inout Hasher) {
        hasher.combine(level)
        hasher.combine(child)
    }
}

/// The id of an effect or of a child. A class, because requests are copied often, and most have no id.
@usableFromInline
package final class EffectID: Hashable, Sendable {
    @usableFromInline let value: any Hashable & Sendable
    fileprivate let isKind: Bool

    @usableFromInline
    init(_ value: any Hashable & Sendable) {
        self.value = value
        isKind = false
    }

    /// The case of a side effect, regardless of its payload; the type of a side effect that is not an enumeration.
    @usableFromInline
    init<SideEffect>(kindOf sideEffect: SideEffect) {
        let mirror = Mirror(reflecting: sideEffect)
        value =
            mirror.displayStyle == .enum
            ? mirror.children.first?.label ?? String(describing: sideEffect) : String(reflecting: SideEffect.self)
        isKind = true
    }

    @usableFromInline
    package static func == (lhs: EffectID, rhs: EffectID) -> Bool {
        func isEqual<Value: Hashable>(_ value: Value) -> Bool { value == rhs.value as? Value }
        return lhs.isKind == rhs.isKind && isEqual(lhs.value)
    }

    @usableFromInline
    package func hash(into hasher: inout Hasher) {
        value.hash(into: &hasher)
    }

    /// The id as source code; empty for a kind, which is the default.
    var suffix: String { isKind ? "" : ", id: \(value)" }
}

extension [PathComponent] {
    /// Adjusts the path for one more combinator around the flow at the root.
    mutating func wrap() {
        if !isEmpty { self[0].level += 1 }
    }

    /// Adjusts the path for a parent of the flow at the root.
    mutating func nest(in component: PathComponent) {
        insert(component, at: 0)
    }
}

/// A fact about children that a combinator reports to the engine.
@usableFromInline
package enum ChildReport: Sendable {
    /// Children whose effects end if they are no longer in the state.
    case removed(ChildRemoval)
    /// Children requested some of the steps.
    case requested
    /// The action addressed a child that is not in the state; the child's description.
    case missing(String)
}

/// Children that may have been removed from the state.
@usableFromInline
package struct ChildRemoval: Sendable {
    /// The path of the children; the id in the last component is ignored.
    var path = [PathComponent(nil)]
    /// Whether the state still contains the child.
    let isPresent: @Sendable (EffectID?) -> Bool

    @usableFromInline
    init(isPresent: @escaping @Sendable (EffectID?) -> Bool) {
        self.isPresent = isPresent
    }

    /// Whether a path belongs to a removed child, or to a descendant of one.
    func matches(_ other: [PathComponent]) -> Bool {
        guard other.count >= path.count else { return false }
        let last = path.count - 1
        return path[..<last] == other[..<last] && path[last].level == other[last].level
            && !isPresent(other[last].child)
    }
}
