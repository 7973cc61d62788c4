import Streams
import StreamsTesting
import Synchronization
import TestConcurrency
import Testing
import ViewModels
import ViewModelsTesting

@Suite("Order of a flow", .limitedConcurrency, .nothingSurvives)
struct FlowOrderTests {
    struct Sent: Equatable, Sendable {
        let thread: Int
        let number: Int
    }

    @Test(
        "with 8 sending threads, no action is lost, each thread's actions stay in order, and reductions never overlap")
    func threads() {
        let isReducing = Atomic(false)
        let overlaps = Atomic(0)
        let store = FlowStore(
            Script([Sent]()) { state, sent in
                if isReducing.exchange(true, ordering: .relaxed) { overlaps.add(1, ordering: .relaxed) }
                state.append(sent)
                isReducing.store(false, ordering: .relaxed)
                return .none
            })
        onThreads(8) { thread in
            for number in 0..<2_000 { store.send(Sent(thread: thread, number: number)) }
        }
        #expect(overlaps.load(ordering: .relaxed) == 0)
        let byThread = Dictionary(grouping: store.currentState, by: \.thread)
        #expect(byThread.count == 8)
        for (_, sent) in byThread { #expect(sent.map(\.number) == Array(0..<2_000)) }
    }

    @Test("with 8 sending threads, every observer receives the states in the order of the reductions")
    func statesOfThreads() {
        SharingScheduler.mock(scheduler: InlineScheduler()) {
            let store = FlowStore(
                Script(0, of: Void.self) { state, _ in
                    state += 1
                    return .none
                })
            let received = (0..<3).map { _ in Mutexed<[Int]>([]) }
            let subscriptions = received.map { received in
                store.state.asObservable().subscribe(onNext: { state in received.change { $0.append(state) } })
            }
            onThreads(8) { _ in
                for _ in 0..<500 { store.send(()) }
            }
            for received in received { #expect(received.value == Array(0...4_000)) }
            subscriptions.forEach { $0.dispose() }
        }
    }

    @Test("with 8 sending threads, no reader sees a partially reduced state")
    func readers() {
        struct Pair: Sendable {
            var left = 0
            var right = [0]
        }
        let store = FlowStore(
            Script(Pair(), of: Void.self) { state, _ in
                state.left += 1
                state.right[0] += 1
                return .none
            })
        let torn = Atomic(0)
        onThreads(8) { thread in
            for _ in 0..<2_000 {
                if thread.isMultiple(of: 2) {
                    store.send(())
                } else {
                    let pair = store.currentState
                    if pair.left != pair.right[0] { torn.add(1, ordering: .relaxed) }
                }
            }
        }
        #expect(torn.load(ordering: .relaxed) == 0)
        #expect(store.currentState.left == 8_000)
    }

    @Test("an action that a side effect sends during a reduction is enqueued after earlier ones")
    func reentrantEffects() {
        let probe = Probe { name in Observable.of(name + "1", name + "2") }
        let store = FlowStore(probe)
        store.send(.ask(.run(.load("a"), .load("b"))))
        #expect(store.currentState.said == ["a1", "a2", "b1", "b2"])
    }

    @Test("an effect that answers at once keeps its place among effects that send while they start", arguments: 0..<40)
    func answersAtOnce(seed: Int) {
        @Sendable func random(_ text: String, below bound: Int) -> Int {
            let hash = text.utf8.reduce(UInt64(seed) &+ 14_695_981_039_346_656_037) { hash, byte in
                (hash ^ UInt64(byte)) &* 1_099_511_628_211
            }
            return Int((hash >> 33) % UInt64(bound))
        }
        /// The actions in the order of their reduction, if a stream of one element is `just` or something else.
        func reduced(_ one: @escaping @Sendable (String) -> Observable<String>) -> [String] {
            let work: @Sendable (String) -> Observable<String> = { name in
                random(name, below: 3) == 0 ? .of(name + "a", name + "b") : one(name + "c")
            }
            let store = FlowStore(
                Script([String](), work: work) { state, action in
                    state.append(action)
                    if action.count > 5 { return .none }
                    let names = (0..<random(action + "?", below: 4)).map { "\(action)\($0)" }
                    return names.reduce(.none) { next, name in
                        switch random(name + "!", below: 6) {
                        case 0: next.and(.latest(name, id: 1))
                        case 1: next.and(.inOrder(name, id: 2))
                        case 2: next.and(.cancel(1)).and(.run(name))
                        default: next.and(.run(name))
                        }
                    }
                })
            for number in 0..<10 { store.send("\(number)") }
            return store.currentState
        }
        let expected = reduced { text in .deferred { .just(text) } }
        #expect(reduced { .just($0) } == expected)
        #expect(expected.count > 10)
    }

    @Test("an action that an effect sends while it starts is reduced when the requests of the action are carried out")
    func duringTheStart() {
        let store = Mutexed<Probe.Store?>(nil)
        let probe = Probe { name in
            .deferred { .just(name + " after \(store.value?.currentState.said.count ?? 0)") }
        }
        store.change { $0 = FlowStore(probe) }
        store.value?.send(.ask(.run(.load("a"), .load("b"))))
        #expect(store.value?.currentState.said == ["a after 0", "b after 0"])
        store.change { $0 = nil }
    }

    @Test("actions sent before the first observer are reduced in order")
    @MainActor
    func earlyActions() {
        let store = FlowStore(Probe { _ in .empty() })
        for text in ["a", "b", "c"] { store.send(.said(text)) }
        let received = Received(store.state)
        #expect(received.elements.map(\.said) == [["a", "b", "c"]])
    }

    @Test("a flow as a view model reduces the actions that a WaitingRelay buffered, in order")
    @MainActor
    func earlyActionsOfAViewModel() {
        let actions = WaitingRelay<Probe.Action>()
        for text in ["a", "b"] { actions.accept(.said(text)) }
        let output = Probe { _ in .empty() }.transform(actions.asObservable())
        let received = Received(output.state)
        actions.accept(.said("c"))
        #expect(received.elements.map(\.said) == [[], ["a"], ["a", "b"], ["a", "b", "c"]])
    }

    @Test("a result meets the state at the time of its arrival")
    func arrival() {
        let answer = PublishSubject<Int>()
        enum Action: Sendable { case ask, set(Int), add(Int) }
        let store = FlowStore(
            Script(1, work: { _ in answer.map(Action.add) }) { state, action in
                switch action {
                case .ask: return .run("answer")
                case .set(let number): state = number
                case .add(let number): state += number
                }
                return .none
            })
        store.send(.ask)
        store.send(.set(10))
        answer.onNext(5)
        #expect(store.currentState == 15)
        answer.onCompleted()
    }

    @Test("with effects on the drivers' scheduler, an action on the main actor never waits for an answer elsewhere")
    @MainActor
    func effectsOnTheMainActor() async {
        let answer = PublishSubject<String>()
        let reductions = Mutexed<[String]>([])
        let store = FlowStore(
            Script(0, work: { _ in answer }) { (_, action: String) in
                reductions.change { $0.append(isOnMainQueue ? action : "\(action) elsewhere") }
                return action == "ask" ? .run("answer") : .none
            }, effectsOn: DriverSharingStrategy.scheduler)
        let effects = store.send("ask")
        onThreads(1) { _ in
            answer.onNext("answer")
            answer.onCompleted()
        }
        store.send("key")
        await effects.finish()
        #expect(reductions.value == ["ask", "key", "answer"])
    }

    @Test("actions of a cancelled side effect that were not reduced yet are dropped")
    @MainActor
    func staleResult() {
        let streams = ["old": PublishSubject<String>(), "new": PublishSubject<String>()]
        let store = FlowStore(Probe { name in streams[name] ?? .init() })
        let bag = DisposeBag()
        store.send(.ask(.latest(.load("old"))))
        // The old answer arrives during the action that replaces it, and is enqueued behind it.
        store.state.asObservable().skip(1).take(1).subscribe(onNext: { _ in streams["old"]?.onNext("stale") })
            .disposed(by: bag)
        store.send(.ask(.latest(.load("new"))))
        streams["new"]?.onNext("fresh")
        #expect(store.currentState.said == ["fresh"])
        store.dismiss()
    }

    @Test(
        "a synchronous effect that requests itself 20,000 times uses constant stack, and other actions are reduced in between"
    )
    func deepRecursion() {
        enum Action: Sendable { case tick(Int), visit }
        struct Ticks: Sendable {
            var count = 0
            var atVisit = 0
        }
        let visit = Mutexed<(@Sendable () -> Void)?>(nil)
        let script = Script(Ticks(), of: Action.self) { text in
            let number = Int(text) ?? 0
            if number == 10_000 { visit.value?() }
            return .just(.tick(number))
        } _: { state, action in
            switch action {
            case .tick(let number):
                state.count = number
                return number < 20_000 ? .run("\(number + 1)") : .none
            case .visit:
                state.atVisit = state.count
                return .none
            }
        }
        let store = FlowStore(script)
        visit.change { [weak store] visit in visit = { [weak store] in store?.send(.visit) } }
        store.send(.tick(0))
        #expect(store.currentState.count == 20_000)
        #expect(store.currentState.atVisit == 9_999)
    }

    @Test("20,000 synchronous actions of a side effect are all reduced, in order")
    func wideEffect() {
        let store = FlowStore(
            Script([Int](), work: { _ in Observable.from(Array(1...20_000)) }) { state, number in
                if number == 0 { return .run("all") }
                state.append(number)
                return .none
            })
        store.send(0)
        #expect(store.currentState == Array(1...20_000))
    }

    @Test("an action that an observer sends while it receives the first state is delivered after that state")
    @MainActor
    func sendingFromTheFirstState() {
        // A scheduler that runs nested work immediately: order must not depend on it.
        SharingScheduler.mock(scheduler: ConcurrentMainScheduler.instance) {
            let store = FlowStore(
                Script(0, of: Int.self) { state, number in
                    state = number
                    return .none
                })
            let log = Log()
            let subscription = store.state.drive(onNext: { state in
                log.add("begin \(state)")
                if state == 0 { store.send(1) }
                log.add("end \(state)")
            })
            #expect(log.lines == ["begin 0", "end 0", "begin 1", "end 1"])
            subscription.dispose()
        }
    }
}
