import Streams
import StreamsTesting
import Synchronization
import TestConcurrency
import Testing
import ViewModels
import ViewModelsTesting

@Suite("Effects of removed children", .limitedConcurrency, .nothingSurvives)
@MainActor
struct RemovedChildTests {
    private let works = Works()

    // MARK: Whoever removes the child

    /// Contains a list and everything below it.
    private struct App: Flow {
        struct State: Equatable, Sendable {
            var list = List.State()
        }
        enum Action: Sendable {
            case change(@Sendable (inout State) -> Void)
            case list(List.Action)
        }

        var initialState: State { State() }

        func reduce(_ state: inout State, _ action: Action) -> Next<Never, String> {
            switch action {
            case .change(let change): change(&state)
            case .list(.sheet(.close)): state.list.sheet = nil
            case .list(.sheet(.said("close and open"))): state.list.sheet = Panel.State(id: 1)
            case .list(.row(let id, .close)): state.list.rows.remove(id: id)
            default: break
            }
            return .none
        }

        static func whole(_ works: Works) -> some Flow<State, Action, String> {
            let list = List.whole { works[$0] }
            return App()
                .scope(
                    \.list, action: ActionCase(Action.list) { if case .list(let action) = $0 { action } else { nil } },
                    child: list, event: { $0 })
        }
    }

    private func makeStore() -> FlowStore<App.State, App.Action, String> {
        let store = FlowStore(App.whole(works))
        store.send(
            .change { state in
                state.list.sheet = Panel.State(id: 1)
                state.list.rows = [Panel.State(id: 1), Panel.State(id: 2)]
            })
        store.send(.list(.ask(.run("list"))))
        store.send(.list(.header(.ask(.run("header")))))
        store.send(.list(.sheet(.ask(.run("sheet").and(.inOrder("sheet 2", "sheet 3"))))))
        for id in 1...2 { store.send(.list(.row(id, .ask(.latest("row \(id)"))))) }
        return store
    }

    @Test("a grandparent that resets its state ends the effects of the children that are no longer in it")
    func reset() {
        let store = makeStore()
        #expect(works.running == ["header", "list", "row 1", "row 2", "sheet", "sheet 2"])
        store.send(.change { $0 = App.State() })
        #expect(works.running == ["header", "list"])
        store.send(
            .change { state in
                state.list.sheet = Panel.State(id: 1)
                state.list.rows = [Panel.State(id: 1), Panel.State(id: 2)]
            })
        for name in ["sheet", "row 1", "row 2"] { works[name].onNext("late") }
        #expect(store.currentState.list.sheet?.said == [] && store.currentState.list.log == [])
    }

    @Test("a grandparent that closes or replaces an optional child ends its effects")
    func optional() {
        let store = makeStore()
        store.send(.change { $0.list.sheet = Panel.State(id: 1, said: ["the same one"]) })
        #expect(works.running == ["header", "list", "row 1", "row 2", "sheet", "sheet 2"])
        store.send(.change { $0.list.sheet = Panel.State(id: 2) })
        #expect(works.running == ["header", "list", "row 1", "row 2"])
        store.send(.list(.sheet(.ask(.run("sheet")))))
        store.send(.change { $0.list.sheet = nil })
        #expect(works.running == ["header", "list", "row 1", "row 2"])
    }

    @Test("a grandparent that removes rows ends their effects, and loading rows with equal ids starts none")
    func rows() {
        let store = makeStore()
        store.send(.change { $0.list.rows.remove(id: 1) })
        #expect(works.running == ["header", "list", "row 2", "sheet", "sheet 2"])
        store.send(.change { $0.list.rows = [Panel.State(id: 2), Panel.State(id: 1)] })
        #expect(works.running == ["header", "list", "row 2", "sheet", "sheet 2"])
        store.send(.change { $0.list.rows = [] })
        store.send(.change { $0.list.rows = [Panel.State(id: 2), Panel.State(id: 1)] })
        #expect(works.running == ["header", "list", "sheet", "sheet 2"])
    }

    @Test("a child that a grandparent removes in response to its action starts no effect of that action")
    func response() {
        let store = makeStore()
        store.send(.list(.row(1, .close)))
        store.send(.list(.sheet(.close)))
        #expect(works.running == ["header", "list", "row 2"])
    }

