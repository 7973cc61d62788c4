public import Streams
import Synchronization

/// One side effect, from the action that requested it to its end.
///
/// `@unchecked Sendable`: only the owner of the engine's queue accesses `isCancelled`; the other variables are accessed
/// under the lock of the table, and after the run is removed from it, by the thread that removed it.
@usableFromInline
package final class EffectRun: @unchecked Sendable {
    /// The number of the effect in its store, from 1.
    @usableFromInline let number: Int
    /// The number of the action that requested it.
    @usableFromInline let action: Int
    @usableFromInline let key: EffectKey
    /// The side effect, if it is needed later: because the run is enqueued, or because the flow is traced.
    @usableFromInline let sideEffect: (any Sendable)?
    /// The group that contains the run; a task may wait for the group's end.
    @usableFromInline let group: EffectGroup?
    private let hasLeftGroup = Atomic(false)
    /// Whether its actions are dropped.
    @exclusivity(unchecked) @usableFromInline var isCancelled = false
    /// The queue that the run belongs to, if any.
    @exclusivity(unchecked) fileprivate var queue: EffectQueue?
    /// The index among the running effects; `nil` if it does not run.
    @exclusivity(unchecked) fileprivate var runningIndex: Int?
    @exclusivity(unchecked) fileprivate var subscription: (any Disposable)?

    @usableFromInline
    init(number: Int, action: Int, key: EffectKey, sideEffect: (any Sendable)?, group: EffectGroup?) {
        self.number = number
        self.action = action
        self.key = key
        self.sideEffect = sideEffect
        self.group = group
        group?.enter()
    }

    /// Disposes its stream. For the thread that removed it from the table.
    @usableFromInline
    func dispose() {
        subscription.take()?.dispose()
        leaveGroup()
    }

    /// Leaves the group, however the run ended; idempotent.
    @usableFromInline
    func leaveGroup() {
        if let group, !hasLeftGroup.exchange(true, ordering: .relaxed) { group.leave() }
    }
}

/// The effects with one id, or of one `inOrder`.
///
/// `@unchecked Sendable`: accessed only under the lock of its table.
@usableFromInline
final class EffectQueue: @unchecked Sendable {
    fileprivate var running: [Int: EffectRun] = [:]
    fileprivate var waiting: ArraySlice<EffectRun> = []

    @usableFromInline
    init() {}
}

/// The running and enqueued effects of a store.
@usableFromInline
final class EffectTable: Sendable {
    /// The decision about a requested effect.
    @usableFromInline
    enum StartDecision {
        case start, wait, ignore
    }

    /// How an effect runs beside those with the same id.
    @usableFromInline
    enum Policy {
        case merge, inOrder, exhausting
    }

    private struct State {
        /// Unordered.
        var running: [EffectRun] = []
        /// The queues of the ids that have effects.
        var queues: [EffectKey: EffectQueue] = [:]
        /// The effects and bound streams that are being started, and a dismissal that disposes them.
        var starts = StartsInProgress()
        var isOver = false

        mutating func start(_ run: EffectRun) {
            run.runningIndex = running.count
            running.append(run)
            run.queue?.running[run.number] = run
        }

        /// Whether the run was running.
        mutating func stop(_ run: EffectRun) -> Bool {
            guard let index = run.runningIndex else { return false }
            run.runningIndex = nil
            let last = running.removeLast()
            if last !== run {
                running[index] = last
                last.runningIndex = index
            }
            return true
        }

        /// Removes and returns all runs of a queue.
        mutating func removeAll(from queue: EffectQueue, _ key: EffectKey) -> [EffectRun] {
            defer { (queue.running, queue.waiting) = ([:], []) }
            if key.id != nil { queues[key] = nil }
            for run in queue.running.values { _ = stop(run) }
            return Array(queue.running.values) + queue.waiting
        }
    }

    private let state = TracedMutex(State())

    @usableFromInline
    init() {}

    /// Adds an effect. If the decision is to start it, its start has begun; ``keep(_:for:)`` ends the start.
    ///
    /// - Parameter queue: The queue that the run belongs to, if not that of its id.
    @usableFromInline
    func add(_ run: EffectRun, _ policy: Policy, queue: EffectQueue? = nil) -> StartDecision {
        state.withLock { state in
            if state.isOver { return .ignore }
            let queue = queue ?? (run.key.id == nil ? nil : state.queues[run.key] ?? EffectQueue())
            if let queue, !queue.running.isEmpty {
                if policy == .exhausting { return .ignore }
                if policy == .inOrder {
                    run.queue = queue
                    queue.waiting.append(run)
                    return .wait
                }
            }
            run.queue = queue
            if run.key.id != nil { state.queues[run.key] = queue }
            state.start(run)
            state.starts.begin(run)
            return .start
        }
    }

    /// Begins the start of an effect that is recorded as running. ``keep(_:for:)`` or ``endStart(of:)`` ends it.
    ///
    /// - Returns: Whether it may start: it was not removed.
    @usableFromInline
    func beginStart(of run: EffectRun) -> Bool {
        state.withLock { state in
            if run.runningIndex != nil { state.starts.begin(run) }
            return run.runningIndex != nil
        }
    }

    /// Begins the subscription to a bound stream; ``endStart(of:)`` ends it.
    ///
    /// - Returns: Whether it may be subscribed to: the flow was not dismissed.
    @usableFromInline
    func beginStart(of input: SingleAssignmentDisposable) -> Bool {
        state.withLock { state in
            if !state.isOver { state.starts.begin(input) }
            return !state.isOver
        }
    }

    /// Begins a dismissal, which other threads that dismiss the flow wait for; ``endStart(of:)`` with this table ends
    /// it.
    @usableFromInline
    func beginDismissal() {
        state.withLock { $0.starts.begin(self) }
    }

