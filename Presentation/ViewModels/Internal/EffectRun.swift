public import Streams

/// One side effect, from the action that asked for it to its end.
///
/// `@unchecked Sendable`: `isCancelled` is touched by who is inside the engine's mailbox, and by nobody else.
@usableFromInline
package final class EffectRun: @unchecked Sendable {
    /// Counts the effects of a store, from 1.
    @usableFromInline let number: Int
    /// The number of the action that asked for it.
    @usableFromInline let action: Int
    @usableFromInline let key: EffectKey
    /// The side effect, where it is needed later: because it waits for its turn, or because the flow is traced.
    @usableFromInline let sideEffect: (any Sendable)?
    /// Its stream.
    @usableFromInline let subscription = SingleAssignmentDisposable()
    /// Whether what it sends is to be dropped.
    @usableFromInline var isCancelled = false
    /// The queue that it belongs to. Written once, before it is started.
    @usableFromInline var lane: EffectLane?

    @usableFromInline
    init(number: Int, action: Int, key: EffectKey, sideEffect: (any Sendable)?) {
        self.number = number
        self.action = action
        self.key = key
        self.sideEffect = sideEffect
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

    fileprivate func takeAll() -> [EffectRun] {
        defer { (running, waiting) = ([:], []) }
        return Array(running.values) + waiting
    }
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
        var running: [Int: EffectRun] = [:]
        /// Those with an id that have effects.
        var lanes: [EffectKey: EffectLane] = [:]
        var isOver = false

        mutating func start(_ run: EffectRun) {
            running[run.number] = run
            run.lane?.running[run.number] = run
        }
    }

    private let state = TracedMutex(State())

    @usableFromInline
    init() {}

    /// The effects that run.
    package var running: [EffectRun] {
        state.withLock { $0.running.values.sorted { $0.number < $1.number } }
    }

    /// Adds an effect.
    ///
    /// - Parameter lane: The queue that it belongs to, if not that of its id.
    @usableFromInline
    func add(_ run: EffectRun, _ policy: Policy, lane: EffectLane? = nil) -> Admission {
        state.withLock { state in
            if state.isOver { return .ignore }
            run.lane = lane ?? (run.key.id == nil ? nil : state.lanes[run.key, default: EffectLane()])
            if let lane = run.lane {
                if run.key.id != nil { state.lanes[run.key] = lane }
                if !lane.running.isEmpty {
                    if policy == .exhausting { return .ignore }
                    if policy == .inOrder {
                        lane.waiting.append(run)
                        return .wait
                    }
                }
            }
            state.start(run)
            return .start
        }
    }

    /// Removes an effect that has ended.
    ///
    /// - Returns: The effect whose turn it is now, which counts as running.
    @usableFromInline
    func remove(_ run: EffectRun) -> EffectRun? {
        state.withLock { state in
            guard state.running.removeValue(forKey: run.number) != nil, let lane = run.lane else { return nil }
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
            let removed = state.lanes.removeValue(forKey: key)?.takeAll() ?? []
            for run in removed { state.running[run.number] = nil }
            return removed
        }.sorted { $0.number < $1.number }
    }

    /// Removes the effects of children that have left.
    @usableFromInline
    func remove(_ departure: Departure) -> [EffectRun] {
        // Whether a child has left is asked outside the lock: the answer is the user's code.
        let gone = running.filter { departure.concerns($0.key.path) }
        return state.withLock { state in
            gone.flatMap { run -> [EffectRun] in
                guard state.running.removeValue(forKey: run.number) != nil else { return [] }
                guard let lane = run.lane else { return [run] }
                if run.key.id != nil { state.lanes[run.key] = nil }
                let removed = lane.takeAll()
                for run in removed { state.running[run.number] = nil }
                return removed
            }
        }.sorted { $0.number < $1.number }
    }

    /// Removes them all; from now on none is let in.
    @usableFromInline
    func finish() -> [EffectRun] {
        state.withLock { state in
            defer { state = State(isOver: true) }
            return state.running.values.flatMap { run in
                let waiting = run.lane?.waiting ?? []
                run.lane?.waiting = []
                return [run] + waiting
            }
        }.sorted { $0.number < $1.number }
    }
}
