import Synchronization
import Testing
import ViewModels
import ViewModelsTesting

/// A list to which any thread appends.
nonisolated final class Log<Element: Sendable>: Sendable {
    private let list = Mutex<[Element]>([])
    var all: [Element] { list.withLock { $0 } }
    func add(_ element: Element) { list.withLock { $0.append(element) } }
}

@Suite("Flows", .nothingSurvives, .timeLimit(.minutes(5)))
struct FlowTests {
    @Test("a tester follows every step in virtual time")
    func testing() {
        let tester = FlowTester(Search())
        tester.send(.typed("Jeju"), starts: .search("Jeju")) {
            $0.text = "Jeju"
            $0.isSearching = true
        }
        tester.receive(.found(["Jeju in winter"])) {
            $0.titles = ["Jeju in winter"]
            $0.isSearching = false
        }
        tester.send(.opened("Jeju in winter"))
        tester.receive(event: .open("Jeju in winter"))
        tester.send(.opened("again"))
        tester.receive(eventWhere: { $0 == .open("again") })
        #expect(tester.state.titles.count == 1 && tester.scheduler.clock == 200 && tester.isExhaustive)
        tester.withExhaustivity(false) {
            let effects = tester.send(.typed("Busan"))
            tester.receive(where: { if case .found = $0 { true } else { false } })
            effects.finish()
            #expect(effects.areFinished)
            tester.send(.typed("Seoul")).cancel()
            tester.skipReceived()
            tester.advance(by: .seconds(1))
        }
        tester.finish()
        tester.dismiss()
    }

    @Test("a side effect that starts later is a step of its own, also outside of virtual time")
    func laterSideEffects() async {
        let tester = FlowTester(Search())
        tester.send(.typed("a")) {
            $0.text = "a"
            $0.isSearching = true
        }
        tester.receive(sideEffect: .search("a"))
        await tester.receive(.found(["a in winter"]), within: .seconds(10)) {
            $0.titles = ["a in winter"]
            $0.isSearching = false
        }
        let effects: TestedEffects = tester.send(.stopped)
        tester.receive(sideEffectWhere: { $0 == .log })
        await effects.finish(within: .seconds(10))
        tester.finish()
        let base: TestedFlow = tester
        base.dependencies { $0.uuid = .incrementing }
    }

    @Test("a specification compares the state and the requests of actions, without running them")
    func specifications() {
        let spec = FlowSpec(Search())
        let outcome: FlowOutcome<Search> = spec.when(.typed("Jeju"))
        #expect(outcome.after.text == "Jeju" && outcome.next == .latest(.search("Jeju"), id: "search"))
        outcome.then(.latest(.search("Jeju"), id: "search")) {
            $0.text = "Jeju"
            $0.isSearching = true
        }
        spec.given { $0.titles = ["a"] }.when(.opened("a")).then(.event(.open("a")))
        spec.given(Search.State(text: "a")).when(.stopped).then(
            Search.State(text: "a"), .cancel("search").and(.run(.log)))
    }

