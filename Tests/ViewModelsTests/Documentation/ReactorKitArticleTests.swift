import Streams
import StreamsTesting
import TestConcurrency
import Testing
import ViewModels
import ViewModelsTesting

// The examples of the article "Moving from ReactorKit", each as it is printed there.

private struct ProfileScreen: MutationFlow {
    enum Action { case refreshed, renamed(String) }
    enum SideEffect { case loading(Bool), named(String), alerted(String) }

    struct State: Equatable {
        var isLoading = false
        var name = ""
        @Pulse var alert: String?
    }

    let loadName: @Sendable () async throws -> String
    var initialState: State { State() }

    func transform(_ action: Action) -> Observable<SideEffect> {
        switch action {
        case .refreshed:
            .concat(
                .just(.loading(true)),
                .task { .named(try await loadName()) }.catch { .just(.alerted("\($0)")) },
                .just(.loading(false)))
        case .renamed(let name):
            .just(.named(name))
        }
    }

    func reduce(_ state: State, _ sideEffect: SideEffect) -> State {
        var state = state
        switch sideEffect {
        case .loading(let isLoading): state.isLoading = isLoading
        case .named(let name): state.name = name
        case .alerted(let text): state.alert = text
        }
        return state
    }
}

private struct NotesScreen: MutationFlow {
    enum Action { case appeared, added(String), sortTapped, refreshed }
    enum SideEffect: Equatable { case notes([String]), loading(Bool), owner(String) }

    struct State: Equatable {
        var notes: [String] = []
        var isLoading = false
        var owner = ""
    }

    let loadNotes: @Sendable (_ owner: String) -> Observable<[String]>
    let owners: Observable<String>
    var running = Running()
    var initialState: State { State() }

    func transform(actions: Observable<Action>) -> Observable<Action> {
        actions.startWith(.appeared)
    }

    func transform(mutations: Observable<SideEffect>) -> Observable<SideEffect> {
        .merge(mutations, owners.map(SideEffect.owner))
    }

    func transform(_ action: Action) -> Observable<SideEffect> {
        switch action {
        case .appeared, .refreshed:
            guard !currentState.isLoading else { return .empty() }
            return .concat(
                .just(.loading(true)),
                loadNotes(currentState.owner).map(SideEffect.notes),
                .just(.loading(false)))
        case .added(let note):
            return .concat(
                .just(.notes(currentState.notes + [note])),
                .deferred { .just(.notes(currentState.notes.sorted())) })
        case .sortTapped:
            send(.refreshed)
            return .just(.notes(currentState.notes.sorted()))
        }
    }

    func reduce(_ state: consuming State, _ sideEffect: SideEffect) -> State {
        var state = state
        switch sideEffect {
        case .notes(let notes): state.notes = notes
        case .loading(let isLoading): state.isLoading = isLoading
        case .owner(let owner): state.owner = owner
        }
        return state
    }
}

private struct ProfileLoop: Flow {
    struct State: Equatable {
        var isLoading = false
        var name = ""
    }

    enum Action: Equatable { case refreshed, named(String), failed(String) }
    enum SideEffect: Equatable { case load }
    enum Event: Equatable { case alert(String) }

    let loadName: @Sendable () async throws -> String
    var initialState: State { State() }

    func reduce(_ state: inout State, _ action: Action) -> Next<SideEffect, Event> {
        state.isLoading = action == .refreshed
        switch action {
        case .refreshed:
            return .exhausting(.load)  // a refresh during a refresh is ignored
        case .named(let name):
            state.name = name
            return .none
        case .failed(let text):
            return .event(.alert(text))
        }
    }

    func perform(_ sideEffect: SideEffect) -> Observable<Action> {
        switch sideEffect {
        case .load: .task { .named(try await loadName()) }.catch { .just(.failed("\($0)")) }
        }
    }
}

@Suite("Moving from ReactorKit: the examples", .limitedConcurrency, .nothingSurvives)
struct ReactorKitArticleTests {
    @MainActor
    private final class Label {
        var text = ""
        var alerts: [String] = []
    }

    private struct Session {
        let nameChanges = PublishRelay<String>()
    }

    @Test("the ReactorKit article: steps 1 and 2, a value and its view", .virtualTime)
    @MainActor
    func mutationFlow() {
        let scheduler = TestScheduler()
        let refreshTapped = PublishRelay<Void>()
        let session = Session()
        let label = Label()
        let answers = Notes<Void>()
        let loadName: @Sendable () async throws -> String = {
            answers.add(())
            if answers.all.count > 1 { throw RxError.timeout }
            return "Mina"
        }

        let store: ProfileScreen.Store = FlowStore(ProfileScreen(loadName: loadName))
        let bag = DisposeBag()
        store.bind(refreshTapped.map { .refreshed })
        store.state.select(\.name).drive(onNext: { label.text = $0 }).disposed(by: bag)
        store.state.pulse(\.$alert).compactMap { $0 }.drive(onNext: { label.alerts.append($0) }).disposed(by: bag)

        store.bind(session.nameChanges.map { .renamed($0) })

        refreshTapped.accept(())
        #expect(store.currentState.isLoading)
        scheduler.run()
        #expect(!store.currentState.isLoading)
        #expect(label.text == "Mina")
        for _ in 1...2 {
            refreshTapped.accept(())
            scheduler.run()
        }
        #expect(label.alerts.count == 2)
        session.nameChanges.accept("Mina K.")
        #expect(label.text == "Mina K.")
        store.dismiss()
    }

    @Test("the ReactorKit article: step 2, testing a view without a flow")
    @MainActor
    func stub() {
        let output = FlowOutput<ProfileScreen.State, Never>(state: .just(.init(name: "Mina")), events: .empty())
        #expect(Observed(output.state.select(\.name), initially: "").value == "Mina")
    }

    @Test("the ReactorKit article: a reactor that reads its state receives each mutation")
    func notes() {
        let tester = MutationTester(NotesScreen(loadNotes: { .just(["b", $0]) }, owners: .just("Mina")))
        tester.receive(.owner("Mina")) { $0.owner = "Mina" }
        tester.receive(.loading(true)) { $0.isLoading = true }
        tester.receive(.notes(["b", "Mina"])) { $0.notes = ["b", "Mina"] }
        tester.receive(.loading(false)) { $0.isLoading = false }
        tester.send(.added("a"))
        tester.receive(.notes(["b", "Mina", "a"])) { $0.notes = ["b", "Mina", "a"] }
        tester.receive(.notes(["Mina", "a", "b"])) { $0.notes = ["Mina", "a", "b"] }
        tester.finish()
    }

    @Test("the ReactorKit article: step 3, a refresh during a refresh is ignored")
    func flow() {
        let tester = FlowTester(ProfileLoop(loadName: { "Mina" }))
        tester.send(.refreshed, starts: .load) { $0.isLoading = true }
        tester.send(.refreshed)
        tester.receive(.named("Mina")) {
            $0.isLoading = false
            $0.name = "Mina"
        }
        tester.finish()
    }

    @Test("the ReactorKit article: step 3, a failure is an event")
    func failure() {
        let tester = FlowTester(ProfileLoop(loadName: { throw RxError.timeout }))
        tester.send(.refreshed, starts: .load) { $0.isLoading = true }
        tester.receive(.failed("\(RxError.timeout)")) { $0.isLoading = false }
        tester.receive(event: .alert("\(RxError.timeout)"))
        tester.finish()
    }

    @Test("each example of the ReactorKit article is in this file, word for word")
    func examples() throws {
        try Article("MovingFromReactorKit").expectExamples()
    }
}
