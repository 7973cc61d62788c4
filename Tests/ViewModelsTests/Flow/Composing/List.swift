import Streams
import ViewModels

/// A list with a header, a sheet, and rows: every kind of child.
struct List: Flow {
    struct State: Equatable, Sendable {
        var header = Panel.State(id: 0)
        var sheet: Panel.State?
        var rows: IdentifiedRows<Panel.State> = []
        var log: [String] = []
    }
    enum Action: Sendable {
        case header(Panel.Action)
        case sheet(Panel.Action)
        case row(Int, Panel.Action)
        case change(@Sendable (inout State) -> Void)
        case ask(Next<String, String>)
    }

    let work: @Sendable (String) -> Observable<String>
    var initialState: State { State() }

    func reduce(_ state: inout State, _ action: Action) -> Next<String, String> {
        switch action {
        case .change(let change): change(&state)
        case .ask(let next): return next
        case .header(.said(let text)): state.log.append("header \(text)")
        case .sheet(.said("close and open")): state.sheet = nil
        case .sheet(.said(let text)): state.log.append("sheet \(text)")
        case .row(let id, .said(let text)): state.log.append("row \(id) \(text)")
        case .row(let id, .close):
            state.rows.remove(id: id)
            return .event("closed \(id)")
        case .sheet(.close): state.sheet = nil
        default: break
        }
        return .none
    }

    func perform(_ sideEffect: String) -> Observable<Action> {
        work(sideEffect).map { text in .change { $0.log.append("list \(text)") } }
    }

    /// The list with its children, whose side effects are the streams of `work`.
    static func whole(
        _ work: @escaping @Sendable (String) -> Observable<String>
    ) -> ForEachFlow<IfLetFlow<ScopeFlow<List, Panel>, Panel>, Panel> {
        let panel = Panel(work: work)
        return List(work: work)
            .scope(
                \.header,
                action: ActionCase(Action.header) { if case .header(let action) = $0 { action } else { nil } },
                child: panel, event: { "header \($0)" }
            )
            .ifLet(
                \.sheet, action: ActionCase(Action.sheet) { if case .sheet(let action) = $0 { action } else { nil } },
                child: panel, event: { "sheet \($0)" }
            )
            .forEach(
                \.rows,
                action: ActionCase(Action.row) { if case .row(let id, let action) = $0 { (id, action) } else { nil } },
                row: panel, event: { "row \($0) \($1)" })
    }
}

/// A child of a ``List``.
struct Panel: Flow {
    struct State: Equatable, Identifiable, Sendable {
        let id: Int
        var said: [String] = []
    }
    enum Action: Sendable {
        case ask(Next<String, String>)
        case said(String)
        case close
    }

    let work: @Sendable (String) -> Observable<String>
    var initialState: State { State(id: 0) }

    func reduce(_ state: inout State, _ action: Action) -> Next<String, String> {
        switch action {
        case .ask(let next): return next
        case .said(let text):
            state.said.append(text)
            return .none
        case .close: return .run("farewell").and(.event("bye"))
        }
    }

    func perform(_ sideEffect: String) -> Observable<Action> { work(sideEffect).map(Action.said) }
}

/// Side effects that run until they are disposed.
final class Works: Sendable {
    private let streams = Mutexed<[String: PublishSubject<String>]>([:])

    /// The stream with that name.
    subscript(name: String) -> PublishSubject<String> {
        streams.change { $0[name] = $0[name] ?? PublishSubject() }
        return streams.value[name] ?? PublishSubject()
    }

    /// The names of the running effects.
    var running: [String] { streams.value.filter { $0.value.hasObservers }.keys.sorted() }
}