    @Test(
        "a traced grandparent cancels the effects of a removed child after its reduction, in the order of the requests")
    func traced() {
        let log = Log()
        let store = FlowStore(
            App.whole(works).traced { step in
                switch step {
                case .reduced(let reduction): log.add("reduced \(reduction.number)")
                case .effect(let effect, let change): log.add("\(effect.number) \(change)")
                default: break
                }
            })
        store.send(.change { $0.list.rows = [Panel.State(id: 1), Panel.State(id: 2)] })
        store.send(.list(.row(2, .ask(.run("a").and(.inOrder("b", "c"))))))
        store.send(.list(.row(1, .ask(.run("d")))))
        store.send(.change { $0 = App.State() })
        #expect(
            log.lines == [
                "reduced 1", "reduced 2", "1 started", "2 started", "3 queued", "reduced 3", "4 started", "reduced 4",
                "1 cancelled", "2 cancelled", "3 cancelled", "4 cancelled",
            ])
        store.dismiss()
    }

    @Test("a flow around a flow with children ends the effects of those that it removes itself")
    func around() {
        struct Around<Base: Flow<List.State, List.Action, String>>: Flow {
            let base: Base
            var initialState: List.State { base.initialState }
            func reduce(_ state: inout List.State, _ action: List.Action) -> Next<Base.SideEffect, String> {
                let next = base.reduce(&state, action)
                if case .row(_, .said("enough")) = action { state.rows = [] }
                if case .row(1, .close) = action { state.sheet = nil }
                return next
            }
            func perform(_ sideEffect: Base.SideEffect) -> Observable<List.Action> { base.perform(sideEffect) }
        }
        let store = FlowStore(Around(base: List.whole { [works] in works[$0] }))
        store.send(.change { $0.rows = [Panel.State(id: 1), Panel.State(id: 2)] })
        store.send(.change { $0.sheet = Panel.State(id: 1) })
        store.send(.sheet(.ask(.run("sheet"))))
        for id in 1...2 { store.send(.row(id, .ask(.run("row \(id)")))) }
        store.send(.row(1, .close))
        #expect(works.running == ["row 2"])
        works["row 2"].onNext("enough")
        #expect(works.running == [])
    }

    // MARK: Trees

    @Test(
        "after every reduction of a random tree, whoever reduced, the effects of children run that are in the state since",
        arguments: 0..<16 as Range<UInt64>)
    func tree(seed: UInt64) {
        var random = Steps(seed: seed)
        let store = FlowStore(
            Around(base: Branch.whole(Branch.whole(Branch.whole(Leaf(works: works), works), works), works)))
        var paths: [String: [Place]] = [:]
        for number in 0..<200 {
            let before = store.currentState
            let path = before.randomPath(&random, isAbsent: random.isOneOf(8))
            switch random.next(below: 10) {
            case 0..<4:
                let name = "\(number)"
                store.send(TreeAction(path[...], .start(name, random.next(below: 3))))
                paths[name] = before.resolved(path[...])
            case 4:
                let name = "\(number)"
                let height = random.next(below: path.count + 2)
                store.send(TreeAction(path[...], .start(name, 0), (height, random.state)))
                paths[name] = before.resolved(path[...])
            case 5:
                let names = paths.keys.sorted()
                if let name = names.isEmpty ? nil : names[random.next(below: names.count)] {
                    works[name].onCompleted()
                    paths[name] = nil
                }
            default:
                let height = random.next(below: path.count + 1)
                store.send(TreeAction(path.prefix(height), .change(random.state)))
            }
            random.skip()
            let state = store.currentState
            paths = paths.filter { state.contains($0.value[...]) }
            guard works.running == paths.keys.sorted() else {
                Issue.record("seed \(seed), step \(number): \(works.running) run, expected \(paths.keys.sorted())")
                return
            }
        }
        store.dismiss()
        #expect(works.running == [])
    }

    /// Changes its state after the flow inside, if the action says so.
    private struct Around<Base: Flow>: Flow
    where Base.State: TreeState, Base.Action == TreeAction, Base.Event == Never {
        let base: Base
        var initialState: Base.State { base.initialState }
        func reduce(_ state: inout Base.State, _ action: TreeAction) -> Next<Base.SideEffect, Never> {
            let next = base.reduce(&state, action)
            if action.change?.height == action.path.count + 1 { action.change.map { state.change($0.seed) } }
            return next
        }
        func perform(_ sideEffect: Base.SideEffect) -> Observable<TreeAction> { base.perform(sideEffect) }
    }

    // MARK: Cost

    @Test(
        "what an action costs while rows and rows in rows run effects does not grow with their number",
        arguments: [100, 1_000])
    func cost(count: Int) {
        struct ID: Hashable, Sendable {
            let number: Int
            let hashes: Counter

            static func == (first: ID, second: ID) -> Bool { first.number == second.number }
            func hash(into hasher: inout Hasher) {
                hashes.count.add(1, ordering: .relaxed)
                hasher.combine(number)
            }
        }
        final class Counter: Sendable {
            let count = Atomic(0)
        }
        struct Cell: Identifiable, Sendable {
            let id: ID
            var likes = 0
        }
        struct Column: Identifiable, Sendable {
            let id: ID
            var cells: IdentifiedRows<Cell> = []
        }
        struct Board: Sendable {
            var columns: IdentifiedRows<Column> = []
        }
        enum Action: Sendable {
            case change(@Sendable (inout Board) -> Void)
            case column(ID, ColumnAction)
        }
        enum ColumnAction: Sendable { case start, cell(ID, Bool) }
        let counter = Counter()
        let ids = (0..<2 * count).map { ID(number: $0, hashes: counter) }
        let cell = Script(Cell(id: ids[0]), of: Bool.self, work: { _ in .never() }) { cell, isStart in
            cell.likes += 1
            return isStart ? .run("") : .none
        }
        let column = Script(Column(id: ids[0]), of: ColumnAction.self, work: { _ in .never() }) { _, action in
            if case .start = action { .run("") } else { .none }
        }
        let board = Script(
            Board(
                columns: IdentifiedRows(
                    ids.prefix(count).map { Column(id: $0, cells: [Cell(id: ids[0]), Cell(id: ids[1])]) })),
            of: Action.self
        ) { board, action in
            if case .change(let change) = action { change(&board) }
            return .none
        }
        let store = FlowStore(
            board.forEach(
                \.columns,
                action: ActionCase(Action.column) {
                    if case .column(let id, let action) = $0 { (id, action) } else { nil }
                },
                row: column.forEach(
                    \.cells,
                    action: ActionCase(ColumnAction.cell) {
                        if case .cell(let id, let action) = $0 { (id, action) } else { nil }
                    }, row: cell, event: { $1 }), event: { $1 }))
        /// Compares the median: once in as many changes as there are rows, an action looks at all of them.
        func expect(_ limit: Int, _ what: String, _ actions: [Action]) {
            let hashes = actions.map { action in
                let before = counter.count.load(ordering: .relaxed)
                store.send(action)
                return counter.count.load(ordering: .relaxed) - before
            }
            #expect(hashes.sorted()[hashes.count / 2] <= limit, "\(what): \(hashes)")
        }
        for id in ids.prefix(count) {
            store.send(.column(id, .start))
            store.send(.column(id, .cell(ids[0], true)))
            store.send(.column(id, .cell(ids[1], true)))
        }
        let some = (0..<20).map { ids[$0 * count / 21] }
        expect(40, "an action of a row", some.map { .column($0, .cell(ids[0], false)) })
        expect(
            40, "a change of a row", some.map { id in .change { $0.columns[id: id]?.cells[id: ids[0]]?.likes += 1 } })
        expect(40, "an action of nobody", some.map { _ in .change { _ in } })
        expect(
            40, "an appended row", ids[count..<count + 20].map { id in .change { $0.columns.append(Column(id: id)) } })
        expect(
            40, "an inserted row",
            ids[(count + 20)..<count + 40].map { id in .change { $0.columns.insert(Column(id: id), at: 0) } })
        expect(
            80, "a row removed from a row", some.map { id in .change { $0.columns[id: id]?.cells.remove(id: ids[1]) } })
        expect(80, "a removed row", some.map { id in .change { $0.columns.remove(id: id) } })
        store.dismiss()
    }
}

