import Streams
import StreamsTesting
import ViewModels

/// Runs a ``Probe`` in virtual time, and tells what became of its side effects, and when: a line for each.
struct Timeline {
    private let scheduler = TestScheduler()
    private let log = Log()
    private let store: Probe.Store

    /// - Parameter works: What each side effect says, as marbles of 10 ticks; `"a": "-1|"` says `a1` 10 ticks later.
    init(_ works: [String: String]) {
        let (scheduler, log) = (scheduler, log)
        let probe = Probe { name in
            scheduler.cold(works[name] ?? "|").asObservable().map { name + $0 }
        }
        store = FlowStore(
            probe.traced { step in
                switch step {
                case .reduced(let reduction):
                    if case .said(let text) = reduction.action { log.add("\(scheduler.clock) \(text)") }
                case .effect(let effect, let change): log.add("\(scheduler.clock) \(effect.sideEffect) \(change)")
                case .raised(let event, action: _): log.add("\(scheduler.clock) event \(event)")
                case .dismissed: log.add("\(scheduler.clock) dismissed")
                }
            })
    }

    /// Sends what is to be asked for at those ticks, and runs everything.
    func run(_ asked: [(tick: Int, next: Next<Probe.Work, String>)]) -> [String] {
        for (tick, next) in asked {
            scheduler.scheduleAt(tick) { [store] in store.send(.ask(next)) }
        }
        scheduler.run()
        scheduler.expectIdle()
        return log.lines
    }
}
