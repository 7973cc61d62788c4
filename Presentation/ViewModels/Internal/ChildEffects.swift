/// The effects that children of a flow run, as a tree: those of each child, and below it those of its own children.
///
/// The engine looks for children that are no longer in the state after each reduction, whichever flow has removed them:
/// at the direct children of each flow in the tree, and, of the rows of a list, only at those that were removed or
/// changed since. So the cost does not grow with the number of rows that run effects.
///
/// Only the thread inside the gate of the engine uses it.
@usableFromInline
package final class ChildEffects {
    /// The children of one kind.
    fileprivate final class Group {
        let level: Int
        /// `nil` if the combinator is one of the app, which ends the effects of a removed child itself.
        let part: AnyChildPart?
        private let kind: ObjectIdentifier?
        var children: [EffectID?: ChildEffects] = [:]
        /// Whether children of the children have run effects.
        var isNested = false
        /// Whether the state of the parent can be reached, from which removed children are found.
        var isReached = false
        /// Which changes of a list were examined, as a mark of its log.
        var mark: RowMark?
        /// The children below which lists are to record their changes.
        var unrecorded: [EffectID?] = []

        init(_ component: PathComponent) {
            level = component.level
            part = component.part
            kind = part.map { ObjectIdentifier(type(of: $0)) }
        }

        func contains(_ component: PathComponent) -> Bool {
            level == component.level && kind == component.part.map { ObjectIdentifier(type(of: $0)) }
        }

        /// Removes a child, and adds it and those below it to `found`.
        func remove(_ id: EffectID?, _ found: inout [EffectRun]) {
            children.removeValue(forKey: id)?.collect(&found)
        }

        /// Finds the removed children of a child that is present. Removes it if nothing is left below it.
        func findRemoved<Child>(of id: EffectID?, in state: Child, _ found: inout [EffectRun]) {
            guard let child = children[id], !child.groups.isEmpty else { return }
            if child.findRemoved(in: state, &found) { unrecorded.append(id) }
            if child.isEmpty { children[id] = nil }
        }
    }

    private var runs: [Int: EffectRun] = [:]
    private var groups: [Group] = []

    @usableFromInline init() {}

    @usableFromInline var isEmpty: Bool { runs.isEmpty && groups.isEmpty }

    /// Adds a run of the child at that path.
    @usableFromInline
    func add(_ run: EffectRun) { add(run, at: run.key.path[...]) }

    private func add(_ run: EffectRun, at path: ArraySlice<PathComponent>) {
        guard let component = path.first else {
            runs[run.number] = run
            return
        }
        let group = groups.first { $0.contains(component) } ?? Group(component)
        if group.children.isEmpty { groups.append(group) }
        if path.count > 1 { group.isNested = true }
        let child = group.children[component.child] ?? ChildEffects()
        group.children[component.child] = child
        child.add(run, at: path.dropFirst())
    }

    /// Removes a run that has ended.
    @usableFromInline
    func remove(_ run: EffectRun) { remove(run, at: run.key.path[...]) }

    private func remove(_ run: EffectRun, at path: ArraySlice<PathComponent>) {
        guard let component = path.first else {
            runs[run.number] = nil
            return
        }
        guard let group = groups.first(where: { $0.contains(component) }), let child = group.children[component.child]
        else { return }
        child.remove(run, at: path.dropFirst())
        if child.isEmpty { group.children[component.child] = nil }
        if group.children.isEmpty { groups.removeAll { $0 === group } }
    }

    /// Removes the runs of the child at the path of a key and of those below it, in the order of the requests.
    @usableFromInline
    func removeChild(_ key: EffectKey) -> [EffectRun] {
        var found: [EffectRun] = []
        visit(key.path[...]) { group, component in group.remove(component.child, &found) }
        return found.inOrder
    }

    /// Removes the runs of removed children and of those below them, in the order of the requests; not those of children
    /// that ``removeRuns(ofChildrenMissingIn:)`` finds, because the state after the reduction decides on them.
    @usableFromInline
    func remove(_ removal: ChildRemoval) -> [EffectRun] {
        var found: [EffectRun] = []
        visit(removal.path[...]) { group, _ in
            if group.isReached { return }
            for id in group.children.keys where !removal.isPresent(id) { group.remove(id, &found) }
        }
        return found.inOrder
    }

    /// Calls `body` with the groups at a path, and then removes what is empty.
    private func visit(_ path: ArraySlice<PathComponent>, _ body: (Group, PathComponent) -> Void) {
        guard let component = path.first else { return }
        for group in groups where group.level == component.level {
            if path.count == 1 {
                body(group, component)
            } else if let child = group.children[component.child] {
                child.visit(path.dropFirst(), body)
                if child.isEmpty { group.children[component.child] = nil }
            }
        }
        groups.removeAll { $0.children.isEmpty }
    }

    /// Removes the runs of the children that a state does not contain, in the order of the requests.
    ///
    /// Changes nothing in the state but which lists record their changes.
    @usableFromInline
    func removeRuns<State>(ofChildrenMissingIn state: inout State) -> [EffectRun] {
        var found: [EffectRun] = []
        if findRemoved(in: state, &found) { recordChanges(in: &state) }
        return found.inOrder
    }

    /// Whether a list below is to record its changes.
    private func findRemoved<State>(in state: State, _ found: inout [EffectRun]) -> Bool {
        var isUnrecorded = false
        for group in groups {
            guard let part = group.part as? ChildPart<State> else { continue }
            group.isReached = true
            if part.findRemoved(group, in: state, &found) || !group.unrecorded.isEmpty { isUnrecorded = true }
        }
        groups.removeAll { $0.children.isEmpty }
        return isUnrecorded
    }

    fileprivate func recordChanges<State>(in state: inout State) {
        for group in groups { (group.part as? ChildPart<State>)?.recordChanges(group, in: &state) }
    }

    private func collect(_ found: inout [EffectRun]) {
        found += runs.values
        for group in groups {
            for child in group.children.values { child.collect(&found) }
        }
    }
}

