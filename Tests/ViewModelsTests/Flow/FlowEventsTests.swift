import Streams
import StreamsTesting
import TestTurns
import Testing
import ViewModels
import ViewModelsTesting

@Suite("Events of a flow", .takesTurns, .nothingSurvives)
@MainActor
struct FlowEventsTests {
    @Test("events wait while no one listens, and are told once, to the first who does, in order")
    func wait() {
        let store = FlowStore(Tally())
        store.send(.ring("a"))
        store.send(.ring("b"))
        let first = Heard(store.events)
        let second = Heard(store.events)
        #expect(first.elements == ["a", "b"])
        #expect(second.elements == [])
        store.send(.ring("c"))
        #expect(first.elements == ["a", "b", "c"])
        #expect(second.elements == ["c"])
    }

    @Test("when the last listener has left they wait again")
    func waitAgain() {
        let store = FlowStore(Tally())
        var heard: Heard<String>? = Heard(store.events)
        store.send(.ring("a"))
        #expect(heard?.elements == ["a"])
        heard = nil
        store.send(.ring("b"))
        let next = Heard(store.events)
        #expect(next.elements == ["b"])
    }

    @Test("a listener that leaves in the middle of what waits leaves the rest to the next")
    func leavesInTheMiddle() {
        let store = FlowStore(Tally())
        for text in ["a", "b", "c"] { store.send(.ring(text)) }
        let first = Mutexed<[String]>([])
        let bag = DisposeBag()
        store.events.asObservable().take(1).subscribe(onNext: { event in first.change { $0.append(event) } })
            .disposed(by: bag)
        #expect(first.value == ["a"])
        #expect(Heard(store.events).elements == ["b", "c"])
    }

    @Test("an event on its way to the main actor is not lost when its listener leaves before it arrives")
    func onItsWay() {
        let scheduler = TestScheduler()
        SharingScheduler.mock(scheduler: scheduler) {
            let store = FlowStore(Tally())
            let early = store.events.emit(onNext: { _ in Issue.record("has left") })
            store.send(.ring("a"))
            early.dispose()
            scheduler.run()
            let heard = Heard(store.events)
            scheduler.run()
            #expect(heard.elements == ["a"])
        }
    }

    @Test("an event is told after the state of the same action")
    func afterTheState() {
        let store = FlowStore(
            Script(0) { state, number in
                state = number
                return .event("\(number)")
            })
        let log = Log()
        let bag = DisposeBag()
        store.events.emit(onNext: { log.add("event \($0), state \(store.currentState)") }).disposed(by: bag)
        store.state.drive(onNext: { log.add("state \($0)") }).disposed(by: bag)
        store.send(7)
        #expect(log.lines == ["state 0", "state 7", "event 7, state 7"])
    }

    @Test("20,000 events that no one hears: the newest 1,000 wait, and the others are counted")
    func many() {
        let store = FlowStore(
            Script(0, of: Int.self) { _, number in .event("\(number)") })
        for number in 0..<20_000 { store.send(number) }
        #expect(store.droppedEventCount == 19_000)
        #expect(Heard(store.events).elements == (19_000..<20_000).map { "\($0)" })
    }
}