    @Test("requests say how side effects run")
    func requests() {
        typealias Request = Next<String, Int>
        #expect(Request.none.isNone && Request.none == .none)
        #expect(
            Request.run("a", "b") == .run(["a", "b"])
                && Request.inOrder("a", "b", id: 1) == .inOrder(["a", "b"], id: 1))
        #expect(Request.latest("a") != .exhausting("a") && Request.latest("a", after: .seconds(1)) != .latest("a"))
        #expect(Request.event(1).and(.cancel("id")) != .cancel(child: "id"))
        let mapped = Request.run("a").and(.event(1)).map({ $0.count }, event: { "\($0)" }, in: "child")
        #expect(mapped != Request.run("b").map({ $0.count + 1 }, event: { "\($0)" }, in: "child"))
    }

    @Test("a store runs a flow, and hands out parts of it", .dependencies { $0.clock = ContinuousClock() })
    func stores() async {
        let store: Search.Store = FlowStore(Search(), initialState: Search.State(text: "a"))
        let (states, events, toasts) = (Log<String>(), Log<Search.Event>(), Log<String?>())
        let bag = DisposeBag()
        store.state.select(\.text).asObservable().subscribe(onNext: { states.add($0) }).disposed(by: bag)
        store.state.pulse(\.$toast).asObservable().subscribe(onNext: { toasts.add($0) }).disposed(by: bag)
        store.events.asObservable().subscribe(onNext: { events.add($0) }).disposed(by: bag)
        store.bind(Observable.just(.opened("b"))).disposed(by: bag)
        let effects: ActionEffects = store.send(.typed("c"))
        #expect(!effects.areFinished && store.currentState.text == "c" && store.droppedEventCount == 0)
        effects.cancel()
        await effects.finish()
        #expect(effects.areFinished && ActionEffects().areFinished && store.currentState.toast == "nothing found")
        let titles = store.scope(state: \.titles) { (text: String) in Search.Action.typed(text) }
        let first = store.scope(state: { $0.titles.first }) { (text: String) in Search.Action.typed(text) }
        #expect(titles.currentState == [] && first == nil)
        store.dismiss()
    }

    @Test("a flow is a view model: actions in, states and events out")
    @MainActor
    func output() async {
        let actions = WaitingRelay<Search.Action>(limit: 10)
        actions.accept(.opened("a"))
        let output: FlowOutput<Search.State, Search.Event> = Search().transform(actions.asObservable())
        let events = Log<Search.Event>()
        let copy = FlowOutput(state: output.state, events: output.events)
        let subscriptions = [copy.events.emit(onNext: { events.add($0) }), copy.state.drive(onNext: { _ in })]
        while events.all.isEmpty { await Task.yield() }
        #expect(events.all == [.open("a")] && actions.droppedCount == 0)
        for subscription in subscriptions { subscription.dispose() }
        let relay = WaitingRelay<Int>()
        relay.subscribe(AnyObserver { _ in }).dispose()
        let types: [Any.Type] = [
            Search.Input.self, Search.Output.self, Search.Event.self, Search.Step.self, Draft.Event.self,
            Draft.SideEffect.self,
        ]
        #expect(types.count == 6)
    }

    @Test("a flow has children: rows, a part, and one that may be absent")
    func children() {
        let home: some Flow<Home.State, Home.Action, Never> = Home()
            .forEach(\.rows, action: Home.row, row: Row())
            .ifLet(\.sheet, action: Home.sheet, child: Row())
            .scope(\.header, action: Home.header, child: Row())
        let store = FlowStore(home)
        for action: Home.Action in [.row(2, .plus), .header(.plus), .opened, .sheet(.plus)] { store.send(action) }
        #expect(store.currentState.rows[id: 2]?.count == 1 && store.currentState.rows[id: 1]?.count == 0)
        #expect(store.currentState.header.count == 1 && store.currentState.sheet?.count == 1)
        #expect(Home.sheet.extract(Home.sheet.embed(.plus)) == .plus)

        // The types of the combined flows, and their own reducers.
        let rows: ForEachFlow<Home, Row> = Home().forEach(\.rows, action: Home.row, row: Row())
        let sheet: IfLetFlow<Home, Row> = Home().ifLet(\.sheet, action: Home.sheet, child: Row())
        let header: ScopeFlow<Home, Row> = Home().scope(\.header, action: Home.header, child: Row())
        var state: ParentFlow<Home, Row, Int>.State = rows.initialState
        let action: ParentFlow<Home, Row, Int>.Action = .row(1, .plus)
        let next: Next<ParentFlow<Home, Row, Int>.SideEffect, ParentFlow<Home, Row, Int>.Event> = rows.reduce(
            &state, action)
        #expect(!next.isNone && state.rows[id: 1]?.count == 1 && sheet.initialState == header.initialState)
        let effects: [ParentFlow<Home, Row, Int>.SideEffect] = [.child(1, .save(1))]
        #expect(effects.allSatisfy { rows.unanswered($0) == nil })
        _ = rows.perform(effects[0])
        // `Home` has no side effects of its own.
        let parent: (Never) -> ParentFlow<Home, Row, Int>.SideEffect = ParentFlow<Home, Row, Int>.SideEffect.parent
        _ = parent
    }

    @Test("a trace records each action, effect and event", .dependencies { $0.clock = ContinuousClock() })
    func traces() {
        let log = Log<String>()
        let flow: TracedFlow<Search> = Search().traced { (step: Search.Step) in
            switch step {
            case .reduced(let reduction):
                let cause: FlowCause = reduction.cause
                #expect(reduction.number > 0 && reduction.before != reduction.after || reduction.next != .none)
                switch cause {
                case .sent: log.add("sent \(reduction.action)")
                case .effect(let number): log.add("by effect \(number)")
                }
            case .effect(let effect, let change):
                #expect(effect.number == 1 && effect.action == 1 && change.failure == nil)
                log.add("\(effect.sideEffect) \(change == .started ? "started" : "ended")")
            case .raised(let event, let action): log.add("\(event) by \(action)")
            case .dismissed: log.add("dismissed")
            }
        }
        let store = FlowStore(flow.debug("search") { _ in })
        store.send(.typed("a"))
        store.send(.opened("b"))
        store.dismiss()
        #expect(
            log.all == [
                #"sent typed("a")"#, #"search("a") started"#, #"sent opened("b")"#, #"open("b") by 2"#,
                #"search("a") ended"#, "dismissed",
            ])

        // What a test of a trace makes by hand.
        let failure = EffectFailure(of: "save", RxError.timeout)
        #expect(failure.sideEffect == "save" && failure.error is RxError)
        typealias Change = FlowStep<Int, Int, String, Never>.Change
        let changes: [Change] = [.started, .queued, .ignored, .ended, .cancelled, .failed(failure)]
        #expect(changes.count { $0 == .ended } == 1)
        let effect = FlowStep<Int, Int, String, Never>.Effect(number: 1, sideEffect: "save", action: 1)
        let reduction = FlowStep<Int, Int, String, Never>.Reduction(
            number: 1, action: 2, cause: .sent, before: 0, after: 2, next: .none)
        #expect(effect.number == reduction.number)

        // A traced flow is a flow, with the trace of what it wraps.
        var state: TracedFlow<Search>.State = flow.initialState
        let action: TracedFlow<Search>.Action = .opened("c")
        let next: Next<TracedFlow<Search>.SideEffect, TracedFlow<Search>.Event> = flow.reduce(&state, action)
        #expect(next == .event(.open("c")) && flow.trace != nil && Search().trace == nil)
        _ = flow.perform(.log)
        #expect(flow.unanswered(.search("a")) == .gaveUp)
    }
}

