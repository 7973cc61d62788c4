import Streams
import StreamsTesting
import TestReporting
import TestConcurrency
import Testing
import ViewModels
import ViewModelsTesting

private struct Film: Identifiable, Hashable {
    let id: Int
}

private typealias Films = Paging<String, Film, Int, String>

private enum FilmAction: Equatable {
    case appeared, reachedEnd, refreshed, retryTapped, stopped
    case loaded(CursorPage<Film, Int>, Films.Request)
    case failed(String, Films.Request)
    case cancelled(Films.Request)
}

private enum FilmEffect: Equatable {
    /// Ends at once, and carries the request as well.
    case log(Films.Request)
    case load(Films.Request)
}

/// A paged list as an app writes it: `perform` turns errors into actions.
private protocol FilmFlow: Flow where State == Films, Action == FilmAction, SideEffect == FilmEffect, Event == Never {
    var load: @Sendable (Int?) async throws -> CursorPage<Film, Int> { get }
}

extension FilmFlow {
    var initialState: Films { Films() }

    func reduce(_ state: inout Films, _ action: FilmAction) -> Next<FilmEffect, Never> {
        switch action {
        case .appeared: return .latest(.load(state.show("")), id: "load")
        case .reachedEnd: return request(state.reachEnd())
        case .refreshed: return request(state.refresh())
        case .retryTapped: return request(state.retry())
        // Forgets to tell the list.
        case .stopped: return .cancel("load")
        case .loaded(let page, let request): state.receive(page, of: request)
        case .failed(let failure, let request): state.fail(failure, of: request)
        case .cancelled(let request): state.cancel(request)
        }
        return .none
    }

    private func request(_ request: Films.Request?) -> Next<FilmEffect, Never> {
        request.map { .run(.log($0)).and(.latest(.load($0), id: "load")) } ?? .none
    }

    func perform(_ sideEffect: FilmEffect) -> Observable<FilmAction> {
        switch sideEffect {
        case .log: .empty()
        case .load(let request):
            Observable<FilmAction>.task { [load] in .loaded(try await load(request.cursor), request) }
                .catch { .just(.failed("\($0)", request)) }
        }
    }
}

/// Does not say what a cancelled load means.
private struct Plain: FilmFlow {
    let load: @Sendable (Int?) async throws -> CursorPage<Film, Int>
}

/// Says what a cancelled load means.
private struct Told: FilmFlow {
    let load: @Sendable (Int?) async throws -> CursorPage<Film, Int>

    func unanswered(_ sideEffect: FilmEffect) -> FilmAction? {
        if case .load(let request) = sideEffect { .cancelled(request) } else { nil }
    }
}

@Suite("Paged lists whose requests are cancelled", .limitedConcurrency, .nothingSurvives)
struct PagingInFlowTests {
    /// Where the list is when its request is cancelled, and what it shows afterwards.
    enum Load: CaseIterable { case first, next, refresh }

    private let scheduler = TestScheduler(resolution: 0.001)

    /// Three pages of two films, each of which takes 100 ms.
    private var load: @Sendable (Int?) async throws -> CursorPage<Film, Int> {
        let clock = scheduler.virtualClock
        return { cursor in
            try await clock.sleep(for: .milliseconds(100))
            let first = cursor ?? 0
            return CursorPage([Film(id: first), Film(id: first + 1)], next: first < 4 ? first + 2 : nil)
        }
    }

    private func store(_ flow: some FilmFlow) -> FlowStore<Films, FilmAction, Never> {
        withDependencies {
            $0.useVirtualTime(of: scheduler)
        } operation: {
            SharingScheduler.mock(scheduler: scheduler) { FlowStore(flow) }
        }
    }

    private func send(_ action: FilmAction, to store: FlowStore<Films, FilmAction, Never>) -> ActionEffects {
        scheduler.perform { store.send(action) }
    }

    /// Cancels a load in the middle, and returns the number of films that the list had shown.
    private func cancel(_ load: Load, in store: FlowStore<Films, FilmAction, Never>) -> Int {
        if load != .first {
            _ = send(.appeared, to: store)
            scheduler.run()
        }
        let count = store.currentState.list.items.count
        let effects = send(load == .first ? .appeared : load == .next ? .reachedEnd : .refreshed, to: store)
        scheduler.advance(by: .milliseconds(50))
        effects.cancel()
        scheduler.run()
        return count
    }

    @Test("a paged list shows what it showed before a load that was cancelled", arguments: Load.allCases)
    func told(load: Load) {
        let store = store(Told(load: self.load))
        let count = cancel(load, in: store)
        #expect(store.currentState.list.loading == nil)
        #expect(store.currentState.list.failure == nil)
        #expect(store.currentState.list.items.count == count)
        #expect(store.currentState.list.hasMore)
    }

