import Dispatch
public import Streams
import Synchronization

/// One side effect, from the action that requested it to its end.
///
/// `@unchecked Sendable`: only the thread inside the engine's gate accesses `isCancelled`; the other variables are
/// accessed under the lock of the table, and after the run is removed from it, by the thread that removed it.
@usableFromInline
package final class EffectRun: @unchecked Sendable {
    @usableFromInline let number: Int
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

    /// For the thread that removed it from the table.
    @usableFromInline
    func dispose() {
        subscription.take()?.dispose()
        leaveGroup()
    }

    @usableFromInline
    func leaveGroup() {
        if let group, !hasLeftGroup.exchange(true, ordering: .relaxed) { group.leave() }
    }
}

/// The name of a queue of effects: those with one id, or those that one request without an id has made.
@usableFromInline
struct EffectQueue: Hashable, Sendable {
    @usableFromInline let key: EffectKey
    let first: Int  // the number of the first effect, for a request without an id; otherwise 0

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
    enum StartDecision { case start, wait, ignore }

    /// How an effect runs beside those of its queue.
    @usableFromInline
    enum Policy { case merge, inOrder, exhausting }

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

    /// Begins the start of an effect, unless it was removed. ``keep(_:for:)`` or ``endStart(of:)`` ends it.
    @usableFromInline
    func beginStart(of run: EffectRun) -> Bool {
        state.withLock { state in
            if run.isRunning { state.starts.begin(run) }
            return run.isRunning
        }
    }

    /// Begins the subscription to a bound stream, unless the flow was dismissed; ``endStart(of:)`` ends it.
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
    func beginDismissal() { state.withLock { $0.starts.begin(self) } }

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

    /// Removes an effect that has ended; returns the next of its queue, which is then running, for the caller to start.
    @usableFromInline
    func remove(_ run: EffectRun) -> EffectRun? { state.withLock { $0.remove(run).next } }

    /// Removes the effects that have this id, running and waiting.
    @usableFromInline
    func remove(_ key: EffectKey) -> [EffectRun] {
        state.withLock { state in
            let runs = state.queues.removeValue(forKey: EffectQueue(key)) ?? []
            for run in runs { run.isRunning = false }
            return runs
        }
    }

    /// Removes the effects of a group; returns them, and the next of their queues, for the caller to start.
    @usableFromInline
    func remove(_ group: EffectGroup) -> (removed: [EffectRun], next: [EffectRun]) { remove { $0.group === group } }

    @usableFromInline
    func removeChild(at key: EffectKey) -> [EffectRun] { remove(ChildRemoval(ofChildAt: key.path)) }

    @usableFromInline
    func remove(_ removal: ChildRemoval) -> [EffectRun] { remove { removal.matches($0.queue.key.path) }.removed }

    /// Removes all effects, for the caller to dispose; afterwards none starts.
    @usableFromInline
    func finish() -> [EffectRun] {
        state.withLock { $0.isOver = true }
        return remove { _ in true }.removed
    }

    /// Removes effects, in the order of the requests. The condition is called outside the lock: it may call user code.
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

/// The starts of effects and subscriptions that are in progress, so that a dismissal or a cancellation on another thread
/// can wait for them. Accessed under the lock of its owner.
struct StartsInProgress {
    struct Start {
        let object: any AnyObject & Sendable
        let thread: UInt
    }

    private var starts: [Start] = []
    /// Whether a thread waits for one of them, or has waited.
    private var areAwaited = false

    mutating func begin(_ object: any AnyObject & Sendable) {
        starts.append(Start(object: object, thread: Thread.current))
    }

    /// Ends the start of an object on this thread. If it returns true, call ``StartWaits/end(of:)`` outside the lock.
    mutating func end(_ object: any AnyObject & Sendable) -> Bool {
        let me = Thread.current
        guard let index = starts.lastIndex(where: { $0.object === object && $0.thread == me }) else { return false }
        starts.remove(at: index)
        return areAwaited
    }

    /// The wait of this thread for the starts of objects on other threads; `nil` if there are none.
    mutating func wait(where isAwaited: (AnyObject) -> Bool) -> DispatchSemaphore? {
        let awaited = starts.filter { $0.thread != Thread.current && isAwaited($0.object) }
        if awaited.isEmpty { return nil }
        areAwaited = true
        return StartWaits.begin(for: awaited)
    }
}

/// The waits of all threads for starts in progress.
///
/// A thread never waits for one that waits for it: two effects that dismiss each other's flows while they start end
/// both flows, and neither hangs.
enum StartWaits {
    private struct Wait: Sendable {
        let thread = Thread.current
        let semaphore = DispatchSemaphore(value: 0)
        var starts: [StartsInProgress.Start]
    }

    private static let waits = TracedMutex<[Wait]>([])

    /// Registers a wait of this thread; `nil` if each of the starting threads waits for it.
    static func begin(for starts: [StartsInProgress.Start]) -> DispatchSemaphore? {
        waits.withLock { waits in
            var (waiting, added) = ([Thread.current] as Set, true)
            while added {
                let more = waits.filter { wait in wait.starts.contains { waiting.contains($0.thread) } }.map(\.thread)
                added = !waiting.isSuperset(of: more)
                waiting.formUnion(more)
            }
            let wait = Wait(starts: starts.filter { !waiting.contains($0.thread) })
            if wait.starts.isEmpty { return nil }
            waits.append(wait)
            return wait.semaphore
        }
    }

    /// Resumes the threads that wait for the start of an object on this thread, and for no other.
    static func end(of object: AnyObject) {
        let ended = waits.withLock { waits in
            for index in waits.indices {
                waits[index].starts.removeAll { $0.object === object && $0.thread == Thread.current }
            }
            defer { waits.removeAll { $0.starts.isEmpty } }
            return waits.filter { $0.starts.isEmpty }.map(\.semaphore)
        }
        for semaphore in ended { semaphore.signal() }
    }
}
