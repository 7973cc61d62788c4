import Streams
import ViewModels

/// What a screen costs: one action through reduce, state out and one selected field, with few and with many sibling
/// rows; and binding and disposing a screen. Each against the same work written by hand, with closures and a lock.
@MainActor
enum FlowBenchmarks {
    static func run(_ report: inout Report) async throws {
        for rows in [100, 10_000] { try await actions(&report, "actionThroughFlow\(rows)", rows: rows) }
        try await mutations(&report)
        try await bindings(&report)
    }

    private static func actions(_ report: inout Report, _ shape: String, rows: Int) async throws {
        let count = 100_000
        let total = Total()
        let bag = DisposeBag()
        let store = FlowStore(Feed.whole, initialState: Feed.State(rows: rows))
        store.state.drive(onNext: { total.add($0.rows.count) }).disposed(by: bag)
        store.state.select(\.likes).drive(onNext: { total.add($0) }).disposed(by: bag)
        let hand = HandStore(rows: rows)
        hand.onState { total.add($0.rows.count) }
        hand.onLikes { total.add($0) }
        try await report.measure(
            shape, element: "action", count: count,
            .whole("Flow") { for number in 0..<count { store.send(.row(number % rows, .liked)) } },
            .whole("Hand") { for number in 0..<count { hand.send(.row(number % rows, .liked)) } })
    }

    private static func mutations(_ report: inout Report) async throws {
        let count = 100_000
        let total = Total()
        let bag = DisposeBag()
        let store = FlowStore(Likes())
        store.state.drive(onNext: { total.add($0.title) }).disposed(by: bag)
        store.state.select(\.likes).drive(onNext: { total.add($0) }).disposed(by: bag)
        let hand = HandStore(rows: 1)
        hand.onState { total.add($0.rows.count) }
        hand.onLikes { total.add($0) }
        try await report.measure(
            "actionThroughMutationFlow", element: "action", count: count,
            .whole("Flow") { for _ in 0..<count { store.send(.liked) } },
            .whole("Hand") { for _ in 0..<count { hand.send(.row(0, .liked)) } })
    }

    private static func bindings(_ report: inout Report) async throws {
        let count = 1_000
        let total = Total()
        let store = FlowStore(Feed.whole, initialState: Feed.State(rows: 100))
        let hand = HandStore(rows: 100)
        try await report.measure(
            "bindAndDispose20", element: "screen", count: count,
            .whole("Flow") {
                for _ in 0..<count {
                    let bag = DisposeBag()
                    for _ in 0..<20 { store.state.select(\.likes).drive(onNext: { total.add($0) }).disposed(by: bag) }
                }
            },
            .whole("Hand") {
                for _ in 0..<count {
                    let keys = (0..<20).map { _ in hand.onLikes { total.add($0) } }
                    for key in keys { hand.removeLikes(key) }
                }
            })
    }
}
