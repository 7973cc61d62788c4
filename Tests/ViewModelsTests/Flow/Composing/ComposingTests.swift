import Streams
import StreamsTesting
import TestConcurrency
import Testing
import ViewModels
import ViewModelsTesting

@Suite("Composed flows", .limitedConcurrency, .nothingSurvives)
@MainActor
struct ComposingTests {
    private let works = Works()
    private let store: FlowStore<List.State, List.Action, String>

    init() {
        store = FlowStore(List.whole { [works] in works[$0] })
    }

    private func change(_ change: @escaping @Sendable (inout List.State) -> Void) {
        store.send(.change(change))
    }

    private func addRows(_ ids: Int...) {
        change { state in ids.forEach { state.rows.append(Panel.State(id: $0)) } }
    }

    @Test("a child reduces its actions on its part of the state before its parent does")
    func scope() {
        store.send(.header(.ask(.run("h"))))
        works["h"].onNext("hello")
        #expect(store.currentState.header.said == ["hello"])
        #expect(store.currentState.log == ["header hello"])
    }

    @Test("each row reduces its actions on its own state, by id")
    func rows() {
        addRows(1, 2)
        store.send(.row(2, .ask(.run("w"))))
        works["w"].onNext("hello")
        #expect(store.currentState.rows.map(\.said) == [[], ["hello"]])
        #expect(store.currentState.log == ["row 2 hello"])
    }

    @Test("events of children become events of the parent")
    func events() {
        addRows(7)
        store.send(.header(.ask(.event("a"))))
        store.send(.row(7, .ask(.event("b"))))
        change { $0.sheet = Panel.State(id: 1) }
        store.send(.sheet(.ask(.event("c"))))
        store.send(.ask(.event("d")))
        #expect(Received(store.events).elements == ["header a", "row 7 b", "sheet c", "d"])
    }

    @Test("effect ids of the parent, of different children and of two rows are independent")
    func ids() {
        addRows(1, 2)
        change { $0.sheet = Panel.State(id: 1) }
        let ask = { (name: String) in Next<String, String>.latest(name, id: "same") }
        store.send(.ask(ask("list")))
        store.send(.header(.ask(ask("header"))))
        store.send(.sheet(.ask(ask("sheet"))))
        store.send(.row(1, .ask(ask("row 1"))))
        store.send(.row(2, .ask(ask("row 2"))))
        #expect(works.running == ["header", "list", "row 1", "row 2", "sheet"])
        store.send(.row(1, .ask(.cancel("same"))))
        #expect(works.running == ["header", "list", "row 2", "sheet"])
        store.send(.sheet(.ask(ask("sheet again"))))
        #expect(works.running == ["header", "list", "row 2", "sheet again"])
        store.send(.ask(.cancel("same")))
        #expect(works.running == ["header", "row 2", "sheet again"])
    }

    @Test("removing a row cancels its running and waiting effects in order, and no others")
    func rowLeaves() {
        addRows(1, 2)
        for row in 1...2 {
            store.send(.row(row, .ask(.run("\(row)a", "\(row)b").and(.inOrder("\(row)c", "\(row)d")))))
            store.send(.row(row, .ask(.inOrder("\(row)e", "\(row)f", id: "x"))))
        }
        #expect(works.running == ["1a", "1b", "1c", "1e", "2a", "2b", "2c", "2e"])
        change { $0.rows.remove(id: 1) }
        #expect(works.running == ["2a", "2b", "2c", "2e"])
        for name in ["2c", "2e"] { works[name].onCompleted() }
        #expect(works.running == ["2a", "2b", "2d", "2f"])
    }

    @Test("actions of a removed row that were not reduced yet are dropped, even if a row with its id is inserted")
    func rowLeavesWithAnswers() {
        addRows(1)
        store.send(.row(1, .ask(.run("a"))))
        let bag = DisposeBag()
        store.state.asObservable().skip(1).take(1).subscribe(onNext: { [works] _ in works["a"].onNext("stale") })
            .disposed(by: bag)
        change { state in
            state.rows.remove(id: 1)
        }
        addRows(1)
        #expect(store.currentState.rows.map(\.said) == [[]])
        #expect(store.currentState.log == [])
    }

    private enum WayToLeave: CaseIterable {
        case removed, setToNil, filtered, listReplaced, stateReplaced
    }

    @Test("every way to remove rows ends their effects", arguments: WayToLeave.allCases)
    private func waysToLeave(way: WayToLeave) {
        addRows(1, 2)
        for row in 1...2 { store.send(.row(row, .ask(.run("\(row)")))) }
        switch way {
        case .removed: change { $0.rows.remove(id: 1) }
        case .setToNil: change { $0.rows[id: 1] = nil }
        case .filtered: change { $0.rows.removeAll { $0.id == 1 } }
        case .listReplaced: change { $0.rows = [Panel.State(id: 3), Panel.State(id: 2)] }
        case .stateReplaced: change { $0 = List.State(rows: [Panel.State(id: 2)]) }
        }
        #expect(works.running == ["2"])
    }