@Suite("Mutation flows", .nothingSurvives, .timeLimit(.minutes(5)))
struct MutationFlowTests {
    @Test("a tester follows the side effects of each action in virtual time")
    func testing() async {
        let tester = MutationTester(Profile())
        tester.send(.refreshed)
        tester.receive(.loading(true)) { $0.isLoading = true }
        tester.receive(.named("Mina")) { $0.name = "Mina" }
        tester.receive(.loading(false)) { $0.isLoading = false }
        tester.send(.saved)
        tester.receive(action: .renamed("Mina!"))
        tester.receive(.named("Mina!")) { $0.name = "Mina!" }
        tester.finish()
    }

    @Test("a traced mutation flow reports actions and their side effects")
    func traces() {
        let log = Log<String>()
        let flow: TracedMutationFlow<Profile> = Profile().traced { (step: Profile.Step) in
            switch step {
            case .action(let action, let number, let change):
                #expect(change.failure == nil)
                log.add("\(number) \(change == .began ? "began" : "ended"): \(action)")
            case .reduced(let reduction):
                #expect(reduction.number == 1 && reduction.before.name == "" && reduction.after.name == "a")
                log.add("\(reduction.sideEffect) of \(reduction.action ?? 0)")
            case .dismissed: log.add("dismissed")
            }
        }
        let store: FlowStore<Profile.State, Profile.Action, Never> = FlowStore(flow.debug("profile") { _ in })
        store.send(.renamed("a"))
        store.dismiss()
        #expect(log.all == [#"1 began: renamed("a")"#, #"named("a") of 1"#, #"1 ended: renamed("a")"#, "dismissed"])

        typealias Change = MutationStep<Int, Int, String>.Change
        let changes: [Change] = [.began, .ended, .cancelled, .failed(EffectFailure(of: "save", RxError.timeout))]
        #expect(changes.last?.failure?.sideEffect == "save" && changes[0] != changes[1])
        let reduction = MutationStep<Int, Int, String>.Reduction(
            number: 1, sideEffect: "save", action: nil, before: 0, after: 1)
        #expect(reduction.after == 1 && Profile().trace == nil && flow.trace != nil)

        // A traced flow is a flow.
        var state: TracedMutationFlow<Profile>.State = flow.initialState
        let effect: TracedMutationFlow<Profile>.SideEffect = .named("b")
        flow.reduce(&state, effect)
        #expect(state.name == "b" && flow.unanswered(.refreshed) == .loading(false))
        let action: TracedMutationFlow<Profile>.Action = .renamed("c")
        _ = (flow.transform(action), flow.transform(actions: .just(action)), flow.transform(mutations: .just(effect)))
    }

    @Test("a running flow is connected by hand, where a test needs only its closures")
    func running() {
        let log = Log<Profile.Action>()
        var flow = Profile()
        flow.running = RunningFlow(currentState: { Profile.State(name: "a") }, send: { log.add($0) })
        flow.send(.renamed(flow.currentState.name))
        #expect(log.all == [.renamed("a")])
        let later: Observable<Profile.Action> = .just(.refreshed)
        flow.running = RunningFlow(currentState: { Profile.State(name: "b") }, send: { _ in }, actions: later)
        _ = flow.actions
        let unconnected: Profile.Running = RunningFlow()
        flow.running = unconnected
        var traced = flow.traced { _ in }
        traced.running = unconnected
        _ = traced.running
        func types<F: MutationFlow>(of flow: F) -> [Any.Type] { [F.Input.self, F.Output.self, F.Store.self] }
        #expect(types(of: Profile()).count == 3)
        _ = Profile().transform(Observable<Profile.Action>.never())
    }
}
