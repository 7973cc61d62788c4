import Streams
import StreamsTesting
import TestConcurrency
import Testing
import ViewModels
import ViewModelsTesting

// The examples of the article "Moving from a Combine BaseViewModel", each as it is printed there.

private struct TitleSearch: MutationFlow {
    enum Action { case searched(String) }
    enum SideEffect { case began, found([String]), failed(String) }

    struct State: Equatable {
        var isLoading = false
        var titles: [String] = []
        @Pulse var toast: String?
    }

    let find: @Sendable (String) async throws -> [String]
    var initialState: State { State() }

    func transform(_ action: Action) -> Observable<SideEffect> {
        switch action {
        case .searched(let text):
            Observable.task { .found(try await find(text)) }
                .catch { error in .just(.failed("\(error)")) }
                .startWith(.began)
        }
    }

    func reduce(_ state: State, _ sideEffect: SideEffect) -> State {
        var state = state
        switch sideEffect {
        case .began: state.isLoading = true
        case .found(let titles): (state.isLoading, state.titles) = (false, titles)
        case .failed(let message): (state.isLoading, state.toast) = (false, message)
        }
        return state
    }
}

private struct DayScreen: MutationFlow {
    enum Action { case dayTapped(Int), saveTapped, refreshed }
    enum SideEffect { case dayChanged(from: Int, to: Int), saved, loaded([String]) }

    struct State: Equatable {
        var day = 1
        var direction = 0
        var draft = "by bike"
        var entries: [String] = []
    }

    var running = Running()
    let save: @Sendable (String) -> Completable
    let entries: @Sendable (Int) -> Observable<[String]>
    var initialState: State { State() }

    func transform(_ action: Action) -> Observable<SideEffect> {
        switch action {
        case .dayTapped(let day): .just(.dayChanged(from: currentState.day, to: day))
        case .saveTapped:
            save(currentState.draft).andThen(
                .deferred {
                    send(.refreshed)
                    return .just(.saved)
                })
        case .refreshed: entries(currentState.day).map(SideEffect.loaded)
        }
    }

    func reduce(_ state: inout State, _ sideEffect: SideEffect) {
        switch sideEffect {
        case .dayChanged(let old, let new): (state.day, state.direction) = (new, (new - old).signum())
        case .saved: state.draft = ""
        case .loaded(let entries): state.entries = entries
        }
    }
}

private struct NewestTitleSearch: Flow {
    struct State: Equatable {
        var isLoading = false
        var titles: [String] = []
    }

    enum Action { case searched(String), found([String]), failed(String) }
    enum SideEffect { case find(String) }
    enum Event { case toast(String) }

    let find: @Sendable (String) async throws -> [String]
    var initialState: State { State() }

    func reduce(_ state: inout State, _ action: Action) -> Next<SideEffect, Event> {
        switch action {
        case .searched(let text):
            state.isLoading = true
            return .latest(.find(text))
        case .found(let titles):
            (state.isLoading, state.titles) = (false, titles)
            return .none
        case .failed(let message):
            state.isLoading = false
            return .event(.toast(message))
        }
    }

    func perform(_ sideEffect: SideEffect) -> Observable<Action> {
        switch sideEffect {
        case .find(let text):
            Observable.task { .found(try await find(text)) }.catch { error in .just(.failed("\(error)")) }
        }
    }
}

private struct TitlesViewModel: ViewModel {
    struct Input { let appeared: Observable<Void> }

    struct Output {
        let titles: Driver<[String]>
        let isLoading: Driver<Bool>
        let error: Signal<any Error>
    }

    let load: @Sendable () async throws -> [String]

    func transform(_ input: Input) -> Output {
        let activity = ActivityTracker()
        let loads = input.appeared.flatMapLatest {
            Single { try await load() }.trackActivity(activity).asObservable().materialize()
        }.share()
        return Output(
            titles: loads.elements().asDriver(),
            isLoading: activity.asDriver(),
            error: loads.errors().asSignal())
    }
}

@Suite("Moving from a Combine BaseViewModel: the examples", .limitedConcurrency, .nothingSurvives)
struct CombineArticleTests {
    @MainActor
    private final class List {
        var titles: [String] = []
        var toasts: [String] = []
    }

    @Test("the Combine article: steps 1 and 2, a value and its view", .virtualTime)
    @MainActor
    func mutationFlow() {
        let scheduler = TestScheduler()
        let list = List()
        let find: @Sendable (String) async throws -> [String] = { text in
            if text.isEmpty { throw RxError.timeout }
            return [text]
        }

        let store = FlowStore(TitleSearch(find: find))
        let bag = DisposeBag()
        store.state.select(\.titles).drive(onNext: { list.titles = $0 }).disposed(by: bag)
        store.state.pulse(\.$toast).compactMap { $0 }.drive(onNext: { list.toasts.append($0) }).disposed(by: bag)
        store.send(.searched("jeju"))

        #expect(store.currentState.isLoading)
        scheduler.run()
        #expect(!store.currentState.isLoading)
        #expect(list.titles == ["jeju"])

        let titles = Observed(store.state.select(\.titles), initially: [])
        #expect(titles.value == list.titles)

        for _ in 1...2 {
            store.send(.searched(""))
            scheduler.run()
        }
        #expect(list.toasts.count == 2)
        #expect(list.titles == ["jeju"])
        store.dismiss()
    }

    @Test("the Combine article: transform reads the state and sends, so that reduce need not")
    func impureReducer() {
        let store = FlowStore(DayScreen(save: { _ in .empty() }, entries: { .just(["day \($0)"]) }))
        store.send(.dayTapped(3))
        store.send(.saveTapped)
        #expect(store.currentState == DayScreen.State(day: 3, direction: 1, draft: "", entries: ["day 3"]))
        store.dismiss()
    }

    @Test("the Combine article: step 3, the newest search wins over a late older answer", .virtualTime)
    @MainActor
    func newestWins() {
        let scheduler = TestScheduler(resolution: 0.001)
        let clock = scheduler.virtualClock
        let store = FlowStore(
            NewestTitleSearch { text in
                try await clock.sleep(for: .milliseconds(text == "slow" ? 500 : 100))
                if text == "broken" { throw RxError.timeout }
                return [text]
            })
        let titles = Received(store.state.select(\.titles))
        let events = Received(store.events)
        store.send(.searched("slow"))
        scheduler.advance(by: 200)
        store.send(.searched("fast"))
        scheduler.run()
        #expect(titles.elements == [[], ["fast"]])
        store.send(.searched("broken"))
        scheduler.run()
        #expect(events.elements.count == 1)
        store.dismiss()
    }

    @Test(.virtualTime, .nothingSurvives)
    @MainActor
    func loadsTitles() {
        let scheduler = TestScheduler()
        let appeared = PublishRelay<Void>()
        let output = TitlesViewModel { ["Jeju by bike"] }.transform(.init(appeared: appeared.asObservable()))
        let titles = Observed(output.titles, initially: [])
        let isLoading = Observed(output.isLoading, initially: false)

        appeared.accept(())
        #expect(isLoading.value)
        scheduler.run()
        #expect(titles.value == ["Jeju by bike"])
        #expect(!isLoading.value)
    }

    @Test
    @MainActor
    func onlyComposes() {
        let appeared = PublishRelay<Void>()
        expectOnlyComposes(TitlesViewModel { [] }) { inputs in
            .init(appeared: inputs.count(appeared))
        }
    }

    @Test("each example of the Combine article is in this file, word for word")
    func examples() throws {
        try Article("MovingFromACombineBaseViewModel").expectExamples()
    }
}
