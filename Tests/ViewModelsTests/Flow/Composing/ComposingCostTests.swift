import Streams
import StreamsTesting
import TestConcurrency
import Testing
import ViewModels
import ViewModelsTesting

@Suite("The cost of composing", .limitedConcurrency, .nothingSurvives)
@MainActor
struct ComposingCostTests {
    private struct Cell: Identifiable, Sendable {
        let id: Int
        var probe = CopyProbe()
        var likes = 0
    }
    private struct Screen: Sendable {
        var probe = CopyProbe()
        var header = Cell(id: -1)
        var sheet: Cell?
        var rows: IdentifiedRows<Cell> = []
        var title = ""
    }
    private enum Action: Sendable {
        case header(Int), sheet(Int), row(Int, Int)
    }

    private static func makeStore(rows: Int) -> FlowStore<Screen, Action, String> {
        let cell = Script(Cell(id: 0), of: Int.self) { cell, number in
            cell.probe.change()
            cell.likes += number
            return .none
        }
        let screen = Script(
            Screen(sheet: Cell(id: -2), rows: IdentifiedRows((0..<rows).map { Cell(id: $0) })), of: Action.self
        ) { screen, _ in
            screen.probe.change()
            return .none
        }
        return FlowStore(
            screen
                .scope(
                    \.header,
                    action: ActionCase(Action.header) { if case .header(let number) = $0 { number } else { nil } },
                    child: cell, event: { $0 }
                )
                .ifLet(
                    \.sheet,
                    action: ActionCase(Action.sheet) { if case .sheet(let number) = $0 { number } else { nil } },
                    child: cell, event: { $0 }
                )
                .forEach(
                    \.rows,
                    action: ActionCase(Action.row) {
                        if case .row(let id, let number) = $0 { (id, number) } else { nil }
                    },
                    row: cell, event: { $1 }))
    }

    @Test(
        "composed children change their part in place without copying lists, siblings or parents, while all are observed"
    )
    func inPlace() {
        let store = Self.makeStore(rows: 100)
        let bag = DisposeBag()
        store.state.drive(onNext: { _ in }).disposed(by: bag)
        store.state.select(\.title).drive(onNext: { _ in }).disposed(by: bag)
        let likes = Received(store.state.select { $0.rows[id: 50]?.likes })
        for number in 1...10 {
            store.send(.header(number))
            store.send(.sheet(number))
            store.send(.row(50, number))
        }
        let state = store.currentState
        #expect(state.header.likes == 55 && state.sheet?.likes == 55 && likes.elements.last == 55)
        #expect(
            [state.probe.copies, state.header.probe.copies, state.sheet?.probe.copies]
                + state.rows.map(\.probe.copies) == [0, 0, 0] + Array(repeating: 0, count: 100))
    }

    @Test("the cost probe detects a copied list: sharing one makes every row report a copy")
    func probe() {
        let store = Self.makeStore(rows: 2)
        let kept = store.currentState
        store.send(.row(1, 1))
        #expect(store.currentState.rows.map(\.probe.copies) == [0, 1])
        withExtendedLifetime(kept) {}
    }
}
