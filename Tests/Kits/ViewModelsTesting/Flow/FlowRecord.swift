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

    private struct Steps {
        var reductions: ArraySlice<Reduced> = []
        var events: ArraySlice<(event: Event, cause: String)> = []
        var running: [Int: Step.Effect] = [:]
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
    }

    private typealias Labels = (ids: [EffectLabel], cancellations: [(label: EffectLabel, text: String)])

    private let state = TracedMutex(Steps())
    /// The thread that the tester drives; otherwise 0.
    private let driver = Atomic<UInt>(0)
    /// The term for a side effect: "side effect", or "action" of a mutation flow.
    let noun: String

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
                state.reductions.append(Reduced(reduction: reduction, isFromOutside: isFromOutside))
                state.missingChildren += reduction.next.missingChildren.map {
                    "\(text) addresses \($0), which is not in the state"
                }
            case .raised(let event, let action):
                state.events.append((event, state.actions[action] ?? "no action"))
            case .effect(let effect, let change):
                let cause = state.actions[effect.action].map { " of \($0)" } ?? ""
                state.effects[effect.number] = text + (noun == "action" ? "" : cause)
                switch change.kind {
                case .started, .queued: state.running[effect.number] = effect
                case .ignored: break
                case .ended, .cancelled: state.running[effect.number] = nil
                case .failed(let failure):
                    state.running[effect.number] = nil
                    state.failures.append(failure)
                }
            case .dismissed: state.running = [:]
            }
            defer { state.waiting = [] }
            return (state.stopping, state.waiting)
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
    var hasReduction: Bool { state.withLock { !$0.reductions.isEmpty } }
    var hasEvent: Bool { state.withLock { !$0.events.isEmpty } }
    /// Whether all side effects have ended.
    var isIdle: Bool { state.withLock { $0.running.isEmpty } }

    /// The next action.
    var firstAction: Action? { state.withLock { $0.reductions.first?.reduction.action } }

    func takeReduction() -> Reduced? { state.withLock { $0.reductions.popFirst() } }

    func takeEvent() -> (event: Event, cause: String)? { state.withLock { $0.events.popFirst() } }

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
                cancellations.append(
                    (
                        label,
                        "\(action) requests \(step), but no effect has had that id\(label.isKind ? Self.remedy : "")"
                    ))
            } else {
                ids.append(label)
            }
        }
        return (ids, cancellations)
    }

    private static var remedy: String {
        ": only `latest` and `exhausting` without an id give it the kind of its side effect"
    }
}
