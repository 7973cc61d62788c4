import Streams
import StreamsTesting
import TestConcurrency
import Testing
import ViewModels
import ViewModelsTesting

@Suite("The effects of an action", .limitedConcurrency, .nothingSurvives)
struct ActionEffectsTests {
    @Test("an action without requests has no effects")
    func none() async {
        let effects = FlowStore(Tally()).send(.add(1))
        #expect(effects.areFinished)
        await effects.finish()
        effects.cancel()
    }

    @Test("the effects of an action are finished when all have ended, including effects of effects")
    func chain() async {
        let (first, second) = (PublishSubject<String>(), PublishSubject<String>())
        enum Action: Sendable { case begin, answer(String) }
        let store = FlowStore(
            Script([String](), work: { ($0 == "first" ? first : second).map(Action.answer) }) { state, action in
                switch action {
                case .begin: return .run("first")
                case .answer(let text):
                    state.append(text)
                    return text == "a" ? .run("second") : .none
                }
            })
        let effects = store.send(.begin)
        #expect(!effects.areFinished)
        first.onNext("a")
        first.onCompleted()
        #expect(!effects.areFinished)
        second.onNext("b")
        async let ended: Void = effects.finish()
        second.onCompleted()
        await ended
        #expect(effects.areFinished)
        #expect(store.currentState == ["a", "b"])
    }

    @Test("a task that begins to wait while the last effect ends on another thread is resumed")
    func waitDuringTheEnd() async {
        for _ in 0..<1_000 {
            let stream = PublishSubject<String>()
            let store = FlowStore(Probe { _ in stream.asObservable() })
            let effects = store.send(.ask(.run(.load("a"))))
            async let ended: Void = effects.finish()
            stream.onCompleted()
            await ended
            store.dismiss()
        }
    }

    @Test("cancelling the effects of an action ends its running and waiting ones, and no others")
    func cancel() {
        let streams = ["a": PublishSubject<String>(), "b": PublishSubject<String>(), "c": PublishSubject<String>()]
        let store = FlowStore(Probe { streams[$0] ?? .init() })
        let effects = store.send(.ask(.inOrder(.load("a"), .load("b"), id: 1)))
        let others = store.send(.ask(.inOrder(.load("c"), id: 1)))
        #expect(streams["a"]?.hasObservers == true)
        effects.cancel()
        #expect(effects.areFinished)
        #expect(streams["a"]?.hasObservers == false)
        #expect(streams["b"]?.hasObservers == false)
        // The effect behind the cancelled ones starts.
        #expect(streams["c"]?.hasObservers == true)
        #expect(!others.areFinished)
        store.dismiss()
        #expect(others.areFinished)
    }

    @Test("cancelling the task that waits for effects cancels them")
    func cancelledTask() async {
        let stream = PublishSubject<String>()
        let store = FlowStore(Probe { _ in stream.asObservable() })
        let waiting = Task { await store.send(.ask(.run(.load("a")))).finish() }
        waiting.cancel()
        await waiting.value
        #expect(!stream.hasObservers)
    }

    @Test("the effects of an enqueued action are not finished before its reduction")
    @MainActor
    func queued() {
        let store = FlowStore(Tally())
        let bag = DisposeBag()
        let effects = Mutexed<[ActionEffects]>([])
        store.state.drive(onNext: { state in
            if state.count == 1 {
                let sent = store.send(.add(1))
                #expect(!sent.areFinished)
                effects.change { $0.append(sent) }
            }
        }).disposed(by: bag)
        store.send(.add(1))
        #expect(effects.value.map(\.areFinished) == [true])
    }

    @Test("the effects of a mutation flow's action are finished when its stream has ended")
    func mutationFlow() async {
        struct Wait: MutationFlow {
            let later: Observable<Int>
            var initialState: Int { 0 }
            func transform(_ action: Int) -> Observable<Int> { later }
            func reduce(_ state: inout Int, _ change: Int) { state += change }
        }
        let later = PublishSubject<Int>()
        let store = FlowStore(Wait(later: later.asObservable()))
        let effects = store.send(1)
        later.onNext(3)
        #expect(!effects.areFinished)
        later.onCompleted()
        await effects.finish()
        let cancelled = FlowStore(Wait(later: .never()))
        let waiting = cancelled.send(1)
        waiting.cancel()
        #expect(waiting.areFinished)
    }

    @Test("an action of a mutation flow that is cancelled while it waits changes nothing", arguments: [false, true])
    @MainActor
    func cancelledInTheQueue(isTraced: Bool) {
        struct Adding: MutationFlow {
            let isTraced: Bool
            let later: Observable<Int>
            var initialState: [Int] { [] }
            var trace: (@Sendable (MutationStep<[Int], Int, Int>) -> Void)? {
                guard isTraced else { return nil }
                return { _ in }
            }
            func transform(_ action: Int) -> Observable<Int> {
                switch action {
                case 0: later
                case 1: .just(1)
                default: .of(action, action)
                }
            }
            func reduce(_ state: inout [Int], _ change: Int) { state.append(change) }
        }
        let later = PublishSubject<Int>()
        let store = FlowStore(Adding(isTraced: isTraced, later: later.asObservable()))
        let bag = DisposeBag()
        store.state.drive(onNext: { state in
            // The first waits as an action, the second as a change.
            guard [3, 4].contains(state.last), state.count < 4 else { return }
            for action in [1, 2] { store.send(action).cancel() }
        }).disposed(by: bag)
        store.send(3)
        #expect(store.currentState == [3, 3])
        store.send(0)
        later.onNext(4)
        #expect(store.currentState == [3, 3, 4])
    }
}
