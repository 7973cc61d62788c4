import Streams
import StreamsTesting
import TestConcurrency
import Testing
import ViewModels
import ViewModelsTesting

/// A screen whose jobs show as working until they are answered, or have ended without an answer.
private struct Desk: Flow {
    struct State: Equatable {
        var working: [String] = []
        var log: [String] = []
    }
    enum Action: Equatable {
        case ask(Next<SideEffect, Never>)
        case progress(String)
        case done(String)
        case gaveUp(String)
    }
    enum SideEffect: Equatable {
        case job(String)
        case silent
    }

    let jobs: @Sendable (String) -> Observable<Action>
    var next: @Sendable (Action) -> Next<SideEffect, Never> = { _ in .none }
    var initialState: State { State() }

    func reduce(_ state: inout State, _ action: Action) -> Next<SideEffect, Never> {
        switch action {
        case .ask(let next):
            for case .job(let name) in next.sideEffects { state.working.append(name) }
            return next
        case .progress(let name): state.log.append("progress \(name)")
        case .done(let name):
            state.working.removeAll { $0 == name }
            state.log.append("done \(name)")
        case .gaveUp(let name):
            state.working.removeAll { $0 == name }
            state.log.append("gave up \(name)")
        }
        return next(action)
    }

    func perform(_ sideEffect: SideEffect) -> Observable<Action> {
        switch sideEffect {
        case .job(let name): jobs(name)
        case .silent: .empty()
        }
    }

    func unanswered(_ sideEffect: SideEffect) -> Action? {
        switch sideEffect {
        case .job(let name): .gaveUp(name)
        case .silent: nil
        }
    }
}

extension Next where SideEffect == Desk.SideEffect, Event == Never {
    fileprivate var sideEffects: [SideEffect] {
        steps.flatMap { step -> [SideEffect] in
            switch step {
            case .run(let effect, _), .latest(let effect, _, _), .exhausting(let effect, _): [effect]
            case .inOrder(let effects, _): effects
            case .cancel, .event: []
            }
        }
    }
}

@Suite("Effects that end without an answer", .limitedConcurrency, .nothingSurvives)
struct UnansweredTests {
    @Test("the action for an effect without an answer is reduced when the caller cancels it, running or waiting")
    func cancelled() {
        let store = FlowStore(Desk { _ in .never() })
        let effects = store.send(.ask(.inOrder(.job("a"), .job("b")).and(.run(.silent))))
        #expect(store.currentState.working == ["a", "b"])
        effects.cancel()
        #expect(store.currentState == .init(working: [], log: ["gave up a", "gave up b"]))
        effects.cancel()
        #expect(store.currentState.log.count == 2)
    }

    @Test("an effect whose caller cancels it before its action is reduced has no answer, either")
    func cancelledBeforeReduction() {
        let store = Mutexed<FlowStore<Desk.State, Desk.Action, Never>?>(nil)
        let desk = Desk { name in
            // While an effect starts, what others send is enqueued.
            if name == "first" { store.value?.send(.ask(.run(.job("second")))).cancel() }
            return .never()
        }
        store.change { $0 = FlowStore(desk) }
        store.value?.send(.ask(.run(.job("first"))))
        #expect(store.value?.currentState == .init(working: ["first"], log: ["gave up second"]))
        store.value?.dismiss()
        store.change { $0 = nil }
    }

    @Test("whoever waits for a cancelled action finds the state that no longer waits for its effects")
    func waitingTask() async {
        for _ in 0..<200 {
            let store = FlowStore(Desk { _ in .never() })
            let waiting = Task { await store.send(.ask(.run(.job("a")))).finish() }
            await Task.yield()
            waiting.cancel()
            await waiting.value
            #expect(store.currentState.working == [])
            store.dismiss()
        }
    }

    @Test("the action for an effect without an answer is reduced when its stream completes without an action")
    func completed() async {
        let store = FlowStore(Desk { $0 == "a" ? .empty() : .just(.done($0)) })
        await store.send(.ask(.run(.job("a"), .job("b")))).finish()
        #expect(store.currentState == .init(working: [], log: ["gave up a", "done b"]))
    }

    @Test("the action for an effect without an answer is reduced when its stream fails, even after an action")
    func failed() async {
        let store = FlowStore(Desk { .concat(.just(.progress($0)), .error(RxError.timeout)) })
        await store.send(.ask(.run(.job("a")))).finish()
        #expect(store.currentState == .init(working: [], log: ["progress a", "gave up a"]))
    }

    @Test("an effect that has sent an action and then completes has answered")
    func answered() async {
        let store = FlowStore(Desk { .of(.progress($0), .done($0)) })
        await store.send(.ask(.run(.job("a")))).finish()
        #expect(store.currentState == .init(working: [], log: ["progress a", "done a"]))
    }

    @Test("an effect that the caller cancels after its first action has not answered")
    func cancelledAfterProgress() {
        let store = FlowStore(Desk { .concat(.just(.progress($0)), .never()) })
        store.send(.ask(.run(.job("a")))).cancel()
        #expect(store.currentState == .init(working: [], log: ["progress a", "gave up a"]))
    }

