import Streams
import TestReporting
import Testing
import ViewModels

/// A search for titles: a flow to test the kit.
struct Finder: Flow {
    struct State: Equatable, Sendable {
        var text = ""
        var isSearching = false
        var titles: [String] = []
    }
    enum Action: Equatable, Sendable {
        case typed(String)
        case arrived([String])
        case cleared
    }
    enum SideEffect: Equatable, Sendable {
        case search(String)
        case forget
    }
    enum Event: Equatable, Sendable {
        case tick
        case toast(String)
    }

    /// The result of a side effect.
    var works: @Sendable (SideEffect) -> Observable<Action> = { _ in .empty() }
    var initialState: State { State() }

    func reduce(_ state: inout State, _ action: Action) -> Next<SideEffect, Event> {
        switch action {
        case .typed(let text):
            state.text = text
            state.isSearching = true
            return .latest(.search(text), id: "search")
        case .arrived(let titles):
            state.isSearching = false
            state.titles = titles
            return titles.isEmpty ? .event(.toast("nothing found")) : .none
        case .cleared:
            state = State()
            return .cancel("search").and(.run(.forget, id: "care")).and(.event(.tick))
        }
    }

    func perform(_ sideEffect: SideEffect) -> Observable<Action> { works(sideEffect) }
}

/// Expects that `body` reports one issue, with that message.
func expectIssue(_ message: String, _ body: () -> Void) {
    let messages = collectFindings(body).map(\.message)
    #expect(messages == [message])
}