// MARK: - A tree of flows

/// A child of a branch.
private enum Place: Hashable, Sendable {
    case fixed, sheet
    case page(Int), row(Int)
}

/// An order for the flow at a path. On the way, the flow at a height may change everything below it.
private struct TreeAction: Sendable {
    enum Order: Sendable {
        case start(String, Int)
        case change(UInt64)
        case said
    }
    var path: ArraySlice<Place>
    let order: Order
    let change: (height: Int, seed: UInt64)?

    init(_ path: ArraySlice<Place>, _ order: Order, _ change: (height: Int, seed: UInt64)? = nil) {
        self.path = path
        self.order = order
        self.change = change
    }

    func inside(_ place: Place) -> TreeAction { TreeAction([place] + path, order, change) }
    var below: TreeAction { TreeAction(path.dropFirst(), order, change) }
}

private protocol TreeState: Identifiable, Sendable where ID == Int {
    init(id: Int)
    func contains(_ path: ArraySlice<Place>) -> Bool
    /// The path with the ids of the pages at hand; `nil` if it leads nowhere.
    func resolved(_ path: ArraySlice<Place>) -> [Place]?
    func randomPath(_ random: inout Steps, isAbsent: Bool) -> [Place]
    mutating func change(_ random: inout Steps)
}

extension TreeState {
    mutating func change(_ seed: UInt64) {
        var random = Steps(seed: seed)
        change(&random)
    }
}