    @Test(
        "an effect that reduce replaces, cancels or ignores gets no answer",
        arguments: [
            Next<Desk.SideEffect, Never>.latest(.job("b"), id: 1), .cancel(1), .exhausting(.job("b"), id: 1),
        ])
    fileprivate func ownCancellation(next: Next<Desk.SideEffect, Never>) {
        let store = FlowStore(Desk { _ in .never() })
        store.send(.ask(.run(.job("a"), id: 1)))
        store.send(.ask(next))
        #expect(store.currentState.log == [])
        store.dismiss()
        #expect(store.currentState.log == [])
    }

    @Test("the effects of an action for an effect without an answer run, although its group was cancelled")
    func furtherEffects() {
        let started = Mutexed<[String]>([])
        var desk = Desk { name in
            started.change { $0.append(name) }
            return .never()
        }
        desk.next = { if case .gaveUp("a") = $0 { .run(.job("again")) } else { .none } }
        let store = FlowStore(desk)
        store.send(.ask(.run(.job("a")))).cancel()
        #expect(started.value == ["a", "again"])
    }

    @Test("a parent and each row reduce an action for each of their own effects that ended without an answer")
    func composed() {
        enum Action: Sendable { case row(Int, Row.Action), own(Int), gaveUp }
        struct Row: Flow {
            struct State: Identifiable, Equatable { let id: Int; var log: [String] = [] }
            enum Action: Sendable { case begin, gaveUp }
            enum SideEffect: Equatable { case work }
            var initialState: State { State(id: 0) }
            func reduce(_ state: inout State, _ action: Action) -> Next<SideEffect, Never> {
                if case .begin = action { return .run(.work) }
                state.log.append("gave up")
                return .none
            }
            func perform(_ sideEffect: SideEffect) -> Observable<Action> { .never() }
            func unanswered(_ sideEffect: SideEffect) -> Action? { .gaveUp }
        }
        struct List: Flow {
            struct State: Equatable { var rows: IdentifiedRows<Row.State> = [Row.State(id: 1), Row.State(id: 2)] }
            let initialState = State()
            func reduce(_ state: inout State, _ action: Action) -> Next<Never, Never> { .none }
        }
        let rows = ActionCase(Action.row) { if case .row(let id, let action) = $0 { (id, action) } else { nil } }
        let store = FlowStore(List().forEach(\.rows, action: rows, row: Row()).traced { _ in })
        let second = store.send(.row(2, .begin))
        store.send(.row(1, .begin))
        second.cancel()
        #expect(store.currentState.rows.map(\.log) == [[], ["gave up"]])
    }

    @Test("FlowTester receives the action for an effect that ended without an answer")
    func tester() {
        let tester = FlowTester(Desk { _ in .empty() })
        tester.send(.ask(.run(.job("a"))), starts: .job("a")) { $0.working = ["a"] }
        tester.receive(.gaveUp("a")) { $0 = .init(log: ["gave up a"]) }
        tester.finish()
    }

    @Test(
        "a mutation flow reduces a change for each action that was cancelled or has failed", arguments: [false, true])
    func mutationFlow(isTraced: Bool) async {
        struct Loader: MutationFlow {
            enum Action { case load, fail, skip }
            enum SideEffect { case began, loaded, ended }
            struct State: Equatable {
                var isLoading = false
                var endings = 0
            }
            let initialState = State()
            let transforms: Bool
            func transform(_ action: Action) -> Observable<SideEffect> {
                switch action {
                case .load: .concat(.just(.began), .never())
                case .fail: .concat(.just(.began), .error(RxError.timeout))
                case .skip: .empty()
                }
            }
            func unanswered(_ action: Action) -> SideEffect? { .ended }
            func reduce(_ state: inout State, _ sideEffect: SideEffect) {
                state.isLoading = sideEffect == .began
                if sideEffect == .ended { state.endings += 1 }
            }
            func transform(mutations: Observable<SideEffect>) -> Observable<SideEffect> {
                transforms ? mutations.filter { _ in true } : mutations
            }
        }
        for transforms in [false, true] {
            let loader = Loader(transforms: transforms)
            let store = isTraced ? FlowStore(loader.traced { _ in }) : FlowStore(loader)
            let load = store.send(.load)
            #expect(store.currentState.isLoading)
            load.cancel()
            load.cancel()
            #expect(store.currentState == .init(isLoading: false, endings: 1))
            await store.send(.fail).finish()
            #expect(store.currentState == .init(isLoading: false, endings: 2))
            await store.send(.skip).finish()
            #expect(store.currentState.endings == 2)
            store.send(.load)
            store.dismiss()
            #expect(store.currentState == .init(isLoading: true, endings: 2))
        }
    }

    @Test("cancelling on one thread while effects answer on others leaves nothing that waits", arguments: 0..<4)
    func threads(seed: Int) async {
        for round in 0..<100 {
            let store = FlowStore(
                Desk { name in
                    .create { observer in
                        observer.onNext(.done(name))
                        observer.onCompleted()
                        return Disposables.create()
                    }
                    .subscribe(on: ConcurrentDispatchQueueScheduler(qos: .default))
                })
            let effects = (0..<3).map { store.send(.ask(.run(.job("\(round) \($0)")))) }
            onThreads(effects.count) { effects[$0].cancel() }
            for effects in effects { await effects.finish() }
            #expect(store.currentState.working == [])
            store.dismiss()
        }
    }
}