    @Test(
        "after a cancelled load, the next end, refresh or retry of a paged list loads, with and without `cancel`",
        arguments: Load.allCases, [FilmAction.reachedEnd, .refreshed])
    fileprivate func nextMove(load: Load, move: FilmAction) {
        for store in [store(Told(load: self.load)), store(Plain(load: self.load))] {
            let count = cancel(load, in: store)
            _ = send(move, to: store)
            #expect(store.currentState.list.loading != nil)
            scheduler.run()
            #expect(store.currentState.list.loading == nil)
            #expect(store.currentState.list.items.count == (move == .reachedEnd ? count + 2 : 2))
            store.dismiss()
        }
    }

    @Test("a retry whose task is cancelled can be repeated, with and without `cancel`")
    func retry() {
        for isTold in [true, false] {
            let attempts = Mutexed(0)
            let load = load
            let refusing: @Sendable (Int?) async throws -> CursorPage<Film, Int> = { cursor in
                attempts.change { $0 += 1 }
                if attempts.value == 1 { throw RxError.timeout }
                return try await load(cursor)
            }
            let store = isTold ? store(Told(load: refusing)) : store(Plain(load: refusing))
            _ = send(.appeared, to: store)
            scheduler.run()
            #expect(store.currentState.list.failure != nil)
            let effects = send(.retryTapped, to: store)
            scheduler.advance(by: .milliseconds(50))
            effects.cancel()
            if isTold { #expect(store.currentState.list.failure != nil) }
            _ = send(.retryTapped, to: store)
            scheduler.run()
            #expect(store.currentState.list.items.count == 2)
            store.dismiss()
        }
    }

    @Test("a load that reduce itself cancels without a word to the list does not freeze it")
    func cancelledByReduce() {
        let store = store(Plain(load: load))
        _ = send(.appeared, to: store)
        _ = send(.stopped, to: store)
        _ = send(.refreshed, to: store)
        scheduler.run()
        #expect(store.currentState.list.items.count == 2)
    }

    @Test("a page is requested once while its effect runs, whatever is asked meanwhile")
    func oneLoad() {
        let attempts = Mutexed(0)
        let load = load
        let store = store(
            Plain(load: { cursor in
                attempts.change { $0 += 1 }
                return try await load(cursor)
            }))
        for action in [FilmAction.appeared, .refreshed, .reachedEnd, .retryTapped] { _ = send(action, to: store) }
        scheduler.run()
        for action in [FilmAction.reachedEnd, .reachedEnd, .retryTapped] { _ = send(action, to: store) }
        scheduler.run()
        #expect(attempts.value == 2)
    }

    @Test("a list of a child flow whose load is cancelled loads again")
    func child() {
        enum Action: Sendable { case films(FilmAction) }
        struct Parent: Flow {
            struct State: Equatable { var films = Films() }
            let initialState = State()
            func reduce(_ state: inout State, _ action: Action) -> Next<Never, Never> { .none }
        }
        let films = ActionCase(Action.films) { if case .films(let action) = $0 { action } else { nil } }
        for isTold in [true, false] {
            let store = SharingScheduler.mock(scheduler: scheduler) {
                isTold
                    ? FlowStore(Parent().scope(\.films, action: films, child: Told(load: load)))
                    : FlowStore(Parent().scope(\.films, action: films, child: Plain(load: load)))
            }
            let effects = scheduler.perform { store.send(.films(.appeared)) }
            scheduler.advance(by: .milliseconds(50))
            effects.cancel()
            if isTold { #expect(store.currentState.films.list.loading == nil) }
            scheduler.perform { _ = store.send(.films(.refreshed)) }
            scheduler.run()
            #expect(store.currentState.films.list.items.count == 2)
            store.dismiss()
        }
    }

    @Test("a paged list in a flow survives random moves and cancellations: it never stays loading", arguments: 0..<8)
    func random(batch: Int) {
        for number in 0..<25 {
            let seed = UInt64(batch * 25 + number)
            var draw = SeededGenerator(seed: seed)
            let store = Bool.random(using: &draw) ? store(Told(load: load)) : store(Plain(load: load))
            var sent: [ActionEffects] = []
            for _ in 0..<30 {
                switch Int.random(in: 0..<8, using: &draw) {
                case 0: sent.append(send(.appeared, to: store))
                case 1: sent.append(send(.refreshed, to: store))
                case 2...3: sent.append(send(.reachedEnd, to: store))
                case 4: sent.append(send(.retryTapped, to: store))
                case 5: sent.randomElement(using: &draw)?.cancel()
                default: scheduler.advance(by: .milliseconds(Int.random(in: 1...120, using: &draw)))
                }
            }
            sent.forEach { $0.cancel() }
            sent = [send(.appeared, to: store)]
            sent[0].cancel()
            _ = send(.refreshed, to: store)
            scheduler.run()
            #expect(store.currentState.list.loading == nil, "seed \(seed)")
            #expect(store.currentState.list.items.count == 2, "seed \(seed)")
            _ = send(.reachedEnd, to: store)
            scheduler.run()
            #expect(store.currentState.list.items.count == 4, "seed \(seed)")
            store.dismiss()
        }
    }
}
