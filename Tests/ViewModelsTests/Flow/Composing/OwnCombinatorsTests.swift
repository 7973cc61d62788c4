import Streams
import StreamsTesting
import TestConcurrency
import Testing
import ViewModels
import ViewModelsTesting

/// Flows that compose their children by `Next.map`, as an app would: nothing here is internal to the library.
@Suite("Combinators of an app", .limitedConcurrency, .nothingSurvives)
@MainActor
struct OwnCombinatorsTests {
    private let works = Works()

    // MARK: Rows that contain rows

    /// A heading with headings below it. Each loads its title; all use the same effect id.
    private struct Outline: Flow {
        struct State: Equatable, Identifiable {
            let id: Int
            var title = ""
            var children: IdentifiedRows<State> = []
        }
        indirect enum Action: Equatable, Sendable {
            case load, loaded(String), add(Int), remove(Int)
            case child(Int, Action)
        }
        indirect enum SideEffect: Equatable, Sendable {
            case load(Int)
            case child(Int, SideEffect)
        }

        let works: Works
        var initialState: State { State(id: 0) }

        func reduce(_ state: inout State, _ action: Action) -> Next<SideEffect, String> {
            switch action {
            case .load: return .latest(.load(state.id), id: "load").and(.event("\(state.id)"))
            case .loaded(let title): state.title = title
            case .add(let id): state.children.append(State(id: id))
            case .remove(let id):
                state.children.remove(id: id)
                return .cancel(child: id)
            case .child(let id, let action):
                let next = state.children.update(id) { reduce(&$0, action) }
                return next?.map({ .child(id, $0) }, event: { "\(state.id)/\($0)" }, in: id) ?? .none
            }
            return .none
        }

        func perform(_ sideEffect: SideEffect) -> Observable<Action> {
            switch sideEffect {
            case .load(let id): works["\(id)"].map(Action.loaded)
            case .child(let id, let sideEffect): perform(sideEffect).map { .child(id, $0) }
            }
        }
    }

    /// The action for the heading at that path.
    private func at(_ path: Int..., send action: Outline.Action) -> Outline.Action {
        path.reversed().reduce(action) { .child($1, $0) }
    }

    @Test("rows that contain rows run effects at every depth, and a removed row takes those below it along")
    func recursion() {
        let store = FlowStore(Outline(works: works))
        let events = Received(store.events)
        for action in [
            .add(1), .add(2), at(1, send: .add(3)), at(1, 3, send: .add(4)), at(2, send: .add(5)),
        ] {
            store.send(action)
        }
        for action in [
            .load, at(1, send: .load), at(1, 3, send: .load), at(1, 3, 4, send: .load), at(2, 5, send: .load),
        ] {
            store.send(action)
        }
        #expect(works.running == ["0", "1", "3", "4", "5"])
        #expect(events.elements == ["0", "0/1", "0/1/3", "0/1/3/4", "0/2/5"])
        works["4"].onNext("four")
        #expect(store.currentState.children[id: 1]?.children[id: 3]?.children[id: 4]?.title == "four")
        store.send(at(1, 3, 4, send: .load))  // replaces the effect of its own row only
        #expect(works.running == ["0", "1", "3", "4", "5"])
        store.send(at(1, send: .remove(3)))
        #expect(works.running == ["0", "1", "5"])
        store.send(.remove(1))
        #expect(works.running == ["0", "5"])
        works["3"].onNext("late")
        #expect(store.currentState.children.ids == [2])
        store.dismiss()
        #expect(works.running == [])
    }

