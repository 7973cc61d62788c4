import Streams
import StreamsTesting
import TestConcurrency
import Testing
import ViewModels
import ViewModelsTesting

@Suite("Events of a flow", .limitedConcurrency, .nothingSurvives)
@MainActor
struct FlowEventsTests {
    @Test("events without an observer are buffered, and delivered once, in order, to the first observer")
    func wait() {
        let store = FlowStore(Tally())
        store.send(.ring("a"))
        store.send(.ring("b"))
        let first = Received(store.events)
        let second = Received(store.events)
        #expect(first.elements == ["a", "b"])
        #expect(second.elements == [])
        store.send(.ring("c"))
        #expect(first.elements == ["a", "b", "c"])
        #expect(second.elements == ["c"])
    }

    @Test("events are buffered again after the last observer has unsubscribed")
    func waitAgain() {
        let store = FlowStore(Tally())
        var received: Received<String>? = Received(store.events)
        store.send(.ring("a"))
        #expect(received?.elements == ["a"])
        received = nil
        store.send(.ring("b"))
        let next = Received(store.events)
        #expect(next.elements == ["b"])
    }

    @Test("buffered events that an observer has not received before its disposal go to the next one")
    func leavesInTheMiddle() {
        let store = FlowStore(Tally())
        for text in ["a", "b", "c"] { store.send(.ring(text)) }
        let first = Mutexed<[String]>([])
        let bag = DisposeBag()
        store.events.asObservable().take(1).subscribe(onNext: { event in first.change { $0.append(event) } })
            .disposed(by: bag)
        #expect(first.value == ["a"])
        #expect(Received(store.events).elements == ["b", "c"])
    }

    @Test("an event is not lost if its observer is disposed before the main actor delivers it")
    func onItsWay() {
        let scheduler = TestScheduler()
        SharingScheduler.mock(scheduler: scheduler) {
            let store = FlowStore(Tally())
            let early = store.events.emit(onNext: { _ in Issue.record("the subscription was disposed") })
            store.send(.ring("a"))
            early.dispose()
            scheduler.run()
            let received = Received(store.events)
            scheduler.run()
            #expect(received.elements == ["a"])
        }
    }

    @Test("an event is delivered after the state of the same action")
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

    @Test("of 20,000 events without an observer, the newest 1,000 are buffered, and the others counted")
    func many() {
        let store = FlowStore(
            Script(0, of: Int.self) { _, number in .event("\(number)") })
        for number in 0..<20_000 { store.send(number) }
        #expect(store.droppedEventCount == 19_000)
        #expect(Received(store.events).elements == (19_000..<20_000).map { "\($0)" })
    }
}
