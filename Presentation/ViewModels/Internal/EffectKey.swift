/// Identifies effects: the path of the flow that requested them in the tree of flows, and the id that it assigned to
/// them.
///
/// Equal ids in two rows are therefore different keys. Each store has its own keys.
@usableFromInline
package struct EffectKey: Hashable, Sendable {
    /// The path from the root of the tree to the flow; empty for the root itself.
    var path: [PathComponent]
    @usableFromInline let id: EffectID?

    @usableFromInline
    init(_ id: EffectID?) {
        path = []
        self.id = id
    }

    /// The key of no effect, whose path is that of a child.
    init(of child: any Hashable & Sendable) {
        path = [PathComponent(EffectID(child))]
        id = nil
    }
}

/// One step of the path through the tree of flows: a child, as its parent sees it.
package struct PathComponent: Hashable, Sendable {
    /// The number of the parent's combinators outside that of this child: 0 for the outermost one.
    var level = 0
    /// The id of the child among several.
    @usableFromInline let child: EffectID?

    @usableFromInline
    init(_ child: EffectID?) {
        self.child = child
    }
}

/// The id of an effect or of a child.
@usableFromInline
package struct EffectID: Hashable, Sendable {
    @usableFromInline let value: any Hashable & Sendable
    private let isKind: Bool

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
    /// The action addressed a child that is not in the state; the child's description.
    case missing(String)
}

/// Children that may have been removed from the state.
@usableFromInline
package struct ChildRemoval: Sendable {
    /// The path of the children; the id in the last component is ignored.
    var path: [PathComponent]
    /// Whether the state still contains the child.
    let isPresent: @Sendable (EffectID?) -> Bool

    @usableFromInline
    init(isPresent: @escaping @Sendable (EffectID?) -> Bool) {
        path = [PathComponent(nil)]
        self.isPresent = isPresent
    }

    /// The child with this path, which has been removed.
    init(ofChildAt path: [PathComponent]) {
        self.path = path
        isPresent = { [removed = path.last?.child] child in child != removed }
    }

    /// Whether a path belongs to a removed child, or to a descendant of one.
    func matches(_ other: [PathComponent]) -> Bool {
        guard other.count >= path.count else { return false }
        let last = path.count - 1
        return path[..<last] == other[..<last] && path[last].level == other[last].level
            && !isPresent(other[last].child)
    }
}
