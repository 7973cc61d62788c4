import Dispatch
public import Streams
import Synchronization

/// One side effect, from the action that requested it to its end; or a bound stream, which no action requested. The
/// first effect of an action is also the group of the action's work, which saves an object.
///
/// `@unchecked Sendable`: the variables are accessed under the lock of the table, and after the run is removed from it,
/// by the thread that removed it.
@usableFromInline
package final class EffectRun: EffectGroup, LinkedNode, @unchecked Sendable {
    /// The number of the effect in its store, from 1.
    @usableFromInline let number: Int
    /// The number of the action that requested it.
    @usableFromInline let action: Int
    @usableFromInline let key: EffectKey
    /// The side effect, if it is needed later: because the run may wait, or because the flow is traced.
    @usableFromInline let sideEffect: KeptSideEffect?
    fileprivate let earlierGroup: EffectGroup?
    private let hasEnded = Atomic(false)
    @exclusivity(unchecked) @usableFromInline package var links = Links<EffectRun>()
    @exclusivity(unchecked) fileprivate var nextInQueue: EffectRun?
    @exclusivity(unchecked) fileprivate var previousInQueue: Unmanaged<EffectRun>?
    @exclusivity(unchecked) fileprivate var isRunning = false
    @exclusivity(unchecked) fileprivate var subscription: (any DisposeBase)?
    /// Called once, at the end. Set before the run is added to the table.
    @exclusivity(unchecked) @usableFromInline var onEnd: (@Sendable () -> Void)?
    /// The action for the case that the effect ends without an answer. Set before the run is added to the table.
    @exclusivity(unchecked) @usableFromInline var unanswered: KeptSideEffect?
    /// Whether it has sent an action; accessed inside the gate.
    @exclusivity(unchecked) @usableFromInline var hasAnswered = false

    /// - Parameter group: The group that it belongs to; `nil` for the first effect of an action.
    @usableFromInline
    init(number: Int, action: Int, key: EffectKey, sideEffect: consuming KeptSideEffect?, group: EffectGroup?) {
        group?.enter()
        self.number = number
        self.action = action
        self.key = key
        self.sideEffect = sideEffect
        earlierGroup = group
        super.init(effects: earlierGroup == nil ? 1 : 0)
    }

    /// Lets the requests that a side effect carries know of the run. Called before the run is added to the table.
    @usableFromInline
    func carryRequests(in sideEffect: any Sendable) {
        let lives = RequestLife.all(in: sideEffect)
        if lives.isEmpty { return }
        for life in lives { life.begin() }
        onEnd = { for life in lives { life.end() } }
    }

    @usableFromInline var group: EffectGroup { earlierGroup ?? self }

    @inlinable var isOfChild: Bool { !key.path.isEmpty }

    fileprivate var groupID: ObjectIdentifier { earlierGroup.map { ObjectIdentifier($0) } ?? ObjectIdentifier(self) }

    deinit {
        if !isOver { end() }
    }

    /// Whether it has ended or was cancelled: what its stream sends is dropped.
    @usableFromInline var isOver: Bool { hasEnded.load(ordering: .relaxed) }

    /// Whether it has ended, or its group was cancelled: for a run that is not in the table.
    @usableFromInline var isDropped: Bool { isOver || group.isCancelled }

    /// Disposes its stream, and leaves its group. For the thread that removed the run from the table; another call has
    /// no effect if it follows that one.
    @usableFromInline
    func end() {
        if isOver { return }
        hasEnded.store(true, ordering: .relaxed)
        subscription.take()?.dispose()
        onEnd.take()?()
        if let earlierGroup { earlierGroup.leave() } else { leave() }
    }
}

/// A side effect, or an action. A class, because most runs have none, and a reference is smaller than an existential.
@usableFromInline
package final class KeptSideEffect: Sendable {
    @usableFromInline let value: any Sendable

    @usableFromInline
    init(_ value: any Sendable) { self.value = value }
}