    @Test("moving, changing and inserting rows keeps their effects")
    func rowsStay() {
        addRows(1, 2)
        for row in 1...2 { store.send(.row(row, .ask(.run("\(row)")))) }
        change { $0.rows.move(id: 1, to: 1) }
        change { $0.rows.sort { $0.id > $1.id } }
        change { $0.rows[id: 1]?.said = ["x"] }
        change { $0.rows.append(Panel.State(id: 1)) }
        change { $0.rows.insert(Panel.State(id: 3), at: 0) }
        change { $0.rows = IdentifiedRows($0.rows.reversed()) }
        #expect(works.running == ["1", "2"])
    }

    @Test("a row that removes itself by a delegate action does not start its last request, but raises its event")
    func delegateAction() {
        addRows(1, 2)
        store.send(.row(1, .close))
        #expect(store.currentState.rows.ids == [2])
        #expect(works.running == [])
        #expect(Received(store.events).elements == ["row 1 bye", "closed 1"])
    }

    @Test("setting an optional child to nil cancels its effects")
    func optionalChild() {
        change { $0.sheet = Panel.State(id: 1) }
        store.send(.sheet(.ask(.run("a").and(.inOrder("b", "c")))))
        change { $0.sheet?.said = ["still there"] }
        #expect(works.running == ["a", "b"])
        change { $0.sheet = nil }
        #expect(works.running == [])
        store.send(.sheet(.said("nobody there")))
        #expect(store.currentState.log == ["sheet nobody there"])
    }

    @Test("replacing an optional child by one with another id cancels its effects")
    func replacedChild() {
        change { $0.sheet = Panel.State(id: 1) }
        store.send(.sheet(.ask(.run("a"))))
        change { $0.sheet = Panel.State(id: 1, said: ["the same one"]) }
        #expect(works.running == ["a"])
        change { $0.sheet = Panel.State(id: 2) }
        #expect(works.running == [])
        store.send(.sheet(.ask(.run("b"))))
        #expect(works.running == ["b"])
    }

    @Test("only the parent reduces an action for an absent row")
    func missingRow() {
        store.send(.row(9, .said("hello")))
        #expect(store.currentState.log == ["row 9 hello"])
        #expect(store.currentState.rows.isEmpty)
    }

    @Test("dismissal ends the effects of a parent and its children")
    func dismissal() {
        addRows(1)
        change { $0.sheet = Panel.State(id: 1) }
        for action in [
            List.Action.ask(.run("a")), .header(.ask(.run("b"))), .sheet(.ask(.run("c"))),
            .row(1, .ask(.run("d"))),
        ] { store.send(action) }
        #expect(works.running == ["a", "b", "c", "d"])
        store.dismiss()
        #expect(works.running == [])
    }

    @Test("removing a row that contains a list cancels the effects of the rows in it")
    func nested() {
        struct Board: Flow {
            struct Column: Identifiable, Sendable {
                let id: Int
                var list = List.State()
            }
            enum Action: Sendable { case column(Int, List.Action), remove(Int) }
            struct ColumnFlow: Flow {
                let list: ForEachFlow<IfLetFlow<ScopeFlow<List, Panel>, Panel>, Panel>
                var initialState: Column { Column(id: 0) }
                func reduce(
                    _ state: inout Column, _ action: List.Action
                ) -> Next<ForEachFlow<IfLetFlow<ScopeFlow<List, Panel>, Panel>, Panel>.SideEffect, String> {
                    list.reduce(&state.list, action)
                }
                func perform(
                    _ sideEffect: ForEachFlow<IfLetFlow<ScopeFlow<List, Panel>, Panel>, Panel>.SideEffect
                ) -> Observable<List.Action> { list.perform(sideEffect) }
            }
            var initialState: IdentifiedRows<Column> { [Column(id: 1), Column(id: 2)] }
            func reduce(_ state: inout IdentifiedRows<Column>, _ action: Action) -> Next<Never, String> {
                if case .remove(let id) = action { state.remove(id: id) }
                return .none
            }
        }
        let column = Board.ColumnFlow(list: List.whole { [works] in works[$0] })
        let board = FlowStore(
            Board().forEach(
                \.self,
                action: ActionCase(Board.Action.column) {
                    if case .column(let id, let action) = $0 { (id, action) } else { nil }
                }, row: column, event: { "column \($0): \($1)" }))
        for id in 1...2 {
            board.send(.column(id, .change { $0.rows.append(Panel.State(id: 5)) }))
            board.send(.column(id, .row(5, .ask(.latest("row of \(id)", id: "same")))))
            board.send(.column(id, .header(.ask(.latest("header of \(id)", id: "same")))))
        }
        #expect(works.running == ["header of 1", "header of 2", "row of 1", "row of 2"])
        board.send(.column(2, .change { $0.rows.removeAll() }))
        #expect(works.running == ["header of 1", "header of 2", "row of 1"])
        works["row of 1"].onNext("hello")
        #expect(board.currentState[id: 1]?.list.log == ["row 5 hello"])
        board.send(.remove(1))
        #expect(works.running == ["header of 2"])
    }
}