    /// Ends a start.
    @usableFromInline
    func endStart(of object: any AnyObject & Sendable) {
        if state.withLock({ $0.starts.end(object) }) { StartWaits.end(of: object) }
    }

    /// Stores the subscription of a started effect, or disposes it if the effect was removed meanwhile; then its start
    /// has ended.
    @usableFromInline
    func keep(_ subscription: any Disposable, for run: EffectRun) {
        let (isKept, isAwaited) = state.withLock { state in
            if run.runningIndex == nil { return (false, false) }
            run.subscription = subscription
            return (true, state.starts.end(run))
        }
        if isAwaited { StartWaits.end(of: run) }
        if isKept { return }
        subscription.dispose()
        endStart(of: run)
    }

    /// Waits until the starts on other threads have ended: all, or those of the effects of a group.
    @usableFromInline
    func waitForStarts(of group: EffectGroup? = nil) {
        state.withLock { state in
            state.starts.wait { group == nil || ($0 as? EffectRun)?.group === group }
        }?.wait()
    }

    /// Removes an effect that has ended.
    ///
    /// - Returns: The next effect of the queue, which is recorded as running, for the caller to start.
    @usableFromInline
    func remove(_ run: EffectRun) -> EffectRun? {
        state.withLock { state in
            guard state.stop(run), let queue = run.queue else { return nil }
            queue.running[run.number] = nil
            guard queue.running.isEmpty else { return nil }
            guard let next = queue.waiting.popFirst() else {
                if run.key.id != nil { state.queues[run.key] = nil }
                return nil
            }
            state.start(next)
            return next
        }
    }

    /// Removes the effects that have this id.
    @usableFromInline
    func remove(_ key: EffectKey) -> [EffectRun] {
        state.withLock { state in
            state.queues[key].map { state.removeAll(from: $0, key) } ?? []
        }.inOrder
    }

    /// Removes the effects of a group.
    ///
    /// - Returns: Those effects, and the next effects of their queues, which are recorded as running, for the caller to
    ///   start.
    @usableFromInline
    func remove(_ group: EffectGroup) -> (removed: [EffectRun], next: [EffectRun]) {
        let (removed, next) = state.withLock { state -> ([EffectRun], [EffectRun]) in
            var next: [EffectRun] = []
            let running = state.running.filter { $0.group === group }
            var waiting: [EffectRun] = []
            for run in state.running {
                guard let queue = run.queue, !queue.waiting.isEmpty else { continue }
                waiting += queue.waiting.filter { $0.group === group }
                queue.waiting.removeAll { $0.group === group }
            }
            for run in running {
                guard state.stop(run), let queue = run.queue else { continue }
                queue.running[run.number] = nil
                guard queue.running.isEmpty else { continue }
                if let first = queue.waiting.popFirst() {
                    state.start(first)
                    next.append(first)
                } else if run.key.id != nil {
                    state.queues[run.key] = nil
                }
            }
            return (running + waiting, next)
        }
        return (removed.inOrder, next)
    }

    /// Removes the effects of the child with the path of a key.
    @usableFromInline
    func removeChild(at key: EffectKey) -> [EffectRun] { remove(ChildRemoval(ofChildAt: key.path)) }

    /// Removes the effects of removed children.
    @usableFromInline
    func remove(_ removal: ChildRemoval) -> [EffectRun] {
        // Evaluated outside the lock, because `isPresent` calls user code.
        let running = state.withLock { $0.running }
        let gone = running.filter { removal.matches($0.key.path) }
        return state.withLock { state in
            gone.flatMap { run in
                if let queue = run.queue { return state.removeAll(from: queue, run.key) }
                return state.stop(run) ? [run] : []
            }
        }.inOrder
    }

    /// Removes all effects, for the caller to dispose; afterwards none starts.
    @usableFromInline
    func finish() -> [EffectRun] {
        state.withLock { state in
            state.isOver = true
            return state.running.flatMap { run in
                if let queue = run.queue { return state.removeAll(from: queue, run.key) }
                return state.stop(run) ? [run] : []
            }
        }.inOrder
    }
}

extension [EffectRun] {
    /// The runs in the order in which they were requested.
    fileprivate var inOrder: [EffectRun] { count < 2 ? self : sorted { $0.number < $1.number } }
}

/// The work of one action: its reduction, the side effects that it requested, and those that their actions requested in
/// turn.
@usableFromInline
package final class EffectGroup: Sendable {
    private let work = Atomic(1)
    private let hasClosed = Atomic(false)
    private let waiting = TracedMutex<[CheckedContinuation<Void, Never>]>([])

    /// A group with one piece of work: the action itself.
    @usableFromInline
    init() {}

    /// Whether there is no work left.
    @usableFromInline
    package var isFinished: Bool { work.load(ordering: .acquiring) == 0 }

    /// Whether the group starts no more side effects.
    @usableFromInline
    var isCancelled: Bool { hasClosed.load(ordering: .acquiring) }

    /// Adds a piece of work.
    @usableFromInline
    func enter() {
        work.add(1, ordering: .relaxed)
    }

    /// Removes a piece of work; the last one resumes the waiting tasks.
    @usableFromInline
    func leave() {
        if work.subtract(1, ordering: .acquiringAndReleasing).newValue > 0 { return }
        // A task that begins to wait after this finds no work left, under the same lock.
        let waiting = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Prevents the group from starting side effects.
    @usableFromInline
    func close() {
        hasClosed.store(true, ordering: .releasing)
    }

    /// Waits until there is no work left.
    package func wait() async {
        await withCheckedContinuation { continuation in
            let isOver = waiting.withLock { waiting in
                if isFinished { return true }
                waiting.append(continuation)
                return false
            }
            if isOver { continuation.resume() }
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