extension [EffectRun] {
    fileprivate var inOrder: Self { count < 2 ? self : sorted { $0.number < $1.number } }
}

/// The part of a state that contains the children of one kind, without its type.
///
/// `@unchecked Sendable`: the subclasses have constants of `Sendable` types only.
@usableFromInline
package class AnyChildPart: @unchecked Sendable {}

/// The part of a state that contains the children of one kind.
@usableFromInline
package class ChildPart<Whole>: AnyChildPart, @unchecked Sendable {
    /// Whether the state contains the child at a path, whose first component is a child in this part.
    fileprivate func contains(_ path: ArraySlice<PathComponent>, in whole: Whole) -> Bool { true }

    /// Removes the children that are no longer in the state, and adds their runs to `found`.
    ///
    /// - Returns: Whether this part is a list that is to record its changes.
    fileprivate func findRemoved(
        _ group: ChildEffects.Group, in whole: Whole, _ found: inout [EffectRun]
    ) -> Bool { false }

    /// Lets the lists in this part, and in the children, record their changes.
    fileprivate func recordChanges(_ group: ChildEffects.Group, in whole: inout Whole) {}
}

extension ArraySlice<PathComponent> {
    /// Whether a state contains the child at this path; `true` if a combinator of the app hides it.
    func isPresent<State>(in state: State) -> Bool {
        (first?.part as? ChildPart<State>)?.contains(self, in: state) ?? true
    }
}

/// A part that is a child.
@usableFromInline
final class FixedPart<Whole, Child>: ChildPart<Whole>, @unchecked Sendable {
    private let part: any WritableKeyPath<Whole, Child> & Sendable

    @usableFromInline
    init(_ part: any WritableKeyPath<Whole, Child> & Sendable) {
        self.part = part
    }

    fileprivate override func contains(_ path: ArraySlice<PathComponent>, in whole: Whole) -> Bool {
        path.dropFirst().isPresent(in: whole[keyPath: part])
    }

