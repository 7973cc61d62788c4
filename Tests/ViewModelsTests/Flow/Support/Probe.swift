import Streams
import StreamsTesting
import Synchronization
import ViewModels

/// A flow that its actions control: it makes the requests of `ask`, and stores what was `said`.
struct Probe: Flow {
    struct State: Equatable, Sendable {
        var said: [String] = []
    }
    enum Action: Equatable, Sendable {
        case ask(Next<Work, String>)
        case said(String)
    }
    enum Work: Equatable, Sendable, CustomStringConvertible {
        case load(String)
        case save(String)

        var name: String {
            switch self {
            case .load(let name), .save(let name): name
            }
        }
        var description: String { name }
    }

    /// The elements of the side effect with that name.
    let works: @Sendable (String) -> Observable<String>

    var initialState: State { State() }

    func reduce(_ state: inout State, _ action: Action) -> Next<Work, String> {
        switch action {
        case .ask(let next): return next
        case .said(let text):
            state.said.append(text)
            return .none
        }
    }

    func perform(_ sideEffect: Work) -> Observable<Action> {
        works(sideEffect.name).map(Action.said)
    }
}

/// Lines, from any thread.
final class Log: Sendable {
    private let all = Mutex<[String]>([])

    var lines: [String] { all.withLock { $0 } }

    func add(_ line: String) {
        all.withLock { $0.append(line) }
    }
}
