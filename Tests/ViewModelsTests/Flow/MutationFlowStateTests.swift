import Dispatch
import Streams
import StreamsTesting
import TestConcurrency
import Testing
import ViewModels
import ViewModelsTesting

@Suite("Mutation flows with the state at hand", .limitedConcurrency, .nothingSurvives)
@MainActor
struct MutationFlowStateTests {
    /// Appends words to a text, and reads the text meanwhile.
    private struct Writer: MutationFlow {
        enum Action: Sendable { case write(String), writeTwice(String), copy, copyLater, say([String]) }
        enum SideEffect: Sendable, Equatable { case add(String) }

        var running = Running()
        var later = PublishSubject<Void>()
        var initialState: [String] { [] }

        func transform(_ action: Action) -> Observable<SideEffect> {
            switch action {
            case .write(let word): .just(.add(word))
            case .writeTwice(let word):
                .concat(.just(.add(word)), .deferred { .just(.add("\(currentState)")) })
            case .copy: Observable<String>.from(currentState).map(SideEffect.add)
            case .copyLater: later.flatMap { Observable<String>.from(currentState).map(SideEffect.add) }
            case .say(let words):
                .deferred {
                    for word in words { send(.write(word)) }
                    return .just(.add("said \(currentState.count)"))
                }
            }
        }

        func reduce(_ state: inout [String], _ sideEffect: SideEffect) {
            switch sideEffect {
            case .add(let word): state.append(word)
            }
        }
    }

    @Test("an element that an effect of a mutation flow emits while it starts is reduced before its stream continues")
    func reducedAtOnce() {
        let store = FlowStore(Writer())
        let received = Received(store.state)
        store.send(.writeTwice("a"))
        #expect(store.currentState == ["a", #"["a"]"#])
        #expect(received.elements == [[], ["a"], ["a", #"["a"]"#]])
    }

    @Test("transform of a mutation flow reads the current state, immediately and in its streams")
    func currentState() {
        let writer = Writer()
        let store = FlowStore(writer)
        store.send(.copyLater)
        store.send(.write("a"))
        store.send(.copy)
        #expect(store.currentState == ["a", "a"])
        writer.later.onNext(())
        #expect(store.currentState == ["a", "a", "a", "a"])
        writer.later.onCompleted()
    }

    @Test("actions that transform sends are transformed after the current one, in order")
    func sends() {
        let store = FlowStore(Writer())
        store.send(.say(["a", "b"]))
        #expect(store.currentState == ["said 0", "a", "b"])
    }

    @Test("an action that transform sends while the flow starts is not lost")
    func sendsAtTheStart() {
        struct Starting: MutationFlow {
            var running = Running()
            var initialState: [String] { [] }
            func transform(actions: Observable<String>) -> Observable<String> { actions.startWith("appeared") }
            func transform(_ action: String) -> Observable<String> {
                if action == "appeared" { send("loaded") }
                return .just(action)
            }
            func reduce(_ state: inout [String], _ change: String) { state.append(change) }
        }
        #expect(FlowStore(Starting()).currentState == ["appeared", "loaded"])
    }

    /// Loads a text until another one is typed.
    private struct Loader: MutationFlow {
        enum Action: Sendable, Equatable { case typed(String), tapped }
        var running = Running()
        let answers: PublishSubject<String>
        let scheduler: any SchedulerType
        var initialState: [String] { [] }

        func transform(actions: Observable<Action>) -> Observable<Action> {
            actions.delay(.seconds(1), scheduler: scheduler)
        }

        func transform(_ action: Action) -> Observable<String> {
            guard case .typed(let text) = action else { return .just("tapped") }
            let later = actions.filter { $0 != .tapped }
            return answers.map { "\(text) \($0)" }.take(until: later).concat(Observable.just("\(text) ends"))
        }

        func reduce(_ state: inout [String], _ change: String) { state.append(change) }
    }

    @Test("work of a mutation flow ends with a later action, before that is transformed")
    func actions() {
        let (answers, scheduler) = (PublishSubject<String>(), TestScheduler(initialClock: 0))
        let store = FlowStore(Loader(answers: answers, scheduler: scheduler))
        store.send(.typed("a"))
        scheduler.advance(by: 1)
        store.send(.tapped)
        answers.onNext("1")
        store.send(.typed("b"))
        #expect(store.currentState == ["a 1", "a ends"])
        answers.onNext("2")
        scheduler.advance(by: 2)
        answers.onNext("3")
        #expect(store.currentState == ["a 1", "a ends", "tapped", "b 3"])
        store.dismiss()
        #expect(!answers.hasObservers)
    }

