import Streams
import StreamsTesting
import TestConcurrency
import Testing
import ViewModels
import ViewModelsTesting

@Suite("Flows as view models", .limitedConcurrency, .nothingSurvives)
@MainActor
struct FlowViewModelTests {
    @Test(
        "transform of a flow only composes, binding each output subscribes to the input once, and disposal leaves nothing alive"
    )
    func composes() {
        let actions = PublishSubject<Tally.Action>()
        expectOnlyComposes(Tally()) { inputs in
            inputs.count(actions)
        } whileBound: {
            actions.onNext(.add(1))
        }
    }

    @Test("a flow as a view model starts with the first output, bound in any order, and ends with the last")
    func lifetime() {
        let actions = PublishSubject<Tally.Action>()
        let output = Tally().transform(actions)
        var events: Received<String>? = Received(output.events)
        #expect(actions.hasObservers)
        actions.onNext(.add(2))
        var states: Received<Tally.State>? = Received(output.state)
        actions.onNext(.ring("ding"))
        #expect(events?.elements == ["ding"])
        #expect(states?.elements.map(\.count) == [2, 2])
        events = nil
        #expect(actions.hasObservers)
        states = nil
        #expect(!actions.hasObservers)
        #expect(Received(output.state).elements.map(\.count) == [0])
    }

    @Test("synchronous actions of the input are reduced after the first state was delivered")
    func synchronousInput() {
        let output = Tally().transform(.of(.add(1), .add(2)))
        #expect(Received(output.state).elements.map(\.count) == [0, 1, 3])
    }

    @Test("disposing the last output ends the side effects, and completion of the input does not")
    func effects() {
        let works = Works()
        let actions = PublishSubject<Probe.Action>()
        let output = Probe { works[$0] }.transform(actions)
        var states: Received<Probe.State>? = Received(output.state)
        actions.onNext(.ask(.run(.load("a"))))
        actions.onCompleted()
        works["a"].onNext("hello")
        #expect(states?.elements.last?.said == ["hello"])
        states = nil
        #expect(works.running == [])
    }

    @Test("the outputs of a flow deliver on the driver scheduler, which a test may replace")
    func virtualTime() {
        let scheduler = TestScheduler()
        SharingScheduler.mock(scheduler: scheduler) {
            let actions = scheduler.createHotObservable([.next(10, Tally.Action.add(1)), .next(20, .ring("ding"))])
            let output = Tally().transform(actions.asObservable())
            let states = scheduler.createObserver(Int.self)
            let events = scheduler.createObserver(String.self)
            let subscriptions = [
                output.state.select(\.count).asObservable().subscribe(states),
                output.events.asObservable().subscribe(events),
            ]
            scheduler.run()
            #expect(states.events == [.next(1, 0), .next(11, 1)])
            #expect(events.events == [.next(21, "ding")])
            subscriptions.forEach { $0.dispose() }
            #expect(actions.subscriptions == [Subscription(0, 21)])
        }
    }
}