    @Test("rows that contain rows keep their effects apart inside a combinator of the library")
    func recursionInside() {
        let row = Outline(works: works)
        let board = Script(IdentifiedRows<Outline.State>([.init(id: 1), .init(id: 2)]), of: Board.self) {
            rows, action in
            if case .remove(let id) = action { rows.remove(id: id) }
            return .none
        }
        let store = FlowStore(
            board.forEach(
                \.self,
                action: ActionCase(Board.row) { if case .row(let id, let action) = $0 { (id, action) } else { nil } },
                row: row, event: { "\($0): \($1)" }))
        for id in 1...2 {
            store.send(.row(id, .add(10 + id)))
            store.send(.row(id, .add(20)))
            store.send(.row(id, .load))
            store.send(.row(id, .child(10 + id, .load)))
        }
        store.send(.row(1, .child(20, .load)))
        #expect(works.running == ["1", "11", "12", "2", "20"])
        store.send(.row(2, .remove(20)))
        #expect(works.running == ["1", "11", "12", "2", "20"])
        store.send(.row(1, .remove(20)))
        #expect(works.running == ["1", "11", "12", "2"])
        store.send(.remove(1))
        #expect(works.running == ["12", "2"])
        store.dismiss()
    }

    private enum Board: Sendable {
        case row(Int, Outline.Action)
        case remove(Int)
    }

    // MARK: A case of an enumeration

    /// Shows one of two screens.
    private struct Entrance: Flow {
        enum State: Equatable {
            case signedOut(Panel.State)
            case signedIn(Panel.State, name: String)
        }
        enum Action: Sendable {
            case signedOut(Panel.Action)
            case signedIn(Panel.Action)
            case answered(String)
        }
        enum SideEffect: Equatable, Sendable { case signedOut(String), signedIn(String) }

        let panel: Panel
        var initialState: State { .signedOut(Panel.State(id: 0)) }

        func reduce(_ state: inout State, _ action: Action) -> Next<SideEffect, String> {
            switch (state, action) {
            case (.signedOut(var login), .signedOut(let action)):
                let next = panel.reduce(&login, action)
                state = .signedOut(login)
                return next.map(SideEffect.signedOut, event: { "out \($0)" }, in: "signedOut")
            case (.signedIn(var home, let name), .signedIn(let action)):
                let next = panel.reduce(&home, action)
                state = .signedIn(home, name: name)
                return next.map(SideEffect.signedIn, event: { "in \($0)" }, in: "signedIn")
            case (.signedOut, .answered(let name)):
                state = .signedIn(Panel.State(id: 1), name: name)
                return .cancel(child: "signedOut")
            default: return .none
            }
        }

        func perform(_ sideEffect: SideEffect) -> Observable<Action> {
            switch sideEffect {
            case .signedOut(let sideEffect): panel.perform(sideEffect).map(Action.signedOut)
            case .signedIn(let sideEffect): panel.perform(sideEffect).map(Action.signedIn)
            }
        }
    }

    @Test("a flow whose state is an enumeration runs the child of its case, and ends its effects with the case")
    func enumeration() {
        let store = FlowStore(Entrance(panel: Panel { [works] in works[$0] }))
        let events = Received(store.events)
        store.send(.signedOut(.ask(.latest("sign in", id: "same").and(.event("asked")))))
        store.send(.signedIn(.ask(.latest("not there", id: "same"))))
        works["sign in"].onNext("wait")
        #expect(works.running == ["sign in"])
        #expect(store.currentState == .signedOut(Panel.State(id: 0, said: ["wait"])))
        store.send(.answered("Mina"))
        #expect(works.running == [])
        store.send(.signedIn(.ask(.latest("load", id: "same").and(.event("loading")))))
        works["load"].onNext("hello")
        #expect(store.currentState == .signedIn(Panel.State(id: 1, said: ["hello"]), name: "Mina"))
        #expect(events.elements == ["out asked", "in loading"])
        store.dismiss()
    }

    // MARK: A stack of unlike screens

    /// Screens of two kinds on a stack. Two screens of one kind may be on it at the same time.
    private struct Stack: Flow {
        struct Screen: Equatable, Identifiable {
            enum Content: Equatable { case panel(Panel.State), outline(Outline.State) }
            let id: Int
            var content: Content
        }
        enum ScreenAction: Sendable { case panel(Panel.Action), outline(Outline.Action) }
        enum Action: Sendable {
            case pushed(Screen.Content), popped(to: Int)
            case screen(Int, ScreenAction)
        }
        enum SideEffect: Equatable, Sendable { case panel(Int, String), outline(Int, Outline.SideEffect) }
        struct State: Equatable {
            var screens: IdentifiedRows<Screen> = []
            var lastID = 0
        }

