import Composition
import Streams
import StreamsTesting
import TestReporting
import TestConcurrency
import Testing
import ViewModels
import ViewModelsTesting

// The examples of the article "Moving from the Composable Architecture", each as it is printed there.

private struct TitleFinder: Flow {
    struct State: Equatable {
        var text = ""
        var titles: [String] = []
    }

    enum Action: Equatable { case typed(String), found([String]) }
    enum SideEffect: Equatable { case search(String) }

    @Dependency(\.clock) private var clock
    @Dependency(\.titles) private var titles

    var initialState: State { State() }

    func reduce(_ state: inout State, _ action: Action) -> Next<SideEffect, Never> {
        switch action {
        case .typed(let text):
            state.text = text
            return .latest(.search(text))
        case .found(let titles):
            state.titles = titles
            return .none
        }
    }

    func perform(_ sideEffect: SideEffect) -> Observable<Action> {
        switch sideEffect {
        case .search(let text):
            .task {
                try await clock.sleep(for: .milliseconds(300))
                return .found(try await titles.search(text))
            }
            .catchAndReturn(.found([]))
        }
    }
}

struct Titles: Sendable {
    var search: @Sendable (String) async throws -> [String]
}

enum TitlesKey: DependencyKey {
    static var liveValue: Titles { fromCompositionRoot(placeholder: Titles { _ in [] }) }
    static let previewValue = Titles { text in ["\(text) in winter"] }
}

extension DependencyValues {
    var titles: Titles {
        get { self[TitlesKey.self] }
        set { self[TitlesKey.self] = newValue }
    }
}

private struct PostRow: Flow {
    struct State: Equatable, Identifiable {
        let id: Int
        var isLiked = false
    }

    enum Action: Equatable { case likeTapped, hideTapped }

    var initialState: State { State(id: 0) }

    func reduce(_ state: inout State, _ action: Action) -> Next<Never, Never> {
        if action == .likeTapped { state.isLiked.toggle() }
        return .none
    }
}

private struct Feed: Flow {
    struct State: Equatable {
        var posts: IdentifiedRows<PostRow.State> = []
    }

    enum Action: Equatable {
        case arrived([Int])
        case post(Int, PostRow.Action)
    }

    var initialState: State { State() }

    func reduce(_ state: inout State, _ action: Action) -> Next<Never, Never> {
        switch action {
        case .arrived(let ids): state.posts = IdentifiedRows(ids.map { PostRow.State(id: $0) })
        case .post(let id, .hideTapped): state.posts.remove(id: id)
        case .post: break
        }
        return .none
    }

    static var whole: some Flow<State, Action, Never> {
        Feed().forEach(
            \.posts,
            action: ActionCase(Action.post) { if case .post(let id, let action) = $0 { (id, action) } else { nil } },
            row: PostRow())
    }
}

@Suite("Moving from the Composable Architecture: the examples", .limitedConcurrency, .nothingSurvives)
struct ComposableArchitectureArticleTests {
    @Test(.dependencies { $0.titles = Titles { text in ["\(text) in winter"] } })
    func newestTextIsSearchedFor() {
        let tester = FlowTester(TitleFinder())
        tester.send(.typed("J"), starts: .search("J")) { $0.text = "J" }
        tester.advance(by: .milliseconds(299))
        tester.send(.typed("Jeju"), starts: .search("Jeju")) { $0.text = "Jeju" }
        tester.receive(.found(["Jeju in winter"])) { $0.titles = ["Jeju in winter"] }
        tester.finish()
    }

    @Test("the Composable Architecture article: testing reduce alone")
    func reduce() {
        FlowSpec(TitleFinder())
            .when(.typed("Jeju"))
            .then(.latest(.search("Jeju"))) { $0.text = "Jeju" }
    }

    @Test(
        "the Composable Architecture article: a key without a test value fails the test that reads it and returns the preview value"
    )
    func missing() {
        let tester = FlowTester(TitleFinder())
        let findings = collectFindings {
            tester.send(.typed("Jeju"), starts: .search("Jeju")) { $0.text = "Jeju" }
            tester.receive(.found(["Jeju in winter"])) { $0.titles = ["Jeju in winter"] }
        }
        #expect(findings.count == 1)
        #expect(findings.first?.message.contains("`titles` (TitlesKey)") == true)
        tester.finish()
    }

    @Test("the Composable Architecture article: a tree of flows")
    func tree() {
        let tester = FlowTester(Feed.whole)
        tester.send(.arrived([1, 2])) { $0.posts = [.init(id: 1), .init(id: 2)] }
        tester.send(.post(2, .likeTapped)) { $0.posts[id: 2]?.isLiked = true }
        tester.send(.post(1, .hideTapped)) { $0.posts = [.init(id: 2, isLiked: true)] }
        tester.finish()
    }

    @Test("each example of the Composable Architecture article is in this file, word for word")
    func examples() throws {
        try Article("MovingFromTheComposableArchitecture").expectExamples()
    }
}