/// What a store runs: effects, those that wait, and bound streams.
///
/// A *start* is a part of the work that a dismissal or a cancellation on another thread waits for: `perform`, the
/// subscription, or another dismissal. The starts of a thread are nested.
///
/// The base class of the engines, which saves an object.
///
/// `@unchecked Sendable`: every property is a `let` of a `Sendable` type.
@usableFromInline
package class EffectTable: @unchecked Sendable {
    @usableFromInline enum StartDecision { case start, wait, ignore }

    /// How an effect runs beside those of its queue.
    @usableFromInline enum Policy { case merge, inOrder, exhausting }

    private struct Start {
        let thread: UInt
        /// The starting thread holds the group.
        let group: ObjectIdentifier?
    }

    /// The effects with one key, in the order of the requests: a linked list, so that any may leave in constant time.
    private struct Queue {
        private(set) var first: EffectRun?
        private var last: EffectRun?
        /// The number of those that run.
        var running = 0

        mutating func append(_ run: EffectRun, isRunning: Bool) {
            if isRunning { running += 1 }
            run.previousInQueue = last.map { .passUnretained($0) }
            if let last { last.nextInQueue = run } else { first = run }
            last = run
        }

        /// Removes a run, which the caller retains.
        mutating func remove(_ run: EffectRun) {
            let (previous, next) = (run.previousInQueue.take()?.takeUnretainedValue(), run.nextInQueue.take())
            next?.previousInQueue = previous.map { .passUnretained($0) }
            if let previous { previous.nextInQueue = next } else { first = next }
            if next == nil { last = previous }
        }

        /// Removes all runs, which the result retains.
        mutating func removeAll() -> [EffectRun] {
            var runs: [EffectRun] = []
            while let run = first {
                runs.append(run)
                remove(run)
            }
            return runs
        }
    }

    private struct State {
        /// Running and waiting effects, in the order of the requests.
        var runs = LinkedList<EffectRun>()
        /// Those of each id.
        var queues: [EffectKey: Queue] = [:]
        /// The starts in progress. The first one is the oldest; most have no other beside them, and need no array.
        var firstStart: Start?
        var otherStarts: [Start] = []
        /// Whether a thread waits for one of them, or has waited.
        var startsAreAwaited = false
        var isOver = false

        mutating func beginStart(in group: ObjectIdentifier?) {
            let start = Start(thread: Thread.current, group: group)
            if firstStart == nil, otherStarts.isEmpty { firstStart = start } else { otherStarts.append(start) }
        }

        /// Removes the newest start of a thread.
        mutating func endStart(on thread: UInt) {
            if let index = otherStarts.lastIndex(where: { $0.thread == thread }) {
                otherStarts.remove(at: index)
            } else if firstStart?.thread == thread {
                firstStart = nil
            }
        }

        /// Removes a run, unless it was removed before; if it was the last running one of its queue, starts the next.
        mutating func remove(_ run: EffectRun) -> (isRemoved: Bool, next: EffectRun?) {
            guard runs.remove(run) else { return (false, nil) }
            let wasRunning = run.isRunning
            run.isRunning = false
            guard run.key.id != nil, let index = queues.index(forKey: run.key) else { return (true, nil) }
            queues.values[index].remove(run)
            if wasRunning { queues.values[index].running -= 1 }
            guard let first = queues.values[index].first else {
                queues.remove(at: index)
                return (true, nil)
            }
            if queues.values[index].running > 0 { return (true, nil) }
            queues.values[index].running = 1
            first.isRunning = true
            return (true, first)
        }

        /// Removes the runs with a key, in the order of the requests.
        mutating func removeAll(_ key: EffectKey) -> [EffectRun] {
            var queue = queues.removeValue(forKey: key)
            let queued = queue?.removeAll() ?? []
            for run in queued {
                runs.remove(run)
                run.isRunning = false
            }
            return queued
        }
    }

    private let state = TracedMutex(State())

    @usableFromInline init() {}

    /// Adds an effect. If the decision is to start it, its start has begun; ``keep(_:for:)`` ends the start.
    @usableFromInline
    final func add(_ run: EffectRun, _ policy: Policy) -> StartDecision {
        state.withLock { state in
            // A run that is its own group is new, as is the group.
            if state.isOver || run.earlierGroup?.isCancelled == true { return .ignore }
            let mustWait = policy != .merge && state.queues[run.key] != nil
            if mustWait, policy == .exhausting { return .ignore }
            state.runs.insert(run)
            if run.key.id != nil { state.queues[run.key, default: Queue()].append(run, isRunning: !mustWait) }
            if mustWait { return .wait }
            run.isRunning = true
            state.beginStart(in: run.groupID)
            return .start
        }
    }

    /// Begins the start of an effect that waited, or of something else, unless the effect was removed, the group was
    /// cancelled, or the flow was dismissed. ``endStart()`` ends it.
    @usableFromInline
    final func beginStart(of run: EffectRun? = nil, in group: EffectGroup? = nil) -> Bool {
        state.withLock { state in
            let mayStart = group?.isCancelled != true && (run?.isRunning ?? !state.isOver)
            if mayStart { state.beginStart(in: run?.groupID ?? group.map { ObjectIdentifier($0) }) }
            return mayStart
        }
    }

    /// Ends the start that this thread began last.
    @usableFromInline
    final func endStart() {
        let areAwaited = state.withLock { state in
            state.endStart(on: Thread.current)
            return state.startsAreAwaited
        }
        if areAwaited { StartWaits.end() }
    }

    /// Stores the subscription of a started effect, or disposes it if the effect was removed meanwhile; then its start
    /// has ended.
    @usableFromInline
    final func keep(_ subscription: any Disposable, for run: EffectRun) {
        let subscription = subscription.asObject
        let isKept = state.withLock { _ in
            if run.isRunning { run.subscription = subscription }
            return run.isRunning
        }
        if !isKept { subscription.dispose() }
        endStart()
    }

    /// Subscribes to a stream until it ends, the result is disposed, or the flow is dismissed.
    @inlinable
    final func bind<Element: Sendable>(
        _ stream: Observable<Element>, _ onNext: @escaping @Sendable (Element) -> Void
    ) -> any Disposable {
        let run = EffectRun(number: 0, action: 0, key: EffectKey(nil), sideEffect: nil, group: nil)
        let binding = Disposables.create { [self] in if remove(run).isRemoved { run.end() } }
        // A binding that has ended retains neither the flow nor the stream.
        if add(run, .merge) == .start {
            keep(stream.subscribe(onNext: onNext, onDisposed: { binding.dispose() }), for: run)
        } else {
            binding.dispose()
        }
        return binding
    }

    /// Waits until the starts on other threads have ended: all, or those in a group.
    @usableFromInline
    final func waitForStarts(in group: EffectGroup? = nil) {
        let group = group.map { ObjectIdentifier($0) }
        func begin() -> DispatchSemaphore? {
            state.withLock { state in
                guard let first = state.firstStart ?? state.otherStarts.first else { return nil }
                for start in [first] + state.otherStarts
                where start.thread != Thread.current && (group == nil || start.group == group) {
                    state.startsAreAwaited = true
                    if let semaphore = StartWaits.begin(for: start.thread) { return semaphore }
                }
                return nil
            }
        }
        while let semaphore = begin() { semaphore.wait() }
    }

    /// Removes an effect that has ended, and returns the next one of its queue, for the caller to start.
    @usableFromInline
    final func remove(_ run: EffectRun) -> (isRemoved: Bool, next: EffectRun?) { state.withLock { $0.remove(run) } }

    /// Removes the effects that have this key.
    @usableFromInline
    final func remove(_ key: EffectKey) -> [EffectRun] { state.withLock { $0.removeAll(key) } }

    /// Removes the effects that satisfy a condition, like ``remove(_:)-([EffectRun])``. Calls the condition outside the
    /// lock, because it may be user code.
    @usableFromInline
    final func remove(where isGone: (EffectRun) -> Bool) -> (removed: [EffectRun], next: [EffectRun]) {
        remove(state.withLock { $0.runs.nodes }.filter(isGone))
    }

    /// Removes effects, in the order of the requests; returns those that were not removed before, and the next ones of
    /// their queues, for the caller to start.
    @usableFromInline
    final func remove(_ gone: [EffectRun]) -> (removed: [EffectRun], next: [EffectRun]) {
        state.withLock { state in
            var (removed, next): ([EffectRun], [EffectRun]) = ([], [])
            for run in gone {
                let (isRemoved, following) = state.remove(run)
                if isRemoved { removed.append(run) }
                if let following { next.append(following) }
            }
            return (removed, next.filter(\.isRunning))  // one that followed may have been removed as well
        }
    }

    /// Ends all effects and bound streams, and returns them; afterwards none starts.
    @usableFromInline
    final func finish() -> [EffectRun] {
        let (runs, queues) = state.withLock { state in
            let queues = state.queues
            (state.queues, state.isOver) = ([:], true)
            let runs = state.runs.removeAll()
            // Unlinked one by one, because releasing a long list recursively would exhaust the stack.
            for run in runs { (run.isRunning, run.nextInQueue, run.previousInQueue) = (false, nil, nil) }
            return (runs, queues)
        }
        withExtendedLifetime(queues) {}  // release outside the lock
        for run in runs { run.end() }
        return runs
    }
}

/// The threads that wait for starts on other threads.
///
/// A thread never waits for one that waits for it: two effects that dismiss each other's flows while they start end
/// both flows, and neither hangs.
enum StartWaits {
    private struct Wait: Sendable {
        let thread = Thread.current
        let starter: UInt
        let semaphore = DispatchSemaphore(value: 0)
    }

    private static let waits = TracedMutex<[Wait]>([])

    /// Registers a wait of this thread; returns `nil` if the starting thread waits for this one, or for one that does.
    static func begin(for starter: UInt) -> DispatchSemaphore? {
        let wait = Wait(starter: starter)
        return waits.withLock { waits in
            var last = starter
            while let next = waits.first(where: { $0.thread == last }) { last = next.starter }
            if last == wait.thread { return nil }
            waits.append(wait)
            return wait.semaphore
        }
    }

    /// Resumes the threads that wait for this one; each waits again if this was not the start that it waits for.
    static func end() {
        waits.withLock { waits in
            waits.removeAll { wait in
                if wait.starter == Thread.current { wait.semaphore.signal() }
                return wait.starter == Thread.current
            }
        }
    }
}
