import Dispatch
import Streams
import StreamsTesting
import TestConcurrency
import Testing
import ViewModels
import ViewModelsTesting

@Suite("Mutation flows", .limitedConcurrency, .nothingSurvives)
@MainActor
struct MutationFlowTests {
    /// Counts; a jump makes two changes, and a wait one later change.
    private struct Counter: MutationFlow {
        enum Action: Sendable { case plus, jump, wait }
        enum SideEffect: Sendable { case add(Int) }

        let later: Observable<Int>
        var initialState: Int { 0 }

        func transform(_ action: Action) -> Observable<SideEffect> {
            switch action {
            case .plus: .just(.add(1))
            case .jump: .of(.add(10), .add(100))
            case .wait: later.map(SideEffect.add)
            }
        }

        func reduce(_ state: Int, _ sideEffect: SideEffect) -> Int {
            switch sideEffect {
            case .add(let number): state + number
            }
        }
    }

    @Test("each action of a mutation flow becomes changes, and each change is applied to the current state")
    func changes() {
        let later = PublishSubject<Int>()
        let store = FlowStore(Counter(later: later))
        let received = Received(store.state)
        store.send(.wait)
        store.send(.plus)
        store.send(.jump)
        later.onNext(1_000)
        #expect(received.elements == [0, 1, 11, 111, 1_111])
        #expect(store.currentState == 1_111)
        store.dismiss()
        #expect(!later.hasObservers)
    }

    @Test("the work of an action is not finished while its change waits for a change on another thread")
    func contention() {
        struct Slow: MutationFlow {
            let later: Observable<Int>
            let isReducing = DispatchSemaphore(value: 0)
            let mayContinue = DispatchSemaphore(value: 0)
            var initialState: [Int] { [] }
            func transform(_ action: Int) -> Observable<Int> { action == 0 ? later : .just(action) }
            func reduce(_ state: inout [Int], _ change: Int) {
                if change == 1 {
                    isReducing.signal()
                    mayContinue.wait()
                }
                state.append(change)
            }
        }
        let later = PublishSubject<Int>()
        let slow = Slow(later: later)
        let store = FlowStore(slow)
        let waiting = store.send(0)
        let wasFinished = Mutexed<Bool?>(nil)
        let sent = Mutexed<ActionEffects?>(nil)
        onThreads(2) { thread in
            if thread == 0 { return later.onNext(1) }
            slow.isReducing.wait()
            let effects = store.send(2)
            wasFinished.change { $0 = effects.areFinished }
            sent.change { $0 = effects }
            slow.mayContinue.signal()
        }
        #expect(wasFinished.value == false)
        #expect(sent.value?.areFinished == true)
        #expect(store.currentState == [1, 2])
        #expect(!waiting.areFinished)
        store.dismiss()
        #expect(waiting.areFinished)
    }

    @Test("an action whose stream fails is finished, and the flow continues")
    func failure() {
        struct Failing: MutationFlow {
            var initialState: [Int] { [] }
            func transform(_ action: Int) -> Observable<Int> {
                action == 0 ? .concat(.just(7), .error(RxError.timeout)) : .just(action)
            }
            func reduce(_ state: inout [Int], _ change: Int) { state.append(change) }
        }
        let store = FlowStore(Failing())
        #expect(store.send(0).areFinished)
        store.send(8)
        #expect(store.currentState == [7, 8])
    }

    @Test("a mutation flow runs as a view model")
    func viewModel() {
        let actions = PublishSubject<Counter.Action>()
        expectOnlyComposes(Counter(later: .never())) { inputs in
            inputs.count(actions)
        } whileBound: {
            actions.onNext(.wait)
        }
        let received = Received(Counter(later: .never()).transform(.of(.plus, .jump)).state)
        #expect(received.elements == [0, 1, 11, 111])
    }

    @Test("a store of a mutation flow binds streams of actions, and may begin with another state")
    func bind() {
        let store = FlowStore(Counter(later: .never()), initialState: 5)
        let actions = PublishSubject<Counter.Action>()
        let binding = store.bind(actions)
        actions.onNext(.plus)
        #expect(store.currentState == 6)
        binding.dispose()
        #expect(!actions.hasObservers)
    }
}
