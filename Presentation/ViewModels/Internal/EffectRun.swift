public import Streams
import Synchronization

/// One side effect, from the action that asked for it to its end.
///
/// `@unchecked Sendable`: `isCancelled` is touched by who is inside the engine's mailbox only; the rest of what changes,
/// under the lock of the table, and after it was removed from there by who removed it.
@usableFromInline
package final class EffectRun: @unchecked Sendable {
    /// Counts the effects of a store, from 1.
    @usableFromInline let number: Int
    /// The number of the action that asked for it.
    @usableFromInline let action: Int
    @usableFromInline let key: EffectKey
    /// The side effect, where it is needed later: because it waits for its turn, or because the flow is traced.
    @usableFromInline let sideEffect: (any Sendable)?
    /// The work that it is a part of; whose work it is, may wait for its end.
    @usableFromInline let group: EffectGroup?
    private let hasLeftGroup = Atomic(false)
    /// Whether what it sends is to be dropped.
    @exclusivity(unchecked) @usableFromInline var isCancelled = false
    /// The queue that it belongs to, if any.
    @exclusivity(unchecked) fileprivate var lane: EffectLane?
    /// Where it stands among those that run; `nil` if it does not.
    @exclusivity(unchecked) fileprivate var place: Int?
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

    /// Ends its stream. To be called by who removed it from the table.
    @usableFromInline
    func dispose() {
        subscription.take()?.dispose()
        leaveGroup()
    }

    /// It is over, in whichever way.
    @usableFromInline
    func leaveGroup() {
        if let group, !hasLeftGroup.exchange(true, ordering: .relaxed) { group.leave() }
    }
}

/// Effects with one id, or from one `inOrder`.
///
/// `@unchecked Sendable`: touched under the lock of its table only.
@usableFromInline
final class EffectLane: @unchecked Sendable {
    fileprivate var running: [Int: EffectRun] = [:]
    fileprivate var waiting: ArraySlice<EffectRun> = []

    @usableFromInline
    init() {}
}

/// The effects of a store that run or wait for their turn.
@usableFromInline
final class EffectTable: Sendable {
    /// What becomes of an effect that is asked for.
    @usableFromInline
    enum Admission {
        case start, wait, ignore
    }

    /// How an effect gets on with those of the same id.
    @usableFromInline
    enum Policy {
        case merge, inOrder, exhausting
    }

    private struct State {
        /// In no order.
        var running: [EffectRun] = []
        /// Those with an id that have effects.
        var lanes: [EffectKey: EffectLane] = [:]
        var isOver = false

        mutating func start(_ run: EffectRun) {
            run.place = running.count
            running.append(run)
            run.lane?.running[run.number] = run
        }

        /// Whether it was running.
        mutating func stop(_ run: EffectRun) -> Bool {
            guard let place = run.place else { return false }
            run.place = nil
            let last = running.removeLast()
            if last !== run {
                running[place] = last
                last.place = place
            }
            return true
        }

        /// Takes out all that run or wait there.
        mutating func empty(_ lane: EffectLane, _ key: EffectKey) -> [EffectRun] {
            defer { (lane.running, lane.waiting) = ([:], []) }
            if key.id != nil { lanes[key] = nil }
            for run in lane.running.values { _ = stop(run) }
            return Array(lane.running.values) + lane.waiting
        }
    }

    private let state = TracedMutex(State())

    @usableFromInline
    init() {}

    /// Adds an effect.
    ///
    /// - Parameter lane: The queue that it belongs to, if not that of its id.
    @usableFromInline
    func add(_ run: EffectRun, _ policy: Policy, lane: EffectLane? = nil) -> Admission {
        state.withLock { state in
            if state.isOver { return .ignore }
            let lane = lane ?? (run.key.id == nil ? nil : state.lanes[run.key] ?? EffectLane())
            if let lane, !lane.running.isEmpty {
                if policy == .exhausting { return .ignore }
                if policy == .inOrder {
                    run.lane = lane
                    lane.waiting.append(run)
                    return .wait
                }
            }
            run.lane = lane
            if run.key.id != nil { state.lanes[run.key] = lane }
            state.start(run)
            return .start
        }
    }

    /// Keeps the subscription of an effect that was started; disposes it if the effect was removed meanwhile.
    @usableFromInline
    func keep(_ subscription: any Disposable, for run: EffectRun) {
        let isKept = state.withLock { _ in
            if run.place != nil { run.subscription = subscription }
            return run.place != nil
        }
        if !isKept { subscription.dispose() }
    }

    /// Removes an effect that has ended.
    ///
    /// - Returns: The effect whose turn it is now, which counts as running.
    @usableFromInline
    func remove(_ run: EffectRun) -> EffectRun? {
        state.withLock { state in
            guard state.stop(run), let lane = run.lane else { return nil }
            lane.running[run.number] = nil
            guard lane.running.isEmpty else { return nil }
            guard let next = lane.waiting.popFirst() else {
                if run.key.id != nil { state.lanes[run.key] = nil }
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
            state.lanes[key].map { state.empty($0, key) } ?? []
        }.inOrder
    }

    /// Removes the effects of a group.
    ///
    /// - Returns: Those effects, and the effects of others whose turn it is now, which count as running.
    @usableFromInline
    func remove(_ group: EffectGroup) -> (removed: [EffectRun], next: [EffectRun]) {
        let (removed, next) = state.withLock { state -> ([EffectRun], [EffectRun]) in
            var next: [EffectRun] = []
            let running = state.running.filter { $0.group === group }
            var waiting: [EffectRun] = []
            for run in state.running {
                guard let lane = run.lane, !lane.waiting.isEmpty else { continue }
                waiting += lane.waiting.filter { $0.group === group }
                lane.waiting.removeAll { $0.group === group }
            }
            for run in running {
                guard state.stop(run), let lane = run.lane else { continue }
                lane.running[run.number] = nil
                guard lane.running.isEmpty else { continue }
                if let first = lane.waiting.popFirst() {
                    state.start(first)
                    next.append(first)
                } else if run.key.id != nil {
                    state.lanes[run.key] = nil
                }
            }
            return (running + waiting, next)
        }
        return (removed.inOrder, next)
    }

    /// Removes the effects of children that have left.
    @usableFromInline
    func remove(_ departure: Departure) -> [EffectRun] {
        // Whether a child has left is asked outside the lock: the answer is the user's code.
        let running = state.withLock { $0.running }
        let gone = running.filter { departure.concerns($0.key.path) }
        return state.withLock { state in
            gone.flatMap { run in
                if let lane = run.lane { return state.empty(lane, run.key) }
                return state.stop(run) ? [run] : []
            }
        }.inOrder
    }

    /// Removes them all; from now on none is let in.
    @usableFromInline
    func finish() -> [EffectRun] {
        state.withLock { state in
            defer { state.isOver = true }
            return state.running.flatMap { run in
                if let lane = run.lane { return state.empty(lane, run.key) }
                return state.stop(run) ? [run] : []
            }
        }.inOrder
    }
}

extension [EffectRun] {
    /// In the order in which they were asked for.
    fileprivate var inOrder: [EffectRun] { count < 2 ? self : sorted { $0.number < $1.number } }
}
