import Samples
import Screens
import Streams
import ViewModels

/// What a screen costs: making, binding and letting go, and one action through reduce, state out and a selected field,
/// with few and with many sibling rows. Each against the same work written by hand, with closures and a lock.
@MainActor
enum FlowBenchmarks {
    static func run(_ report: inout Report) async throws {
        report.clock = .processor
        for rows in [100, 10_000] { try await actions(&report, "actionThroughFlow\(rows)", rows: rows) }
        try await mutations(&report)
        try await effects(&report)
        try await bindings(&report)
        try await screens(&report, Int.self)
        try await screens(&report, String.self)
        try await screens(&report, Article.self)
        try await mutationsOfRows(&report)
        try await viewModels(&report)
    }

    private static func actions(_ report: inout Report, _ shape: String, rows: Int) async throws {
        let totals = StreamsBenchmarks.Totals()
        let bag = DisposeBag()
        let store = FlowStore(Feed.whole, initialState: Feed.State(rows: rows))
        store.state.drive(onNext: { totals.streams.add($0.rows.count) }).disposed(by: bag)
        store.state.select(\.likes).drive(onNext: { totals.streams.add($0) }).disposed(by: bag)
        let hand = HandStore(rows: rows)
        hand.onState { totals.hand.add($0.rows.count) }
        hand.onLikes { totals.hand.add($0) }
        try await compare(&report, shape, element: "action", count: 100_000, totals) { count in
            for number in 0..<count { store.send(.row(number % rows, .liked)) }
        } hand: { count in
            for number in 0..<count { hand.send(.row(number % rows, .liked)) }
        }
    }

    private static func mutations(_ report: inout Report) async throws {
        let totals = StreamsBenchmarks.Totals()
        let bag = DisposeBag()
        let store = FlowStore(Likes())
        store.state.drive(onNext: { totals.streams.add($0.title) }).disposed(by: bag)
        store.state.select(\.likes).drive(onNext: { totals.streams.add($0) }).disposed(by: bag)
        let hand = HandStore(rows: 1)
        hand.onState { totals.hand.add($0.rows.count) }
        hand.onLikes { totals.hand.add($0) }
        try await compare(&report, "actionThroughMutationFlow", element: "action", count: 100_000, totals) { count in
            for _ in 0..<count { store.send(.liked) }
        } hand: { count in
            for _ in 0..<count { hand.send(.row(0, .liked)) }
        }
    }

    /// An action that is answered at once: by a side effect, by one with an id, and by a stream of two changes.
    private static func effects(_ report: inout Report) async throws {
        let (flow, mutations) = (FlowStore(Echo()), FlowStore(MutationEcho()))
        try await effects(&report, "effectRoundTrip", flow.state, goal: 6) { flow.send(.ask($0)) }
        try await effects(&report, "actionThroughLatest", flow.state) { flow.send(.askLatest($0)) }
        try await effects(&report, "actionThroughChanges", mutations.state) { mutations.send($0) }
    }

    private static func effects(
        _ report: inout Report, _ shape: String, _ states: Driver<Echo.State>, goal: Double? = nil,
        _ ask: @escaping @MainActor (Int) -> Void
    ) async throws {
        let totals = StreamsBenchmarks.Totals()
        let bag = DisposeBag()
        var last = 0
        states.drive(onNext: {
            totals.streams.add($0.answered &- last)
            last = $0.answered
        }).disposed(by: bag)
        let hand = HandEcho()
        var lastOfHand = 0
        hand.onState {
            totals.hand.add($0.answered &- lastOfHand)
            lastOfHand = $0.answered
        }
        try await compare(&report, shape, element: "action", count: 20_000, goal: goal, totals) { count in
            for number in 0..<count { ask(number) }
        } hand: { count in
            for number in 0..<count { hand.ask(number) }
        }
    }

    /// An action of a flow of another module whose reducer returns a new state with 10,000 rows.
    private static func mutationsOfRows(_ report: inout Report) async throws {
        let count = 10_000
        try await mutationsOfRows(&report, NumberRows(count: count), HandRows.number(count: count))
        try await mutationsOfRows(&report, TextRows(count: count), HandRows.text(count: count))
        try await mutationsOfRows(&report, ArticleRows(count: count), HandRows.article(count: count))
    }

    private static func mutationsOfRows<E: Sample, M: MutationFlow>(
        _ report: inout Report, _ flow: M, _ hand: HandLikedRows<E>
    ) async throws where M.State == LikedRows<E>, M.Action == RowAction {
        let totals = StreamsBenchmarks.Totals()
        let bag = DisposeBag()
        let store = FlowStore(flow)
        store.state.drive(onNext: { totals.streams.add($0.likes) }).disposed(by: bag)
        hand.onState { totals.hand.add($0.likes) }
        try await compare(&report, "mutationAction10000", element: E.name, count: 200, totals) { count in
            for number in 0..<count { store.send(.liked(number)) }
        } hand: { count in
            for number in 0..<count { hand.send(.liked(number)) }
        }
    }