private struct Leaf: Flow {
    struct State: TreeState {
        let id: Int
        func contains(_ path: ArraySlice<Place>) -> Bool { path.isEmpty }
        func resolved(_ path: ArraySlice<Place>) -> [Place]? { path.isEmpty ? [] : nil }
        func randomPath(_ random: inout Steps, isAbsent: Bool) -> [Place] { [] }
        mutating func change(_ random: inout Steps) {}
    }

    let works: Works
    var initialState: State { State(id: 0) }
    func reduce(_ state: inout State, _ action: TreeAction) -> Next<String, Never> { action.requests }
    func perform(_ sideEffect: String) -> Observable<TreeAction> {
        works[sideEffect].map { _ in TreeAction([], .said) }
    }
}

extension TreeAction {
    /// The requests of the flow that the action addresses.
    var requests: Next<String, Never> {
        guard path.isEmpty, case .start(let name, let kind) = order else { return .none }
        return switch kind {
        case 0: .run(name)
        case 1: .inOrder(name)
        default: .exhausting(name, id: name)
        }
    }
}

/// A flow with every kind of child.
private struct Branch<Child: TreeState>: Flow {
    struct State: TreeState {
        let id: Int
        var fixed = Child(id: 0)
        var sheet: Child?
        var page: Child?
        var rows: IdentifiedRows<Child> = []
        /// Earlier states.
        var saved: [State] = []

        init(id: Int) { self.id = id }

        func contains(_ path: ArraySlice<Place>) -> Bool {
            let rest = path.dropFirst()
            return switch path.first {
            case .fixed: fixed.contains(rest)
            case .sheet: sheet?.contains(rest) ?? false
            case .page(let id): page?.id == id && page?.contains(rest) == true
            case .row(let id): rows[id: id]?.contains(rest) ?? false
            case nil: true
            }
        }

        func resolved(_ path: ArraySlice<Place>) -> [Place]? {
            guard let place = path.first else { return [] }
            let rest = path.dropFirst()
            let child: Child? =
                switch place {
                case .fixed: fixed
                case .sheet: sheet
                case .page: page
                case .row(let id): rows[id: id]
                }
            let isPage = if case .page = place { true } else { false }
            return child.flatMap { child in child.resolved(rest).map { [isPage ? .page(child.id) : place] + $0 } }
        }

