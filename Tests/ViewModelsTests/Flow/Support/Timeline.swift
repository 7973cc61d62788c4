import Streams
import StreamsTesting
import ViewModels

/// Runs a ``Probe`` in virtual time, and returns the status changes of its side effects with their ticks, one per line.
struct Timeline {
    private let scheduler = TestScheduler()
    private let log = Log()
    private let store: Probe.Store

    /// - Parameter works: The elements of each side effect, as marbles of 10 ticks; `"a": "-1|"` emits `a1` 10 ticks
    ///   later.
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

    /// Sends the requests at those ticks, and runs everything.
    func run(_ asked: [(tick: Int, next: Next<Probe.Work, String>)]) -> [String] {
        for (tick, next) in asked {
            scheduler.scheduleAt(tick) { [store] in store.send(.ask(next)) }
        }
        scheduler.run()
        scheduler.expectIdle()
        return log.lines
    }
}
