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

private struct DraftForm: Flow {
    struct State: Equatable {
        var title = ""
    }

    enum Action: AssigningAction, Equatable {
        case set(Assignment<State>)
        case saveTapped
        case delegate(Delegate)
    }

    enum Delegate: Equatable { case saved(String), refused }
    enum SideEffect: Equatable { case tell(Delegate) }

    var initialState: State { State() }

    func reduce(_ state: inout State, _ action: Action) -> Next<SideEffect, Never> {
        switch action {
        case .set(let assignment):
            assignment.apply(to: &state)
            if assignment.sets(\.title) { state.title = String(state.title.prefix(40)) }
            return .none
        case .saveTapped:
            return .run(.tell(state.title.isEmpty ? .refused : .saved(state.title)))
        case .delegate:
            return .none
        }
    }

    func perform(_ sideEffect: SideEffect) -> Observable<Action> {
        switch sideEffect {
        case .tell(let delegate): .just(.delegate(delegate))
        }
    }
}

private struct Screen: Flow {
    struct State: Equatable, Identifiable {
        let id: Int
        var kind: Kind
    }

    enum Kind: Equatable { case draft(DraftForm.State), post(PostRow.State) }
    enum Action: Equatable { case draft(DraftForm.Action), post(PostRow.Action) }
    enum SideEffect: Equatable { case draft(DraftForm.SideEffect) }

    private let draft = DraftForm()
    private let post = PostRow()
    var initialState: State { State(id: 0, kind: .draft(DraftForm.State())) }

    func reduce(_ state: inout State, _ action: Action) -> Next<SideEffect, Never> {
        switch (state.kind, action) {
        case (.draft(var part), .draft(let action)):
            defer { state.kind = .draft(part) }
            return draft.reduce(&part, action).map(SideEffect.draft)
        case (.post(var part), .post(let action)):
            defer { state.kind = .post(part) }
            return post.reduce(&part, action).map { (_: Never) -> SideEffect in }
        default:
            return .none
        }
    }

    func perform(_ sideEffect: SideEffect) -> Observable<Action> {
        switch sideEffect {
        case .draft(let sideEffect): draft.perform(sideEffect).map(Action.draft)
        }
    }
}

private struct Home: Flow {
    struct State: Equatable {
        var path: IdentifiedRows<Screen.State> = []
    }

    enum Action: Equatable {
        case writeTapped
        case pathChanged([Int])
        case screen(Int, Screen.Action)
    }

    var initialState: State { State() }

    func reduce(_ state: inout State, _ action: Action) -> Next<Never, Never> {
        switch action {
        case .writeTapped:
            state.path.append(Screen.State(id: (state.path.last?.id ?? 0) + 1, kind: .draft(DraftForm.State())))
        case .pathChanged(let ids): state.path.removeAll { !ids.contains($0.id) }
        case .screen(let id, .draft(.delegate(.saved))): state.path.remove(id: id)
        case .screen: break
        }
        return .none
    }

    static var whole: ForEachFlow<Home, Screen> {
        Home().forEach(
            \.path,
            action: ActionCase(Action.screen) {
                if case .screen(let id, let action) = $0 { (id, action) } else { nil }
            },
            row: Screen())
    }
}

private struct Entrance: Flow {
    enum State: Equatable {
        case locked
        case open(Feed.State)

        var feed: Feed.State? {
            get { if case .open(let feed) = self { feed } else { nil } }
            set { if let newValue { self = .open(newValue) } }
        }
    }

    enum Action: Equatable { case unlocked, feed(Feed.Action) }

    var initialState: State { .locked }

    func reduce(_ state: inout State, _ action: Action) -> Next<Never, Never> {
        if action == .unlocked { state = .open(Feed.State()) }
        return .none
    }

    static var whole: some Flow<State, Action, Never> {
        Entrance().ifLet(
            \.feed, action: ActionCase(Action.feed) { if case .feed(let action) = $0 { action } else { nil } },
            child: Feed.whole)
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

    @Test("the Composable Architecture article: a screen of a stack tells that it is done, and is closed")
    func stack() {
        let tester = FlowTester(Home.whole)
        tester.send(.writeTapped) { $0.path = [.init(id: 1, kind: .draft(.init()))] }
        tester.send(.screen(1, .draft(.saveTapped)), starts: .child(1, .draft(.tell(.refused))))
        tester.receive(.screen(1, .draft(.delegate(.refused))))
        let title = String(repeating: "a", count: 41)
        tester.send(.screen(1, .draft(.set(\.title, title)))) {
            $0.path[id: 1]?.kind = .draft(.init(title: String(title.prefix(40))))
        }
        tester.send(.writeTapped) { $0.path.append(.init(id: 2, kind: .draft(.init()))) }
        tester.send(.pathChanged([1])) { $0.path.remove(id: 2) }
        let saved = DraftForm.Delegate.saved(String(title.prefix(40)))
        tester.send(.screen(1, .draft(.saveTapped)), starts: .child(1, .draft(.tell(saved))))
        tester.receive(.screen(1, .draft(.delegate(saved)))) { $0.path = [] }
        tester.send(.pathChanged([]))
        tester.finish()
    }

    @Test("the Composable Architecture article: a screen of a stack reduces the actions of its kind")
    func screen() {
        FlowSpec(Screen()).given(.init(id: 1, kind: .post(.init(id: 7))))
            .when(.post(.likeTapped)).then { $0.kind = .post(.init(id: 7, isLiked: true)) }
        FlowSpec(Screen()).when(.post(.likeTapped)).then(.none)
    }

    @Test("the Composable Architecture article: a child of a case")
    func caseOfAnEnumeration() {
        let tester = FlowTester(Entrance.whole)
        tester.send(.unlocked) { $0 = .open(.init()) }
        tester.send(.feed(.arrived([1]))) { $0 = .open(.init(posts: [.init(id: 1)])) }
        tester.send(.feed(.post(1, .hideTapped))) { $0 = .open(.init()) }
        tester.finish()
    }

    @Test("each example of the Composable Architecture article is in this file, word for word")
    func examples() throws {
        try Article("MovingFromTheComposableArchitecture").expectExamples()
    }
}