        func randomPath(_ random: inout Steps, isAbsent: Bool) -> [Place] {
            let missing = Child(id: 9)
            switch random.next(below: 7) {
            case 0: return [.fixed] + fixed.randomPath(&random, isAbsent: isAbsent)
            case 1, 2:
                guard let child = isAbsent ? missing : sheet else { return [] }
                return [.sheet] + child.randomPath(&random, isAbsent: isAbsent)
            case 3:
                guard let child = isAbsent ? missing : page else { return [] }
                return [.page(child.id)] + child.randomPath(&random, isAbsent: isAbsent)
            case 4, 5:
                let row = rows.isEmpty ? nil : rows[random.next(below: rows.count)]
                guard let child = isAbsent ? missing : row else { return [] }
                return [.row(child.id)] + child.randomPath(&random, isAbsent: isAbsent)
            default: return []
            }
        }

        mutating func change(_ random: inout Steps) {
            for _ in 0...random.next(below: 3) { changeOnce(&random) }
        }

        private mutating func changeOnce(_ random: inout Steps) {
            let id = random.next(below: 4)
            switch random.next(below: 22) {
            case 0: fixed = Child(id: 0)
            case 1, 2: sheet = sheet == nil || random.isOneOf(4) ? Child(id: 0) : nil
            case 3, 4: page = page == nil || random.isOneOf(2) ? Child(id: id) : nil
            case 5: rows.remove(id: id)
            case 6: rows[id: id] = nil
            case 7, 8: rows.append(Child(id: id))
            case 9: rows.insert(Child(id: id), at: min(id, rows.filter { $0.id != id }.count))
            case 10: rows = IdentifiedRows(rows.reversed())
            case 11: rows.sort { $0.id < $1.id }
            case 12: rows.removeAll { $0.id == id }
            case 13: rows.move(id: id, to: 0)
            case 14:
                var copy = self
                copy.saved = []
                saved = [copy]
            case 15, 16:
                if let last = saved.last { self = last }
            case 17: self = State(id: self.id)
            case 18: fixed.change(&random)
            case 19: sheet?.change(&random)
            case 20: page?.change(&random)
            default: rows[id: id]?.change(&random)
            }
        }
    }

    let works: Works
    var initialState: State { State(id: 0) }

    func reduce(_ state: inout State, _ action: TreeAction) -> Next<String, Never> {
        if case .change(let seed) = action.order, action.path.isEmpty { state.change(seed) }
        if let change = action.change, change.height == action.path.count, change.height > 0 {
            state.change(change.seed)
        }
        return action.requests
    }

    func perform(_ sideEffect: String) -> Observable<TreeAction> {
        works[sideEffect].map { _ in TreeAction([], .said) }
    }

    static func whole<Base: Flow>(_ child: Base, _ works: Works) -> some Flow<State, TreeAction, Never>
    where Base.State == Child, Base.Action == TreeAction, Base.Event == Never {
        func only(_ place: Place) -> ActionCase<TreeAction, TreeAction> {
            ActionCase({ $0.inside(place) }, extract: { $0.path.first == place ? $0.below : nil })
        }
        let page = ActionCase<TreeAction, TreeAction>(
            { $0.inside(.page(0)) }, extract: { if case .page = $0.path.first { $0.below } else { nil } })
        let row = ActionCase<TreeAction, (Int, TreeAction)>(
            { $0.1.inside(.row($0.0)) },
            extract: { if case .row(let id) = $0.path.first { (id, $0.below) } else { nil } })
        return Branch(works: works).scope(\.fixed, action: only(.fixed), child: child)
            .anonymous(\.sheet, action: only(.sheet), child: child)
            .forEach(\.rows, action: row, row: child)
            .ifLet(\.page, action: page, child: child)
    }
}

extension Flow {
    /// An optional child whose state counts as the same while it is there: nothing is known about its id.
    fileprivate func anonymous<Child: Flow>(
        _ part: any WritableKeyPath<State, Child.State?> & Sendable, action: ActionCase<Action, Child.Action>,
        child: Child
    ) -> IfLetFlow<Self, Child> where Child.Event == Never {
        ifLet(part, action: action, child: child)
    }
}

/// A generator with the same numbers for the same seed.
private struct Steps {
    private(set) var state: UInt64

    init(seed: UInt64) { state = seed &* 2_862_933_555_777_941_757 &+ 3_037_000_493 }

    mutating func next(below bound: Int) -> Int {
        skip()
        return Int((state >> 33) % UInt64(bound))
    }

    mutating func skip() { state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407 }
    mutating func isOneOf(_ count: Int) -> Bool { next(below: count) == 0 }
}
