import Streams
import StreamsTesting
import TestConcurrency
import Testing
import ViewModels
import ViewModelsTesting

@Suite("Flow stores", .limitedConcurrency, .nothingSurvives)
@MainActor
struct FlowStoreTests {
    @Test("an action changes the state before its synchronous delivery on the main actor")
    func stateFirst() {
        let store = FlowStore(Tally())
        let log = Log()
        let bag = DisposeBag()
        store.state.drive(onNext: { log.add("\($0.count), current \(store.currentState.count)") }).disposed(by: bag)
        store.send(.add(1))
        store.send(.add(2))
        #expect(log.lines == ["0, current 0", "1, current 1", "3, current 3"])
    }

    @Test("an action sent during another one is enqueued")
    func reentrancy() {
        let store = FlowStore(Tally())
        let log = Log()
        let bag = DisposeBag()
        store.state.drive(onNext: { state in
            log.add("A\(state.count)")
            if state.count == 1 { store.send(.add(10)) }
        }).disposed(by: bag)
        store.state.drive(onNext: { log.add("B\($0.count)") }).disposed(by: bag)
        store.send(.add(1))
        #expect(log.lines == ["A0", "B0", "A1", "B1", "A11", "B11"])
    }

    @Test("a selected part is emitted only when it differs")
    func select() {
        let store = FlowStore(Tally())
        let log = Log()
        let bag = DisposeBag()
        store.state.select(\.count).drive(onNext: { log.add("\($0)") }).disposed(by: bag)
        for number in [1, 0, 0, 2] { store.send(.add(number)) }
        #expect(log.lines == ["0", "1", "3"])
    }

    @Test("dismissal completes the streams of a store, and later actions are ignored")
    func dismissal() {
        let store = FlowStore(Tally())
        let log = Log()
        let bag = DisposeBag()
        store.state.drive(onNext: { log.add("\($0.count)") }, onCompleted: { log.add("over") }).disposed(by: bag)
        store.events.emit(onNext: { _ in }, onCompleted: { log.add("no more events") }).disposed(by: bag)
        store.send(.add(1))
        store.dismiss()
        store.send(.add(1))
        #expect(log.lines == ["0", "1", "over", "no more events"])
        #expect(store.currentState.count == 1)
    }

    @Test("reading the state inside reduce stops the program with a reason")
    func readingInsideReduce() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let read = Mutexed<(@Sendable () -> Void)?>(nil)
            let store = FlowStore(
                Script(0, of: Int.self) { _, _ in
                    read.value?()
                    return .none
                })
            read.change { [weak store] read in read = { [weak store] in _ = store?.currentState } }
            store.send(1)
        }
        let said = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
        #expect(said.contains("`currentState` was read inside `reduce` of Script<Int, Int>, which depends on"))
        #expect(said.contains("use the state that `reduce` receives"))
    }

    @Test("a flow as a view model starts with the first output subscription and ends with the last")
    func viewModel() {
        let actions = PublishSubject<Tally.Action>()
        let output = Tally().transform(actions)
        #expect(!actions.hasObservers)
        let log = Log()
        let state = output.state.drive(onNext: { log.add("\($0.count)") })
        let events = output.events.emit(onNext: { log.add($0) })
        actions.onNext(.add(2))
        actions.onNext(.ring("ding"))
        #expect(log.lines == ["0", "2", "2", "ding"])
        state.dispose()
        #expect(actions.hasObservers)
        events.dispose()
        #expect(!actions.hasObservers)
    }
}

/// Sums up, and raises an event on request.
struct Tally: Flow {
    struct State: Equatable, Sendable { var count = 0 }
    enum Action: Equatable, Sendable {
        case add(Int)
        case ring(String)
    }

    var initialState: State { State() }

    func reduce(_ state: inout State, _ action: Action) -> Next<Never, String> {
        switch action {
        case .add(let number):
            state.count += number
            return .none
        case .ring(let text): return .event(text)
        }
    }
}