    @Test("a later action reaches work of a mutation flow after it has been transformed")
    func actionsAfterTransform() {
        struct Echo: MutationFlow {
            var running = Running()
            var initialState: [String] { [] }
            func transform(_ action: Int) -> Observable<String> {
                .merge(.just("\(action)"), actions.take(1).map { "\(action) sees \($0)" })
            }
            func reduce(_ state: inout [String], _ change: String) { state.append(change) }
        }
        let store = FlowStore(Echo())
        for action in 1...3 { store.send(action) }
        #expect(store.currentState == ["1", "2", "1 sees 2", "3", "2 sees 3"])
        store.dismiss()
    }

    @Test("one mutation flow value runs in two stores with separate states")
    func twoStores() {
        let writer = Writer()
        let (one, two) = (FlowStore(writer), FlowStore(writer))
        one.send(.write("a"))
        two.send(.copy)
        one.send(.copy)
        #expect(one.currentState == ["a", "a"])
        #expect(two.currentState == [])
    }

    @Test("after dismissal a mutation flow reads the last state, and sent actions are ignored")
    func dismissed() {
        let kept = Mutexed<Writer?>(nil)
        struct Keeping: MutationFlow {
            var running = RunningFlow<[String], Writer.Action>()
            let kept: Mutexed<Writer?>
            var initialState: [String] { [] }
            func transform(_ action: Writer.Action) -> Observable<Writer.SideEffect> {
                let writer = Writer(running: running)
                kept.change { $0 = writer }
                return .just(.add("a"))
            }
            func reduce(_ state: inout [String], _ sideEffect: Writer.SideEffect) { state.append("a") }
        }
        var store: FlowStore? = FlowStore(Keeping(kept: kept))
        store?.send(.copy)
        #expect(kept.value?.currentState == ["a"])
        store = nil
        kept.value?.send(.copy)
        #expect(kept.value?.currentState == ["a"])
        kept.change { $0 = nil }
    }

    @Test("with effects on 8 threads, every part of a chain reads the changes of the parts before it")
    func threads() {
        struct Step: MutationFlow {
            var running = RunningFlow<[Int: Int], Int>()
            var initialState: [Int: Int] { [:] }
            func transform(_ thread: Int) -> Observable<(Int, Int)> {
                .concat(
                    .just((thread, (currentState[thread] ?? 0) + 1)),
                    .deferred { .just((thread, (currentState[thread] ?? 0) + 1)) })
            }
            func reduce(_ state: inout [Int: Int], _ change: (Int, Int)) { state[change.0] = change.1 }
        }
        let store = FlowStore(Step())
        onThreads(8) { thread in
            for _ in 0..<100 { store.send(thread) }
        }
        #expect(store.currentState == Dictionary(uniqueKeysWithValues: (0..<8).map { ($0, 200) }))
        store.dismiss()  // the last thread may release it after the test
    }

