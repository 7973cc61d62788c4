import Dispatch
import Streams
import StreamsTesting
import Synchronization
import ViewModels

/// Records the steps of a flow under test that the test has not consumed yet.
///
/// `Sendable`, although a flow may run on any thread: a lock protects its state.
final class FlowRecord<State: Sendable, Action: Sendable, SideEffect: Sendable, Event: Sendable>: Sendable {
    typealias Step = FlowStep<State, Action, SideEffect, Event>

    /// An action that was reduced.
    struct Reduced: Sendable {
        let reduction: Step.Reduction
        /// Whether it came from outside of virtual time: from a thread that neither the tester nor its scheduler
        /// drives.
        let isFromOutside: Bool
    }

    /// Work that began without the test's doing: a side effect that a flow started, or an action that a mutation flow sent
    /// to itself.
    struct Begun: Sendable {
        let work: SideEffect
        /// The number of the action that requested it; 0 for an action that was sent.
        let action: Int
        /// Whether it began together with that action, without waiting for others or for a delay.
        let isImmediate: Bool
        /// In words: `typed("Je") started the side effect search("Je")`.
        let text: String
    }

    /// A step that the test has to expect.
    enum Entry {
        case reduced(Reduced)
        case raised(event: Event, cause: String)
        case begun(Begun)
    }

    /// The kinds of steps that a test expects.
    enum Kind: CaseIterable {
        case reduced, raised, begun
    }

    /// A step that the test has not consumed yet.
    private struct Pending<Value: Sendable>: Sendable {
        let value: Value
        /// The number of the step among all steps.
        let ordinal: Int
        /// Whether the test has already failed for it.
        var isReported = false
    }

    private struct Steps {
        // One queue for each kind, because a test that is not exhaustive takes the next step of a kind.
        var reductions: ArraySlice<Pending<Reduced>> = []
        var events: ArraySlice<Pending<(event: Event, cause: String)>> = []
        var begun: ArraySlice<Pending<Begun>> = []
        var running: [Int: Step.Effect] = [:]
        /// The numbers of the effects that wait, or have waited, for their start.
        var queued: Set<Int> = []
        var failures: [EffectFailure] = []
        /// The absent children that actions addressed, with the actions.
        var missingChildren: [String] = []
        /// What requested effects had, and what was to be cancelled, with the actions.
        var ids: Set<EffectLabel> = []
        var cancellations: [(label: EffectLabel, text: String)] = []
        /// Descriptions of the actions and effects, by number.
        var actions: [Int: String] = [:]
        var effects: [Int: String] = [:]
        var steps = 0
        weak var stopping: TestScheduler?
        var waiting: [CheckedContinuation<Void, Never>] = []

        mutating func end(_ effect: Int) {
            running[effect] = nil
            queued.remove(effect)
        }

        /// The scheduler to stop, and the tasks to resume, after a step.
        mutating func takeObservers() -> (TestScheduler?, [CheckedContinuation<Void, Never>]) {
            defer { waiting = [] }
            return (stopping, waiting)
        }

        /// The number of the first step of a kind that was not consumed.
        func first(_ kind: Kind) -> (ordinal: Int, isReported: Bool)? {
            switch kind {
            case .reduced: reductions.first.map { ($0.ordinal, $0.isReported) }
            case .raised: events.first.map { ($0.ordinal, $0.isReported) }
            case .begun: begun.first.map { ($0.ordinal, $0.isReported) }
            }
        }

        /// Removes the first step of a kind.
        mutating func take(_ kind: Kind) -> Entry? {
            switch kind {
            case .reduced: reductions.popFirst().map { .reduced($0.value) }
            case .raised: events.popFirst().map { .raised(event: $0.value.event, cause: $0.value.cause) }
            case .begun: begun.popFirst().map { .begun($0.value) }
            }
        }
    }

    private typealias Labels = (ids: [EffectLabel], cancellations: [(label: EffectLabel, text: String)])

    private let state = TracedMutex(Steps())
    /// The thread that the tester drives; otherwise 0.
    private let driver = Atomic<UInt>(0)
    /// The term for a side effect: "side effect", or "action" of a mutation flow.
    let noun: String

    /// The label of `receive` for it.
    var label: String { noun == "action" ? "action" : "sideEffect" }

    init(noun: String) {
        self.noun = noun
    }

