/// What effects are told apart by: where in the tree of flows they were asked for, and the id they were given there.
///
/// So the ids of one store never meet those of another, nor the ids of two rows each other.
@usableFromInline
package struct EffectKey: Hashable, Sendable {
    /// From the root of the tree to the flow; empty for the root itself.
    @usableFromInline var path: [Place]
    @usableFromInline let id: EffectID?

    @usableFromInline
    init(_ id: EffectID?) {
        path = []
        self.id = id
    }
}

/// A child in the tree of flows, as its parent sees it.
@usableFromInline
package struct Place: Hashable, Sendable {
    /// Counts the combinators that the parent is wrapped in, from the outside.
    @usableFromInline var level = 0
    /// Which of several children it is.
    @usableFromInline let child: EffectID?

    @usableFromInline
    init(_ child: EffectID?) {
        self.child = child
    }
}

/// The name of an effect, or of a child.
@usableFromInline
package struct EffectID: Hashable, Sendable {
    @usableFromInline let value: any Hashable & Sendable
    private let isKind: Bool

    @usableFromInline
    init(_ value: any Hashable & Sendable) {
        self.value = value
        isKind = false
    }

    /// The case of a side effect, whatever its payload; of one that is no enumeration, its type.
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

    /// How it is written in source code; empty for a kind, which is the default.
    var note: String { isKind ? "" : ", id: \(value)" }
}

extension [Place] {
    /// The same place, seen from outside a combinator around the flow at the root.
    @usableFromInline
    mutating func wrap() {
        if !isEmpty { self[0].level += 1 }
    }

    /// The same place, seen from the parent of the flow at the root.
    @usableFromInline
    mutating func nest(in place: Place) {
        insert(place, at: 0)
    }
}

/// What a combinator has found about its children.
@usableFromInline
package enum ChildNote: Sendable {
    /// Children whose effects end if they have left the state.
    case left(Departure)
    /// An action was for a child that is not there; which one, in words.
    case missed(String)
}

/// Children that may have left the state.
@usableFromInline
package struct Departure: Sendable {
    /// The children's place; which of the children it is, is left open.
    @usableFromInline var path: [Place]
    /// Whether the child is still there.
    @usableFromInline let isPresent: @Sendable (EffectID?) -> Bool

    @usableFromInline
    init(isPresent: @escaping @Sendable (EffectID?) -> Bool) {
        path = [Place(nil)]
        self.isPresent = isPresent
    }

    /// Whether what has that place is gone: it belongs to such a child, or to a child of it, that is not there any more.
    @usableFromInline
    func concerns(_ other: [Place]) -> Bool {
        guard other.count >= path.count else { return false }
        let last = path.count - 1
        return path[..<last] == other[..<last] && path[last].level == other[last].level
            && !isPresent(other[last].child)
    }
}
