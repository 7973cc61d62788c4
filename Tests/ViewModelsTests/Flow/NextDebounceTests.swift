import Composition
import Streams
import StreamsTesting
import TestConcurrency
import Testing
import ViewModels
import ViewModelsTesting

@Suite("Debounced side effects", .limitedConcurrency, .nothingSurvives)
struct NextDebounceTests {
    private func trace(_ asked: [(tick: Int, next: Next<Probe.Work, String>)]) -> [String] {
        let scheduler = TestScheduler(resolution: 0.001)
        let log = Log()
        let store = withDependencies {
            $0.useVirtualTime(of: scheduler)
        } operation: {
            FlowStore(
                Probe { name in
                    log.add("\(scheduler.clock) \(name) performed")
                    return .just(name)
                })
        }
        for (tick, next) in asked { scheduler.scheduleAt(tick) { store.send(.ask(next)) } }
        scheduler.run()
        return log.lines + store.currentState.said
    }

    @Test("of several requests within the delay, only the last side effect starts")
    func debounce() {
        let after = Duration.milliseconds(300)
        #expect(
            trace([
                (0, .latest(.load("a"), after: after)), (200, .latest(.load("b"), after: after)),
                (450, .latest(.load("c"), after: after)), (1_000, .latest(.load("d"), after: after)),
            ]) == ["750 c performed", "1300 d performed", "c", "d"])
    }

    @Test("a delayed side effect counts as running: it is cancelled, and replaced by one without a delay")
    func cancelled() {
        let after = Duration.milliseconds(300)
        #expect(
            trace([
                (0, .latest(.load("a"), after: after, id: "a")), (100, .cancel("a")),
                (200, .latest(.load("b"), after: after, id: "x")), (300, .latest(.load("c"), id: "x")),
            ]) == ["300 c performed", "c"])
    }

    @Test("a side effect with the longest delay waits until it is replaced")
    func longest() {
        let longest = Duration.seconds(Int64.max)
        #expect(
            trace([(0, .latest(.load("a"), after: longest)), (100, .latest(.load("b"), after: .milliseconds(300)))])
                == ["400 b performed", "b"])
    }

    @Test("a trace reports a delayed side effect as queued, and as started when its delay has passed")
    func traced() {
        let (scheduler, log) = (TestScheduler(resolution: 0.001), Log())
        let store = withDependencies {
            $0.useVirtualTime(of: scheduler)
        } operation: {
            FlowStore(
                Probe { .just($0) }.traced { step in
                    if case .effect(let effect, let change) = step {
                        log.add("\(scheduler.clock) \(effect.sideEffect) \(change)")
                    }
                })
        }
        for (tick, name) in [(100, "a"), (200, "b")] {
            scheduler.scheduleAt(tick) {
                store.send(.ask(.latest(.load(name), after: .milliseconds(300))))
            }
        }
        scheduler.run()
        #expect(
            log.lines == ["100 a queued", "200 a cancelled", "200 b queued", "500 b started", "500 b ended"])
    }

    @Test("a delayed request is compared and described with its delay")
    func described() {
        let next = Next<Probe.Work, String>.latest(.load("a"), after: .seconds(1))
        #expect("\(next)" == ".latest(a, after: 1.0 seconds)")
        #expect(next != .latest(.load("a")))
        #expect(next != .latest(.load("a"), after: .seconds(2)))
    }
}