    /// Runs work of the tester itself.
    func drive<Result>(_ body: () throws -> Result) rethrows -> Result {
        let outer = driver.exchange(Thread.current, ordering: .relaxed)
        defer { driver.store(outer, ordering: .relaxed) }
        return try body()
    }

    /// Records a step.
    func add(_ step: Step) {
        let isFromOutside = driver.load(ordering: .relaxed) != Thread.current && TaskEnvironment.current == nil
        // Descriptions are user code, and so are evaluated outside the lock.
        let text =
            switch step {
            case .reduced(let reduction): "\(reduction.action)"
            case .effect(let effect, _): "the \(noun) \(effect.sideEffect)"
            default: ""
            }
        let requests = if case .reduced(let reduction) = step { reduction.next.labels(text) } else { Labels([], []) }
        let (stopping, waiting) = state.withLock { state in
            state.steps += 1
            state.ids.formUnion(requests.ids)
            state.cancellations += requests.cancellations
            switch step {
            case .reduced(let reduction):
                state.actions[reduction.number] = text
                let reduced = Reduced(reduction: reduction, isFromOutside: isFromOutside)
                state.reductions.append(Pending(value: reduced, ordinal: state.steps))
                state.missingChildren += reduction.next.missingChildren.map {
                    "\(text) addresses \($0), which is not in the state"
                }
            case .raised(let event, let action):
                let cause = state.actions[action] ?? "no action"
                state.events.append(Pending(value: (event, cause), ordinal: state.steps))
            case .effect(let effect, let change):
                let cause = state.actions[effect.action].map { " of \($0)" } ?? ""
                state.effects[effect.number] = text + (noun == "action" ? "" : cause)
                switch change.kind {
                case .started:
                    state.running[effect.number] = effect
                    let isImmediate = state.queued.remove(effect.number) == nil
                    if noun == "action" { break }
                    let begun = Begun(
                        work: effect.sideEffect, action: effect.action, isImmediate: isImmediate,
                        text: "\(state.actions[effect.action] ?? "the flow") started \(text)")
                    state.begun.append(Pending(value: begun, ordinal: state.steps))
                case .queued:
                    state.running[effect.number] = effect
                    state.queued.insert(effect.number)
                case .ignored: break
                case .ended, .cancelled: state.end(effect.number)
                case .failed(let failure):
                    state.end(effect.number)
                    state.failures.append(failure)
                }
            case .dismissed: (state.running, state.queued) = ([:], [])
            }
            return state.takeObservers()
        }
        stopping?.stop()
        for continuation in waiting { continuation.resume() }
    }

    /// Records an action that a mutation flow sends to itself.
    func addSent(_ action: SideEffect) {
        let begun = Begun(work: action, action: 0, isImmediate: false, text: "the flow sent the \(noun) \(action)")
        let (stopping, waiting) = state.withLock { state in
            state.steps += 1
            state.begun.append(Pending(value: begun, ordinal: state.steps))
            return state.takeObservers()
        }
        stopping?.stop()
        for continuation in waiting { continuation.resume() }
    }

