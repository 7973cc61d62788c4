import Dispatch
public import Streams
import Synchronization

/// One side effect, from the action that requested it to its end.
///
/// `@unchecked Sendable`: only the thread inside the engine's gate accesses `isCancelled`; the other variables are
/// accessed under the lock of the table, and after the run is removed from it, by the thread that removed it.
@usableFromInline
package final class EffectRun: @unchecked Sendable {
    /// The number of the effect in its store, from 1.
    @usableFromInline let number: Int
    /// The number of the action that requested it.
    @usableFromInline let action: Int
    @usableFromInline let queue: EffectQueue
    /// The side effect, if it is needed later: because the run may wait, or because the flow is traced.
    @usableFromInline let sideEffect: (any Sendable)?
    @usableFromInline let group: EffectGroup?
    private let hasLeftGroup = Atomic(false)
    /// Whether its actions are dropped.
    @exclusivity(unchecked) @usableFromInline var isCancelled = false
    @exclusivity(unchecked) fileprivate var isRunning = false
    @exclusivity(unchecked) fileprivate var subscription: (any Disposable)?

    @usableFromInline
    init(number: Int, action: Int, queue: EffectQueue, sideEffect: (any Sendable)?, group: EffectGroup?) {
        self.number = number
        self.action = action
        self.queue = queue
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

/// The name of a queue of effects: those with one id, or those that one request without an id has made.
@usableFromInline
struct EffectQueue: Hashable, Sendable {
    @usableFromInline let key: EffectKey
    /// The number of the first effect, for a request without an id; otherwise 0.
    let first: Int

    @usableFromInline
    init(_ key: EffectKey, first: Int = 0) {
        self.key = key
        self.first = key.id == nil ? first : 0
    }
}

/// The running and waiting effects of a store.
@usableFromInline
final class EffectTable: Sendable {
    @usableFromInline
    enum StartDecision {
        case start, wait, ignore
    }

    /// How an effect runs beside those of its queue.
    @usableFromInline
    enum Policy {
        case merge, inOrder, exhausting
    }

    private struct State {
        /// The effects of each queue, in the order of the requests.
        var queues: [EffectQueue: [EffectRun]] = [:]
        /// The effects and bound streams that are being started, and a dismissal that disposes them.
        var starts = StartsInProgress()
        var isOver = false

        /// Removes an effect; returns whether it was there, and the next of its queue, which is then running.
        mutating func remove(_ run: EffectRun) -> (isRemoved: Bool, next: EffectRun?) {
            guard var runs = queues.removeValue(forKey: run.queue) else { return (false, nil) }
            defer { if !runs.isEmpty { queues[run.queue] = runs } }
            guard let index = runs.firstIndex(where: { $0 === run }) else { return (false, nil) }
            runs.remove(at: index)
            run.isRunning = false
            guard let first = runs.first, !runs.contains(where: { $0.isRunning }) else { return (true, nil) }
            first.isRunning = true
            return (true, first)
        }
    }

    private let state = TracedMutex(State())

    @usableFromInline
    init() {}

    /// Adds an effect. If the decision is to start it, its start has begun; ``keep(_:for:)`` ends the start.
    @usableFromInline
    func add(_ run: EffectRun, _ policy: Policy) -> StartDecision {
        state.withLock { state in
            if state.isOver || run.group?.isCancelled == true { return .ignore }
            let isAlone = policy == .merge || state.queues[run.queue] == nil
            if policy == .exhausting, !isAlone { return .ignore }
            state.queues[run.queue, default: []].append(run)
            if !isAlone { return .wait }
            run.isRunning = true
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
            if run.isRunning { state.starts.begin(run) }
            return run.isRunning
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

    @usableFromInline
    func endStart(of object: any AnyObject & Sendable) {
        if state.withLock({ $0.starts.end(object) }) { StartWaits.end(of: object) }
    }

    /// Stores the subscription of a started effect, or disposes it if the effect was removed meanwhile; then its start
    /// has ended.
    @usableFromInline
    func keep(_ subscription: any Disposable, for run: EffectRun) {
        let (isKept, isAwaited) = state.withLock { state in
            if !run.isRunning { return (false, false) }
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
    /// - Returns: The next effect of its queue, which is recorded as running, for the caller to start.
    @usableFromInline
    func remove(_ run: EffectRun) -> EffectRun? {
        state.withLock { $0.remove(run).next }
    }

    /// Removes the effects that have this id, running and waiting.
    @usableFromInline
    func remove(_ key: EffectKey) -> [EffectRun] {
        state.withLock { state in
            let runs = state.queues.removeValue(forKey: EffectQueue(key)) ?? []
            for run in runs { run.isRunning = false }
            return runs
        }
    }

    /// Removes the effects of a group.
    ///
    /// - Returns: Those effects, and the next effects of their queues, which are recorded as running, for the caller to
    ///   start.
    @usableFromInline
    func remove(_ group: EffectGroup) -> (removed: [EffectRun], next: [EffectRun]) {
        remove { $0.group === group }
    }

    /// Removes the effects of the child with the path of a key.
    @usableFromInline
    func removeChild(at key: EffectKey) -> [EffectRun] { remove(ChildRemoval(ofChildAt: key.path)) }

    /// Removes the effects of removed children.
    @usableFromInline
    func remove(_ removal: ChildRemoval) -> [EffectRun] {
        remove { removal.matches($0.queue.key.path) }.removed
    }

    /// Removes all effects, for the caller to dispose; afterwards none starts.
    @usableFromInline
    func finish() -> [EffectRun] {
        state.withLock { $0.isOver = true }
        return remove { _ in true }.removed
    }

    /// Removes the effects that satisfy a condition, in the order of the requests. The condition is called outside the
    /// lock, because it may call user code.
    private func remove(where isGone: (EffectRun) -> Bool) -> (removed: [EffectRun], next: [EffectRun]) {
        let gone = state.withLock { $0.queues.values.flatMap { $0 } }.filter(isGone).sorted { $0.number < $1.number }
        if gone.isEmpty { return ([], []) }
        return state.withLock { state in
            var (removed, next): ([EffectRun], [EffectRun]) = ([], [])
            for run in gone {
                let (isRemoved, following) = state.remove(run)
                if isRemoved { removed.append(run) }
                if let following { next.append(following) }
            }
            // One that was to follow may have been removed after that.
            return (removed, next.filter(\.isRunning))
        }
    }
}

/// The work of one action: its reduction, the side effects that it requested, and those that their actions requested in
/// turn.
@usableFromInline
package final class EffectGroup: Sendable {
    private struct Waiting {
        var tasks: [CheckedContinuation<Void, Never>] = []
        /// What ends the work of a mutation flow when the group is cancelled.
        var cancellations: [@Sendable () -> Void] = []
    }

    private let work = Atomic(1)
    private let hasBeenCancelled = Atomic(false)
    private let waiting = TracedMutex(Waiting())

    /// A group with one piece of work: the action itself.
    @usableFromInline
    init() {}

    /// Whether there is no work left.
    @usableFromInline
    package var isFinished: Bool { work.load(ordering: .acquiring) == 0 }

    /// Whether the group starts no more side effects.
    @usableFromInline
    var isCancelled: Bool { hasBeenCancelled.load(ordering: .acquiring) }

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
        let last = waiting.withLock { waiting in
            defer { waiting = Waiting() }
            return waiting
        }
        for task in last.tasks { task.resume() }
    }

    /// Prevents the group from starting side effects, and ends the work of a mutation flow.
    @usableFromInline
    func cancel() {
        hasBeenCancelled.store(true, ordering: .releasing)
        let cancellations = waiting.withLock { waiting in
            defer { waiting.cancellations = [] }
            return waiting.cancellations
        }
        for cancel in cancellations { cancel() }
    }

    /// Calls `body` when the group is cancelled, or now if it was.
    func onCancel(_ body: @escaping @Sendable () -> Void) {
        let isLate = waiting.withLock { waiting in
            if !isCancelled { waiting.cancellations.append(body) }
            return isCancelled
        }
        if isLate { body() }
    }

    /// Waits until there is no work left.
    package func wait() async {
        await withCheckedContinuation { continuation in
            let isOver = waiting.withLock { waiting in
                if isFinished { return true }
                waiting.tasks.append(continuation)
                return false
            }
            if isOver { continuation.resume() }
        }
    }
}

/// The starts of effects and subscriptions that are in progress, so that a dismissal or a cancellation on another thread
/// can wait for them. Accessed under the lock of its owner.
struct StartsInProgress {
    private var starts: [(object: any AnyObject & Sendable, thread: UInt)] = []
    /// Whether a thread waits for one of them, or has waited.
    private var areAwaited = false

    /// Begins the start of an object on this thread.
    mutating func begin(_ object: any AnyObject & Sendable) {
        starts.append((object, Thread.current))
    }

    /// Ends the start of an object on this thread.
    ///
    /// - Returns: Whether threads may wait for it: then call ``StartWaits/end(of:)`` outside the lock.
    mutating func end(_ object: any AnyObject & Sendable) -> Bool {
        let me = Thread.current
        guard let index = starts.lastIndex(where: { $0.object === object && $0.thread == me }) else { return false }
        starts.remove(at: index)
        return areAwaited
    }

    /// The wait of this thread for the starts on other threads whose objects satisfy a condition; `nil` if there are
    /// none.
    mutating func wait(where isAwaited: (AnyObject) -> Bool) -> DispatchSemaphore? {
        let me = Thread.current
        let awaited = starts.filter { $0.thread != me && isAwaited($0.object) }
        if awaited.isEmpty { return nil }
        areAwaited = true
        return StartWaits.begin(for: awaited.map { (ObjectIdentifier($0.object), $0.thread) }, on: me)
    }
}

/// The waits of all threads for starts in progress.
///
/// A thread never waits for one that waits for it: two effects that dismiss each other's flows while they start end
/// both flows, and neither hangs.
enum StartWaits {
    private struct Wait {
        let thread: UInt
        var starts: [(id: ObjectIdentifier, thread: UInt)]
        let semaphore: DispatchSemaphore
    }

    private static let waits = TracedMutex<[Wait]>([])

    /// Registers a wait; `nil` if each of the threads waits for this one.
    static func begin(for starts: [(id: ObjectIdentifier, thread: UInt)], on thread: UInt) -> DispatchSemaphore? {
        waits.withLock { waits in
            var (waiting, added) = ([thread] as Set, true)
            while added {
                let more = waits.filter { wait in wait.starts.contains { waiting.contains($0.thread) } }.map(\.thread)
                added = !waiting.isSuperset(of: more)
                waiting.formUnion(more)
            }
            let starts = starts.filter { !waiting.contains($0.thread) }
            if starts.isEmpty { return nil }
            let semaphore = DispatchSemaphore(value: 0)
            waits.append(Wait(thread: thread, starts: starts, semaphore: semaphore))
            return semaphore
        }
    }

    /// Resumes the threads that wait for the start of an object on this thread, and for no other.
    static func end(of object: AnyObject) {
        let start = (ObjectIdentifier(object), Thread.current)
        let ended = waits.withLock { waits in
            for index in waits.indices { waits[index].starts.removeAll { $0 == start } }
            defer { waits.removeAll { $0.starts.isEmpty } }
            return waits.filter { $0.starts.isEmpty }.map(\.semaphore)
        }
        for semaphore in ended { semaphore.signal() }
    }
}
