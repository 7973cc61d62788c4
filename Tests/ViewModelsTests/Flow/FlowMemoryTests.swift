import Streams
import StreamsTesting
import TestConcurrency
import Testing
import ViewModels
import ViewModelsTesting

@Suite("Memory of a flow", .limitedConcurrency, .nothingSurvives)
@MainActor
struct FlowMemoryTests {
    private struct Screen: Sendable {
        var probe = CopyProbe()
        var title = 0
        @Pulse var toast: String?
    }

    @Test("a flow changes its state in place while states, parts and pulses are observed")
    func inPlace() {
        let store = FlowStore(
            Script(Screen()) { state, number in
                state.probe.change()
                state.title += number
                state.toast = "hello"
                return .event("ding")
            })
        let bag = DisposeBag()
        let titles = Received(store.state.select(\.title))
        let toasts = Received(store.state.pulse(\.$toast))
        let events = Received(store.events)
        store.state.drive(onNext: { _ in }).disposed(by: bag)
        store.state.drive(onNext: { _ in }).disposed(by: bag)
        for number in 1...100 { store.send(number) }
        #expect(store.currentState.probe.copies == 0)
        #expect(titles.elements.count == 101 && toasts.elements.count == 101 && events.elements.count == 100)
    }

    @Test("a store keeps no observer whose stream has ended before it is connected")
    func endedBefore() {
        final class Observer: Sendable {}
        let store = FlowStore(
            Script(Screen()) { state, number in
                state.title += number
                return .event("ding")
            })
        weak var states: Observer?
        weak var events: Observer?
        func subscribe() {
            let (ofStates, ofEvents) = (Observer(), Observer())
            (states, events) = (ofStates, ofEvents)
            _ = store.state.asObservable().take(until: Observable.just(1))
                .subscribe(onNext: { _ in withExtendedLifetime(ofStates) {} })
            _ = store.events.asObservable().take(until: Observable.just(1))
                .subscribe(onNext: { _ in withExtendedLifetime(ofEvents) {} })
        }
        subscribe()
        store.send(1)
        #expect(states == nil && events == nil)
    }

    @Test("the copy probe detects the copy for an observer that retains a state")
    func probe() {
        let store = FlowStore(
            Script(Screen(), of: Int.self) { state, _ in
                state.probe.change()
                return .none
            })
        let received = Received(store.state)
        for number in 1...3 { store.send(number) }
        #expect(store.currentState.probe.copies == 3)
        #expect(received.elements.count == 4)
    }

    @Test("a flow changes its state in place while effects run and other threads send")
    func inPlaceWithEffects() async {
        let answers = PublishSubject<Int>()
        let store = FlowStore(
            Script(Screen(), work: { _ in answers }) { state, number in
                state.probe.change()
                return number == 0 ? .run("answers") : .none
            })
        store.send(0)
        await Task.detached {
            for number in 1...100 { answers.onNext(number) }
        }.value
        #expect(store.currentState.probe.copies == 0)
        store.dismiss()
    }

    @Test("50,000 actions leave no action, effect, id or event behind")
    func flat() {
        struct Action: Sendable {
            let number: Int
            let value: Alive.Value
        }
        let alive = Alive()
        let store = FlowStore(
            Script(0, work: { _ in .just(Action(number: 1, value: alive.make())) }) { state, action in
                state += 1
                switch action.number % 50 {
                case 2: return .run("a")
                case 3: return .latest("a", id: action.number)
                case 4: return .inOrder("a", "b", id: action.number)
                case 5: return .exhausting("a").and(.cancel("nobody"))
                case 6: return .event("e")
                default: return .none
                }
            })
        let bag = DisposeBag()
        store.events.emit(onNext: { _ in }).disposed(by: bag)
        store.state.drive(onNext: { _ in }).disposed(by: bag)
        var number = 0
        while store.currentState < 50_000 {
            number += 1
            store.send(Action(number: number, value: alive.make()))
        }
        #expect(alive.now == 0)
        #expect(alive.atMost <= 3)
    }

    @Test("releasing a store releases the flow, its state and its effects")
    func letGo() {
        let alive = Alive()
        expectNothingSurvives {
            let held = alive.make()
            let bag = DisposeBag()
            let store = FlowStore(
                Script((alive.make(), 0), of: Int.self, work: { _ in Observable.never().do(onNext: { _ in _ = held }) })
                { state, _ in
                    state.1 += 1
                    return .run("a", "b").and(.inOrder("c", "d")).and(.latest("e")).and(.event("waits"))
                })
            store.state.drive(onNext: { _ in }).disposed(by: bag)
            store.state.select(\.1).drive(onNext: { _ in }).disposed(by: bag)
            store.bind(Observable<Int>.never())
            store.send(1)
        }
        #expect(alive.now == 0)
    }

    @Test("a released store leaves nothing behind in the disposables of its bindings and observers")
    func disposables() {
        let alive = Alive()
        var disposables: [any Disposable] = []
        do {
            let store = FlowStore(Script(alive.make(), of: Int.self, work: { _ in .never() }) { _, _ in .none })
            disposables = [store.bind(Observable<Int>.never()), store.state.drive(onNext: { _ in })]
            store.dismiss()
            disposables.append(store.bind(Observable<Int>.never()))
        }
        #expect(alive.now == 0)
        withExtendedLifetime(disposables) {}
    }

    @Test("releasing a flow as a view model releases the flow, its state and its effects")
    func viewModelLetGo() {
        let alive = Alive()
        expectNothingSurvives {
            let held = alive.make()
            let actions = PublishSubject<Int>()
            let output = Script(alive.make(), work: { _ in .never().do(onDispose: { _ = held }) }) { _, _ in
                .run("a").and(.event("waits"))
            }.transform(actions)
            let bag = DisposeBag()
            output.state.drive(onNext: { _ in }).disposed(by: bag)
            actions.onNext(1)
        }
        #expect(alive.now == 0)
    }
}