    /// Waits in real time for a step after the first `steps` ones, or until the deadline.
    nonisolated(nonsending) func waitForStep(after steps: Int, until deadline: DispatchTime) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let hasStep = state.withLock { state in
                    if state.steps == steps { state.waiting.append(continuation) }
                    return state.steps != steps
                }
                if hasStep || Task.isCancelled { wake() }
                if hasStep { return continuation.resume() }
                DispatchQueue.global().asyncAfter(deadline: deadline) { [self] in wake() }
            }
        } onCancel: {
            wake()
        }
    }

    private func wake() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// The scheduler that the next step stops.
    var stopping: TestScheduler? {
        get { state.withLock { $0.stopping } }
        set { state.withLock { $0.stopping = newValue } }
    }

    /// The number of steps.
    var steps: Int { state.withLock { $0.steps } }
    var hasReduction: Bool { has(.reduced) }
    var hasEvent: Bool { has(.raised) }
    /// Whether there is a step that the test has neither consumed nor failed for.
    var hasUnreported: Bool {
        state.withLock { state in
            state.reductions.contains { !$0.isReported } || state.events.contains { !$0.isReported }
                || state.begun.contains { !$0.isReported }
        }
    }
    /// Whether all side effects have ended.
    var isIdle: Bool { state.withLock { $0.running.isEmpty } }

    func has(_ kind: Kind) -> Bool { state.withLock { $0.first(kind) != nil } }

    /// The next action.
    var firstAction: Action? { state.withLock { $0.reductions.first?.value.reduction.action } }

    func takeReduction() -> Reduced? { state.withLock { $0.reductions.popFirst()?.value } }

    func takeEvent() -> (event: Event, cause: String)? { state.withLock { $0.events.popFirst()?.value } }

    func takeBegun() -> Begun? { state.withLock { $0.begun.popFirst()?.value } }

    /// Removes the side effects that started together with that action, in order.
    ///
    /// - Parameter areUnreported: Leaves out those for which the test has already failed.
    func takeBegun(with action: Int, areUnreported: Bool = false) -> [Begun] {
        state.withLock { state in
            func isTaken(_ pending: Pending<Begun>) -> Bool {
                pending.value.action == action && pending.value.isImmediate && !(areUnreported && pending.isReported)
            }
            defer { state.begun.removeAll(where: isTaken) }
            return state.begun.filter(isTaken).map(\.value)
        }
    }

    /// Returns the steps that precede the first of a kind, or all other steps if there is none of that kind, in order,
    /// without removing them; each only once.
    func report(before kind: Kind) -> [Entry] {
        state.withLock { state in
            let end = state.first(kind)?.ordinal ?? .max
            var entries: [(ordinal: Int, entry: Entry)] = []
            func mark<Value>(_ queue: inout ArraySlice<Pending<Value>>, _ entry: (Value) -> Entry) {
                for index in queue.indices {
                    if queue[index].ordinal >= end { return }
                    if queue[index].isReported { continue }
                    queue[index].isReported = true
                    entries.append((queue[index].ordinal, entry(queue[index].value)))
                }
            }
            if kind != .reduced { mark(&state.reductions) { .reduced($0) } }
            if kind != .raised { mark(&state.events) { .raised(event: $0.event, cause: $0.cause) } }
            if kind != .begun { mark(&state.begun) { .begun($0) } }
            return entries.sorted { $0.ordinal < $1.ordinal }.map(\.entry)
        }
    }

    /// Removes the next step of any kind.
    func takeNext() -> (entry: Entry, isReported: Bool)? {
        state.withLock { state in
            let firsts = Kind.allCases.compactMap { kind in state.first(kind).map { (kind, $0) } }
            guard let (kind, first) = firsts.min(by: { $0.1.ordinal < $1.1.ordinal }) else { return nil }
            return state.take(kind).map { ($0, first.isReported) }
        }
    }

    func takeFailures() -> [EffectFailure] {
        state.withLock { state in
            defer { state.failures = [] }
            return state.failures
        }
    }

    func takeMissingChildren() -> [String] {
        state.withLock { state in
            defer { state.missingChildren = [] }
            return state.missingChildren
        }
    }

    /// Cancellations of effects with an id that no effect has had, before or after.
    func takeVainCancellations() -> [String] {
        state.withLock { state in
            defer { state.cancellations = [] }
            return state.cancellations.filter { !state.ids.contains($0.label) }.map(\.text)
        }
    }

    /// An action and its origin.
    func describe(_ reduced: Reduced) -> String {
        let origin =
            switch reduced.reduction.cause {
            case .sent: "sent"
            case .effect(let number): "from \(state.withLock { $0.effects[number] } ?? "a side effect")"
            }
        return "\(reduced.reduction.action), \(origin)" + (reduced.isFromOutside ? ", outside of virtual time" : "")
    }

    /// The side effects that have not ended, one per line; `nil` if there are none.
    var running: String? {
        let running = state.withLock { state in
            state.running.sorted { $0.key < $1.key }.map { "  \(state.effects[$0.key] ?? "")" }
        }
        return running.isEmpty ? nil : running.joined(separator: "\n")
    }
}

extension Next {
    /// The labels of the effects that it requests, and those that it cancels, with the reason why that would be in vain.
    fileprivate func labels(
        _ action: String
    ) -> (ids: [EffectLabel], cancellations: [(label: EffectLabel, text: String)]) {
        var (ids, cancellations): ([EffectLabel], [(label: EffectLabel, text: String)]) = ([], [])
        for step in steps {
            guard let label = step.key?.label else { continue }
            if case .cancel = step {
                cancellations.append((label, "\(action) requests \(step), but no effect has had that id"))
            } else {
                ids.append(label)
            }
        }
        return (ids, cancellations)
    }
}
