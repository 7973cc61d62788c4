import Streams
import StreamsTesting
import TestTurns
import Testing
import ViewModels
import ViewModelsTesting

@Suite("Mutation flows", .takesTurns, .nothingSurvives)
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