        let panel: Panel
        let outline: Outline
        var initialState: State { State() }

        func reduce(_ state: inout State, _ action: Action) -> Next<SideEffect, String> {
            switch action {
            case .pushed(let content):
                state.lastID += 1
                state.screens.append(Screen(id: state.lastID, content: content))
                return .none
            case .popped(let count):
                let gone = state.screens.dropFirst(count).map(\.id)
                for id in gone { state.screens.remove(id: id) }
                return gone.reduce(.none) { $0.and(.cancel(child: $1)) }
            case .screen(let id, let action):
                return state.screens.update(id) { reduce(&$0, action) } ?? .none
            }
        }

        private func reduce(_ screen: inout Screen, _ action: ScreenAction) -> Next<SideEffect, String> {
            let id = screen.id
            switch (screen.content, action) {
            case (.panel(var state), .panel(let action)):
                defer { screen.content = .panel(state) }
                return panel.reduce(&state, action).map({ .panel(id, $0) }, event: { "\(id) \($0)" }, in: id)
            case (.outline(var state), .outline(let action)):
                defer { screen.content = .outline(state) }
                return outline.reduce(&state, action).map({ .outline(id, $0) }, event: { "\(id) \($0)" }, in: id)
            default: return .none
            }
        }

        func perform(_ sideEffect: SideEffect) -> Observable<Action> {
            switch sideEffect {
            case .panel(let id, let sideEffect): panel.perform(sideEffect).map { .screen(id, .panel($0)) }
            case .outline(let id, let sideEffect): outline.perform(sideEffect).map { .screen(id, .outline($0)) }
            }
        }
    }

    @Test("a stack of unlike screens runs the effects of each screen, and ends those of the screens that are popped")
    func stack() {
        let store = FlowStore(Stack(panel: Panel { [works] in works[$0] }, outline: Outline(works: works)))
        let events = Received(store.events)
        store.send(.pushed(.panel(Panel.State(id: 100))))
        store.send(.pushed(.outline(Outline.State(id: 200))))
        store.send(.pushed(.panel(Panel.State(id: 300))))
        store.send(.screen(1, .panel(.ask(.latest("first", id: "load")))))
        store.send(.screen(2, .outline(.load)))
        store.send(.screen(2, .outline(.add(7))))
        store.send(.screen(2, .outline(.child(7, .load))))
        store.send(.screen(3, .panel(.ask(.latest("third", id: "load")))))
        #expect(works.running == ["200", "7", "first", "third"])
        works["7"].onNext("seven")
        works["first"].onNext("one")
        #expect(store.currentState.screens[id: 1]?.content == .panel(Panel.State(id: 100, said: ["one"])))
        #expect(
            store.currentState.screens[id: 2]?.content
                == .outline(Outline.State(id: 200, children: [Outline.State(id: 7, title: "seven")])))
        store.send(.popped(to: 1))
        #expect(works.running == ["first"])
        #expect(events.elements == ["2 200", "2 200/7"])
        store.send(.popped(to: 0))
        #expect(works.running == [])
        #expect(store.currentState.screens.isEmpty)
    }

    // MARK: As values

    @Test("mapped requests are compared and described like others")
    func values() {
        let next = Next<String, String>.latest("a", id: 1).and(.event("b"))
        let mapped: Next<[String], Int> = next.map({ [$0] }, event: \.count)
        #expect(mapped == .latest(["a"], id: 1).and(.event(1)))
        let inChild: Next<[String], Int> = next.map({ [$0] }, event: \.count, in: 7)
        #expect(inChild != mapped)
        #expect(inChild == next.map({ [$0] }, event: \.count, in: 7))
        #expect(inChild != next.map({ [$0] }, event: \.count, in: 8))
        let silent: Next<[String], Int> = Next<String, Never>.run("a").map { [$0] }
        #expect(silent == .run(["a"]))
        #expect(Next<String, Never>.cancel(child: 7) == .cancel(child: 7))
        #expect(Next<String, Never>.cancel(child: 7) != .cancel(child: 8))
        #expect("\(Next<String, Never>.cancel(child: 7))" == ".cancel(child: 7)")
    }
}