    fileprivate override func findRemoved(
        _ group: ChildEffects.Group, in whole: Whole, _ found: inout [EffectRun]
    ) -> Bool {
        if group.isNested { group.findRemoved(of: nil, in: whole[keyPath: part], &found) }
        return false
    }

    fileprivate override func recordChanges(_ group: ChildEffects.Group, in whole: inout Whole) {
        for id in group.unrecorded { group.children[id]?.recordChanges(in: &whole[keyPath: part]) }
        group.unrecorded = []
    }
}

/// A part that is a child while it is not `nil`.
@usableFromInline
final class OptionalPart<Whole, Child>: ChildPart<Whole>, @unchecked Sendable {
    private let part: any WritableKeyPath<Whole, Child?> & Sendable
    private let identity: @Sendable (Child) -> EffectID?

    @usableFromInline
    init(_ part: any WritableKeyPath<Whole, Child?> & Sendable, _ identity: @escaping @Sendable (Child) -> EffectID?) {
        self.part = part
        self.identity = identity
    }

    fileprivate override func contains(_ path: ArraySlice<PathComponent>, in whole: Whole) -> Bool {
        guard let child = whole[keyPath: part], identity(child) == path.first?.child else { return false }
        return path.dropFirst().isPresent(in: child)
    }

    fileprivate override func findRemoved(
        _ group: ChildEffects.Group, in whole: Whole, _ found: inout [EffectRun]
    ) -> Bool {
        let child = whole[keyPath: part]
        let present = child.map(identity)
        for id in group.children.keys where id != present { group.remove(id, &found) }
        if group.isNested, let child, let present { group.findRemoved(of: present, in: child, &found) }
        return false
    }

    fileprivate override func recordChanges(_ group: ChildEffects.Group, in whole: inout Whole) {
        for id in group.unrecorded { group.children[id]?.recordChanges(in: &whole[keyPath: part]!) }
        group.unrecorded = []
    }
}

/// A list of children.
@usableFromInline
final class RowsPart<Whole, Row: Identifiable & Sendable>: ChildPart<Whole>, @unchecked Sendable
where Row.ID: Sendable {
    private let part: any WritableKeyPath<Whole, IdentifiedRows<Row>> & Sendable

    @usableFromInline
    init(_ part: any WritableKeyPath<Whole, IdentifiedRows<Row>> & Sendable) {
        self.part = part
    }

    fileprivate override func contains(_ path: ArraySlice<PathComponent>, in whole: Whole) -> Bool {
        guard let id = path.first?.child?.value as? Row.ID else { return false }
        let rows = whole[keyPath: part]
        if path.count == 1 { return rows.contains(id: id) }
        guard let row = rows[id: id] else { return false }
        return path.dropFirst().isPresent(in: row)
    }

    fileprivate override func findRemoved(
        _ group: ChildEffects.Group, in whole: Whole, _ found: inout [EffectRun]
    ) -> Bool {
        let rows = whole[keyPath: part]
        func examine(_ row: Row.ID?, _ id: EffectID?) {
            guard let row, rows.contains(id: row) else { return group.remove(id, &found) }
            if group.isNested, let state = rows[id: row] { group.findRemoved(of: id, in: state, &found) }
        }
        let log = rows.log.flatMap { $0.recordsAll || !group.isNested ? $0 : nil }
        if let mark = group.mark, let changed = log?.rows(since: mark) {
            for row in changed { examine(row, EffectID(row)) }
        } else {
            for id in group.children.keys { examine(id?.value as? Row.ID, id) }
        }
        group.mark = log?.mark
        return log == nil
    }

    fileprivate override func recordChanges(_ group: ChildEffects.Group, in whole: inout Whole) {
        whole[keyPath: part].record(allChanges: group.isNested)
        for id in group.unrecorded {
            guard let row = id?.value as? Row.ID else { continue }
            whole[keyPath: part].update(row) { group.children[id]?.recordChanges(in: &$0) }
        }
        group.unrecorded = []
        group.mark = whole[keyPath: part].log?.mark
    }
}