    private static func bindings(_ report: inout Report) async throws {
        let totals = StreamsBenchmarks.Totals()
        let store = FlowStore(Feed.whole, initialState: Feed.State(rows: 100))
        let hand = HandStore(rows: 100)
        for number in 0..<3 {
            store.send(.row(number, .liked))
            hand.send(.row(number, .liked))
        }
        try await compare(&report, "bindAndDispose20", element: "screen", count: 300, totals) { count in
            for _ in 0..<count {
                let bag = DisposeBag()
                for _ in 0..<20 {
                    store.state.select(\.likes).drive(onNext: { totals.streams.add($0) }).disposed(by: bag)
                }
            }
        } hand: { count in
            for _ in 0..<count {
                let keys = (0..<20).map { _ in hand.onLikes { totals.hand.add($0) } }
                for key in keys { hand.removeLikes(key) }
            }
        }
    }

    /// A flow's store made, four outputs bound, one action, let go: three labels that read the state and a toast; then
    /// with labels that observe only their field.
    private static func screens<E: Sample>(_ report: inout Report, _: E.Type) async throws {
        let totals = StreamsBenchmarks.Totals()
        try await compare(&report, "storeMadeBound4", element: E.name, count: 3_000, goal: 5, totals) { count in
            let total = totals.streams
            for number in 0..<count {
                let store = FlowStore(SearchScreen<E>())
                let bag = DisposeBag()
                store.state.drive(onNext: { total.add(sample: $0.text) }).disposed(by: bag)
                store.state.drive(onNext: { total.add($0.typed) }).disposed(by: bag)
                store.state.drive(onNext: { total.add($0.isLoading ? 1 : 2) }).disposed(by: bag)
                store.events.emit(onNext: { if case .toast(let text) = $0 { total.add(sample: text) } })
                    .disposed(by: bag)
                store.send(.typed(E.sample(number + 1)))
            }
        } hand: { count in
            let total = totals.hand
            for number in 0..<count {
                let screen = HandSearchScreen<E>.make()
                screen.onState { total.add(sample: $0.text) }
                screen.onState { total.add($0.typed) }
                screen.onState { total.add($0.isLoading ? 1 : 2) }
                screen.onToast { total.add(sample: $0) }
                screen.send(.typed(E.sample(number + 1)))
            }
        }
        try await compare(&report, "screenSelect", element: E.name, count: 3_000, totals) { count in
            let total = totals.streams
            for number in 0..<count {
                let store = FlowStore(SearchScreen<E>())
                let bag = DisposeBag()
                store.state.select(\.text).drive(onNext: { total.add(sample: $0) }).disposed(by: bag)
                store.state.select(\.typed).drive(onNext: { total.add($0) }).disposed(by: bag)
                store.state.select(\.isLoading).drive(onNext: { total.add($0 ? 1 : 2) }).disposed(by: bag)
                store.events.emit(onNext: { if case .toast(let text) = $0 { total.add(sample: text) } })
                    .disposed(by: bag)
                store.send(.typed(E.sample(number + 1)))
            }
        } hand: { count in
            let total = totals.hand
            for number in 0..<count {
                let screen = HandSearchScreen<E>.make()
                screen.onChange(of: { $0.text }) { total.add(sample: $0) }
                screen.onChange(of: { $0.typed }) { total.add($0) }
                screen.onChange(of: { $0.isLoading }) { total.add($0 ? 1 : 2) }
                screen.onToast { total.add(sample: $0) }
                screen.send(.typed(E.sample(number + 1)))
            }
        }
    }

    /// Measures a shape against the same work written by hand: each does it `count` times and adds what it delivers to
    /// its total.
    static func compare(
        _ report: inout Report, _ shape: String, element: String, count: Int, goal: Double? = nil,
        _ totals: StreamsBenchmarks.Totals, flow: @escaping @MainActor (Int) -> Void,
        hand: @escaping @MainActor (Int) -> Void
    ) async throws {
        let count = report.scaled(count)
        try await report.measure(
            shape, element: element, count: count, goal: goal,
            .whole("Flow") {
                let before = totals.streams.value
                flow(count)
                return totals.streams.value &- before
            },
            .whole("Hand") {
                let before = totals.hand.value
                hand(count)
                return totals.hand.value &- before
            })
    }
}