    @Test(
        "reading the state or sending inside reduce stops the program with a reason, the file of the flow and a remedy",
        arguments: [true, false])
    func insideReduce(isReading: Bool) async {
        struct Impure: MutationFlow {
            var running = RunningFlow<Int, Int>(line: 1_234)
            let isReading: Bool
            var initialState: Int { 0 }
            func transform(_ action: Int) -> Observable<Int> { .just(action) }
            func reduce(_ state: inout Int, _ change: Int) {
                if isReading { state = currentState } else { send(1) }
            }
        }
        // An exit test runs a function without captures.
        let result =
            isReading
            ? await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                FlowStore(Impure(isReading: true)).send(1)
            }
            : await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                FlowStore(Impure(isReading: false)).send(1)
            }
        let said = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
        #expect(said.contains("inside `reduce` of Impure, which depends on its arguments only: "))
        #expect(said.contains(isReading ? "read `currentState` in `transform`" : "the action 1 was sent"))
        #expect(said.contains("ViewModelsTests/MutationFlowStateTests.swift:1234"))
    }

    @Test("transform of a mutation flow is tested alone, with a stand-in for the store")
    func standIn() {
        let sent = Log()
        var writer = Writer()
        writer.running = RunningFlow(currentState: { ["a", "b"] }, send: { sent.add("\($0)") })
        let received = Log()
        let said = [Writer.Action.copy, .say(["c"])].map { action in
            writer.transform(action).subscribe(onNext: { received.add("\($0)") })
        }
        #expect(received.lines == [#"add("a")"#, #"add("b")"#, #"add("said 2")"#])
        #expect(sent.lines == [#"write("c")"#])
        said.forEach { $0.dispose() }
    }

    // MARK: Hooks

    /// Sums numbers up, with hooks.
    private struct Sum: MutationFlow {
        var actions: @Sendable (Observable<Int>) -> Observable<Int> = { $0 }
        var mutations: @Sendable (Observable<Int>) -> Observable<Int> = { $0 }
        var initialState: [Int] { [] }

        func transform(_ action: Int) -> Observable<Int> { .of(action, action * 10) }
        func reduce(_ state: inout [Int], _ change: Int) { state.append(change) }
        func transform(actions: Observable<Int>) -> Observable<Int> { self.actions(actions) }
        func transform(mutations: Observable<Int>) -> Observable<Int> { self.mutations(mutations) }
    }

    @Test("the mutations hook filters changes and merges others with them")
    func mutationsHook() {
        let outside = PublishSubject<Int>()
        let store = FlowStore(Sum(mutations: { .merge($0.filter { $0 != 20 }, outside.asObservable()) }))
        store.send(1)
        outside.onNext(5)
        store.send(2)
        #expect(store.currentState == [1, 10, 5, 2])
        store.dismiss()
        #expect(!outside.hasObservers)
    }

    @Test("a mutations hook that debounces passes the last change of a burst")
    func debouncedMutations() {
        let scheduler = TestScheduler()
        let store = FlowStore(Sum(mutations: { $0.debounce(.seconds(5), scheduler: scheduler) }))
        store.send(1)
        store.send(2)
        #expect(store.currentState == [])
        scheduler.advance(by: 6)
        #expect(store.currentState == [20])
        store.dismiss()
    }

    @Test("the actions hook starts with an action and drops others")
    func actionsHook() {
        let store = FlowStore(Sum(actions: { $0.filter { $0 > 1 }.startWith(7) }))
        #expect(store.currentState == [7, 70])
        for number in 1...2 { store.send(number) }
        #expect(store.currentState == [7, 70, 2, 20])
    }

    @Test("the hooks of a view model are subscribed to with the first output and disposed with the last")
    func hooksOfAViewModel() {
        let outside = PublishSubject<Int>()
        let output = Sum(mutations: { .merge($0, outside.asObservable()) }).transform(.of(1))
        #expect(!outside.hasObservers)
        let subscription = output.state.drive()
        #expect(outside.hasObservers)
        subscription.dispose()
        #expect(!outside.hasObservers)
    }

    @Test("a change that passes the hook synchronously is reduced before its stream continues")
    func hookedAtOnce() {
        struct Twice: MutationFlow {
            var running = RunningFlow<[Int], Int>()
            var initialState: [Int] { [] }
            func transform(_ action: Int) -> Observable<Int> {
                .concat(.just(action), .deferred { .just(currentState.count) })
            }
            func transform(mutations: Observable<Int>) -> Observable<Int> { mutations.map { $0 + 100 } }
            func reduce(_ state: inout [Int], _ change: Int) { state.append(change) }
        }
        let store = FlowStore(Twice())
        store.send(7)
        #expect(store.currentState == [107, 101])
    }

    // MARK: In place

    private struct Rows: Sendable {
        var probe = CopyProbe()
    }

    private struct InPlace: MutationFlow {
        var initialState: Rows { Rows() }
        func transform(_ action: Int) -> Observable<Int> { .just(action) }
        func reduce(_ state: inout Rows, _ change: Int) { state.probe.change() }
    }

    private struct Consuming: MutationFlow {
        var initialState: Rows { Rows() }
        func transform(_ action: Int) -> Observable<Int> { .just(action) }
        @inline(never)
        func reduce(_ state: consuming Rows, _ change: Int) -> Rows {
            var state = state
            state.probe.change()
            return state
        }
    }

    @Test("reduce changes the state in place in its inout form and in its consuming form")
    func inPlace() {
        let (inPlace, consuming) = (FlowStore(InPlace()), FlowStore(Consuming()))
        let received = [inPlace, consuming].map { $0.state.drive() }
        for number in 1...10 {
            inPlace.send(number)
            consuming.send(number)
        }
        #expect(inPlace.currentState.probe.copies == 0)
        #expect(consuming.currentState.probe.copies == 0)
        received.forEach { $0.dispose() }
    }
}
