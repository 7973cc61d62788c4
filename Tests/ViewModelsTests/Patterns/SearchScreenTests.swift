import Composition
import Streams
import StreamsTesting
import TestTurns
import Testing
import ViewModels
import ViewModelsTesting

/// A search screen: typing shows suggestions; the search key shows skeleton rows, and then titles or an error with a
/// retry.
private struct SearchScreen: Flow {
    struct State: Equatable, Sendable {
        var text = ""
        var suggestions: [String] = []
        /// The text of the last search.
        var query = ""
        var content = Content.nothing
    }

    enum Content: Equatable, Sendable {
        case nothing
        case skeleton(rows: Int)
        case titles([String])
        case failed
    }

    enum Action: Equatable, Sendable {
        case typed(String), searchTapped, retryTapped
        case suggestionsArrived([String]), titlesArrived([String]), searchFailed
    }

    enum SideEffect: Equatable, Sendable {
        case suggest(String), search(String)
    }

    @Dependency(\.catalog) private var catalog
    @Dependency(\.clock) private var clock

    var initialState: State { State() }

    func reduce(_ state: inout State, _ action: Action) -> Next<SideEffect, Never> {
        switch action {
        case .typed(let text):
            state.text = text
            return .latest(.suggest(text))  // each key cancels the request of the one before
        case .searchTapped:
            state.query = state.text
            state.suggestions = []
            return .cancel(kindOf: .suggest("")).and(search(&state))
        case .retryTapped:
            return search(&state)
        case .suggestionsArrived(let suggestions):
            state.suggestions = suggestions
        case .titlesArrived(let titles):
            state.content = .titles(titles)
        case .searchFailed:
            state.content = .failed
        }
        return .none
    }

    private func search(_ state: inout State) -> Next<SideEffect, Never> {
        state.content = .skeleton(rows: 6)
        return .latest(.search(state.query))
    }

    func perform(_ sideEffect: SideEffect) -> Observable<Action> {
        switch sideEffect {
        case .suggest(let text):
            .task {
                try await clock.sleep(for: .milliseconds(300))  // with `latest`, a debounce
                return .suggestionsArrived(try await catalog.suggestions(text))
            }
            .catchAndReturn(.suggestionsArrived([]))  // optional: a failure is not shown
        case .search(let query):
            .task { .titlesArrived(try await catalog.titles(query)) }
                .catchAndReturn(.searchFailed)
        }
    }
}

/// The source of the search results.
private struct Catalog: Sendable {
    var suggestions: @Sendable (_ text: String) async throws -> [String]
    var titles: @Sendable (_ query: String) async throws -> [String]
}

private enum CatalogKey: DependencyKey {
    static var liveValue: Catalog {
        fromCompositionRoot(placeholder: Catalog(suggestions: { _ in [] }, titles: { _ in [] }))
    }

    /// Answers after 50 milliseconds, except the queries `slow` and `unreachable`.
    static var testValue: Catalog {
        @Dependency(\.clock) var clock
        return Catalog(
            suggestions: { [clock] text in
                try await clock.sleep(for: .milliseconds(50))
                return ["\(text) 1", "\(text) 2"]
            },
            titles: { [clock] query in
                if query == "unreachable" { throw Unreachable() }
                try await clock.sleep(for: query == "slow" ? .seconds(60) : .milliseconds(50))
                return ["\(query) in winter"]
            })
    }

    private struct Unreachable: Error {}
}

extension DependencyValues {
    fileprivate var catalog: Catalog {
        get { self[CatalogKey.self] }
        set { self[CatalogKey.self] = newValue }
    }
}

@Suite("Pattern: a search screen", .takesTurns, .nothingSurvives)
struct SearchScreenTests {
    @Test("the search screen requests suggestions after a pause in typing, for the newest text only")
    func debounce() {
        let tester = FlowTester(SearchScreen())
        tester.send(.typed("J")) { $0.text = "J" }
        tester.advance(by: .milliseconds(299))
        tester.send(.typed("Je")) { $0.text = "Je" }
        tester.receive(.suggestionsArrived(["Je 1", "Je 2"])) { $0.suggestions = ["Je 1", "Je 2"] }
        #expect(tester.scheduler.clock == 299 + 300 + 50)
        tester.finish()
    }

    @Test("the search screen drops an answer that arrives after the text has changed")
    func staleSuggestions() {
        let tester = FlowTester(SearchScreen())
        tester.send(.typed("Je")) { $0.text = "Je" }
        tester.advance(by: .milliseconds(349))  // requested, not answered
        tester.send(.typed("Jeju")) { $0.text = "Jeju" }
        tester.receive(.suggestionsArrived(["Jeju 1", "Jeju 2"])) { $0.suggestions = ["Jeju 1", "Jeju 2"] }
        tester.finish()
    }

    @Test("the search key shows skeleton rows and then titles, and no more suggestions")
    func search() {
        let tester = FlowTester(SearchScreen())
        tester.send(.typed("Jeju")) { $0.text = "Jeju" }
        tester.send(.searchTapped) {
            $0.query = "Jeju"
            $0.content = .skeleton(rows: 6)
        }
        tester.receive(.titlesArrived(["Jeju in winter"])) { $0.content = .titles(["Jeju in winter"]) }
        tester.finish()
    }

    @Test("the search screen shows an error, and a retry searches for the same text, whatever was typed since")
    func retry() {
        let tester = FlowTester(SearchScreen(), initialState: .init(text: "unreachable"))
        tester.send(.searchTapped) {
            $0.query = "unreachable"
            $0.content = .skeleton(rows: 6)
        }
        tester.receive(.searchFailed) { $0.content = .failed }
        tester.send(.typed("")) { $0.text = "" }
        tester.send(.retryTapped) { $0.content = .skeleton(rows: 6) }
        tester.receive(.searchFailed) { $0.content = .failed }
        tester.receive(.suggestionsArrived([" 1", " 2"])) { $0.suggestions = [" 1", " 2"] }
        tester.finish()
    }

    @Test("a slow answer never replaces that of a newer search")
    func staleTitles() {
        let tester = FlowTester(SearchScreen(), initialState: .init(text: "slow"))
        tester.send(.searchTapped) {
            $0.query = "slow"
            $0.content = .skeleton(rows: 6)
        }
        tester.send(.typed("Jeju")) { $0.text = "Jeju" }
        tester.send(.searchTapped) { $0.query = "Jeju" }
        tester.receive(.titlesArrived(["Jeju in winter"])) { $0.content = .titles(["Jeju in winter"]) }
        tester.advance(by: .seconds(60))
        tester.finish()
    }

    @Test("the search key requests one search and no more suggestions")
    func searchKey() {
        FlowSpec(SearchScreen())
            .given { $0.text = "Jeju" }
            .when(.searchTapped)
            .then(.cancel(kindOf: .suggest("")).and(.latest(.search("Jeju")))) {
                $0.query = "Jeju"
                $0.content = .skeleton(rows: 6)
            }
    }
}
