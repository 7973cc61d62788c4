import Streams
import StreamsTesting
import ViewModels

/// What a flow under test did, as far as the test has not taken it yet.
///
/// `Sendable` though a flow may do things on any thread: all of it is behind a lock.
final class FlowRecord<F: Flow>: Sendable {
    private struct State {
        var reductions: ArraySlice<F.Step.Reduction> = []
        var events: ArraySlice<(event: F.Event, cause: String)> = []
        var running: [Int: F.Step.Effect] = [:]
        var failures: [EffectFailure] = []
        /// What the actions and effects were, by their numbers.
        var actions: [Int: String] = [:]
        var effects: [Int: String] = [:]
        var steps = 0
        weak var stopping: TestScheduler?

        func describe(_ effect: F.Step.Effect) -> String {
            "the side effect \(effect.sideEffect) of \(actions[effect.action] ?? "no action")"
        }
    }

    private let state = TracedMutex(State())

    /// Takes note of a step.
    func add(_ step: F.Step) {
        let stopping = state.withLock { state in
            state.steps += 1
            switch step {
            case .reduced(let reduction):
                state.actions[reduction.number] = "\(reduction.action)"
                state.reductions.append(reduction)
            case .raised(let event, let action):
                state.events.append((event, state.actions[action] ?? "no action"))
            case .effect(let effect, let change):
                state.effects[effect.number] = state.describe(effect)
                switch change {
                case .started, .queued: state.running[effect.number] = effect
                case .ignored: break
                case .ended, .cancelled: state.running[effect.number] = nil
                case .failed(let failure):
                    state.running[effect.number] = nil
                    state.failures.append(failure)
                }
            case .dismissed: state.running = [:]
            }
            return state.stopping
        }
        stopping?.stop()
    }

    /// The scheduler to be stopped at the next step.
    var stopping: TestScheduler? {
        get { state.withLock { $0.stopping } }
        set { state.withLock { $0.stopping = newValue } }
    }

    /// How much has happened.
    var steps: Int { state.withLock { $0.steps } }
    var hasReduction: Bool { state.withLock { !$0.reductions.isEmpty } }
    var hasEvent: Bool { state.withLock { !$0.events.isEmpty } }
    /// Whether all side effects have ended.
    var isIdle: Bool { state.withLock { $0.running.isEmpty } }

    func takeReduction() -> F.Step.Reduction? { state.withLock { $0.reductions.popFirst() } }

    func takeEvent() -> (event: F.Event, cause: String)? { state.withLock { $0.events.popFirst() } }

    func takeFailures() -> [EffectFailure] {
        state.withLock { state in
            defer { state.failures = [] }
            return state.failures
        }
    }

    /// An action and where it came from.
    func describe(_ reduction: F.Step.Reduction) -> String {
        switch reduction.cause {
        case .sent: "\(reduction.action), sent"
        case .effect(let number):
            "\(reduction.action), from \(state.withLock { $0.effects[number] } ?? "a side effect")"
        }
    }

    /// The side effects that have not ended.
    func describeRunning() -> String {
        let running = state.withLock { state in
            state.running.sorted { $0.key < $1.key }.map { "  \(state.describe($0.value))" }
        }
        return running.isEmpty ? "no side effect is running" : "there run still\n\(running.joined(separator: "\n"))"
    }
}
