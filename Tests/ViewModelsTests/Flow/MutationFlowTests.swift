import Streams
import StreamsTesting
import TestTurns
import Testing
import ViewModels
import ViewModelsTesting

@Suite("A mutation flow", .takesTurns, .nothingSurvives)
@MainActor
struct MutationFlowTests {
    /// Counts; a jump is two changes, and a wait one that comes later.
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

    @Test("each action becomes changes, each change a state; a change meets the state of its time")
    func changes() {
        let later = PublishSubject<Int>()
        let store = FlowStore(Counter(later: later))
        let heard = Heard(store.state)
        store.send(.wait)
        store.send(.plus)
        store.send(.jump)
        later.onNext(1_000)
        #expect(heard.elements == [0, 1, 11, 111, 1_111])
        #expect(store.currentState == 1_111)
        store.dismiss()
        #expect(!later.hasObservers)
    }

    @Test("runs as a view model, by the same rules")
    func viewModel() {
        let actions = PublishSubject<Counter.Action>()
        expectOnlyComposes(Counter(later: .never())) { inputs in
            inputs.count(actions)
        } whileBound: {
            actions.onNext(.wait)
        }
        let heard = Heard(Counter(later: .never()).transform(.of(.plus, .jump)).state)
        #expect(heard.elements == [0, 1, 11, 111])
    }

    @Test("binds streams of actions, and may begin with another state")
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
