import Streams
import StreamsTesting
import TestConcurrency
import Testing
import ViewModels
import ViewModelsTesting

@Suite("Trace of a flow", .limitedConcurrency, .nothingSurvives)
struct FlowTraceTests {
    private struct Offline: Error {}

    @Test("debug prints actions with their causes, changes of the state, events, and the status of effects")
    func debug() {
        let log = Log()
        let works = Works()
        let store = FlowStore(Probe { works[$0] }.debug("probe") { log.add($0) })
        store.send(.ask(.inOrder(.load("a"), .load("b")).and(.event("ding"))))
        works["a"].onNext("hello")
        works["a"].onCompleted()
        store.send(.ask(.exhausting(.load("c"), id: 1).and(.exhausting(.load("c"), id: 1)).and(.cancel(1))))
        store.dismiss()
        #expect(
            log.lines == [
                "probe: action 1, ask(.inOrder(a, b) and .event(ding)), sent",
                "probe:   effect 1 started: a, requested by action 1",
                "probe:   effect 2 queued: b, requested by action 1",
                "probe:   event: ding",
                #"probe: action 2, said("hello"), by effect 1"#,
                #"probe:   said[0]: nothing → "hello""#,
                "probe:   effect 1 ended: a, requested by action 1",
                "probe:   effect 2 started: b, requested by action 1",
                "probe: action 3, ask(.exhausting(c, id: 1) and .exhausting(c, id: 1) and .cancel(1)), sent",
                "probe:   effect 3 started: c, requested by action 3",
                "probe:   effect 4 ignored: c, requested by action 3",
                "probe:   effect 3 cancelled: c, requested by action 3",
                "probe:   effect 2 cancelled: b, requested by action 1",
                "probe: dismissed",
            ])
    }

    @Test("the trace reports an effect whose stream fails, and the effect that waits for it starts")
    func failure() {
        let log = Log()
        let store = FlowStore(
            Probe { name in name == "a" ? .error(Offline()) : .just("b") }.debug("probe") { log.add($0) })
        store.send(.ask(.inOrder(.load("a"), .load("b"))))
        #expect(store.currentState.said == ["b"])
        #expect(log.lines.contains("probe:   effect 1 failed (Offline()): a, requested by action 1"))
    }

    @Test("changes are compared by kind, and failures by their description as well")
    func changes() {
        typealias Change = FlowStep<Int, Int, String, Never>.Change
        let failures = ["a", "b"].map { Change.failed(EffectFailure(of: $0, RxError.timeout)) }
        #expect(Change.started == .started && Change.started != .queued && failures[0] != .ended)
        #expect(failures[0] == failures[0] && failures[0].failure?.sideEffect == "a" && Change.ended.failure == nil)
        #expect(failures[0] == .failed(EffectFailure(of: "a", RxError.timeout)))
        #expect(
            "\(EffectFailure(of: "a", RxError.timeout))"
                == "the side effect a failed: Sequence timeout. Turn errors into actions, in `perform`, with `catch`")
        #expect(failures[0] != failures[1])
    }

    @Test("every event and state of a trace leads back to the sent action")
    func causes() {
        let steps = Mutexed<[Script<Int, Int>.Step]>([])
        let script = Script(0, work: { .just((Int($0) ?? 0) + 1) }) { state, number in
            state = number
            return number < 3 ? .run("\(number)") : .event("done")
        }
        FlowStore(script.traced { step in steps.change { $0.append(step) } }).send(1)
        var actionOfEffect: [Int: Int] = [:]
        var causeOfAction: [Int: FlowCause] = [:]
        var raisedBy: Int?
        for step in steps.value {
            switch step {
            case .reduced(let reduction): causeOfAction[reduction.number] = reduction.cause
            case .effect(let effect, _): actionOfEffect[effect.number] = effect.action
            case .raised(_, let action): raisedBy = action
            case .dismissed: break
            }
        }
        var path: [Int] = []
        while let action = raisedBy {
            path.append(action)
            raisedBy = nil
            if case .effect(let effect)? = causeOfAction[action] { raisedBy = actionOfEffect[effect] }
        }
        #expect(path == [3, 2, 1])
        #expect(causeOfAction[1] == .sent)
    }

    @Test("two traces of one flow receive every step, and do not change its behaviour")
    func twice() {
        let (one, other) = (Log(), Log())
        let store = FlowStore(
            Tally().traced { one.add($0.lines.joined()) }.debug("tally") { other.add($0) })
        store.send(.add(2))
        #expect(store.currentState.count == 2)
        #expect(one.lines == ["action 1, add(2), sent  count: 0 → 2"])
        #expect(other.lines == ["tally: action 1, add(2), sent", "tally:   count: 0 → 2"])
    }

    @Test("a traced flow as a view model traces the same steps")
    @MainActor
    func viewModel() {
        let log = Log()
        let output = Tally().debug("tally") { log.add($0) }.transform(.just(.add(2)))
        #expect(Received(output.state).elements.map(\.count) == [0, 2])
        #expect(log.lines == ["tally: action 1, add(2), sent", "tally:   count: 0 → 2", "tally: dismissed"])
    }
}
