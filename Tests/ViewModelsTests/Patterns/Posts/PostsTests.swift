import Streams
import StreamsTesting
import TestTurns
import Testing
import ViewModels
import ViewModelsTesting

/// The list as its view has it: the shown values, and the possible taps.
@MainActor
private final class PostsScreen {
    let appeared = PublishRelay<Void>()
    let refreshed = PublishRelay<Void>()
    let postTapped = PublishRelay<Post.ID>()
    let createTapped = PublishRelay<Void>()

    let posts: Observed<[Post]>
    let isLoading: Observed<Bool>
    let errors: Received<any Error>
    let edits: Received<Post>

    init(_ viewModel: PostsViewModel) {
        let output = viewModel.transform(
            .init(
                appeared: appeared.asObservable(), refreshed: refreshed.asObservable(),
                postTapped: postTapped.asObservable(), createTapped: createTapped.asObservable()))
        posts = Observed(output.posts, initially: [])
        isLoading = Observed(output.isLoading, initially: false)
        errors = Received(output.error)
        edits = Received(output.edit)
    }
}

@Suite("Pattern: posts, the list", .takesTurns, .virtualTime, .nothingSurvives)
@MainActor
struct PostsTests {
    private let scheduler: TestScheduler
    private let store: InMemoryPostStore
    private let viewModel: PostsViewModel

    init() {
        scheduler = TestScheduler(resolution: 0.001)
        store = InMemoryPostStore([Post(id: 1, title: "First")], clock: scheduler.virtualClock)
        viewModel = PostsViewModel(store: store) { 42 }
    }

    @Test("the list of posts loads when it appears, and shows the activity")
    func loads() {
        let screen = PostsScreen(viewModel)
        screen.appeared.accept(())
        #expect(screen.isLoading.value)
        scheduler.run()
        #expect(!screen.isLoading.value)
        #expect(screen.posts.value == store.all)
    }

    @Test("the list of posts emits an error once, keeps the posts, and tries again on refresh")
    func error() {
        let screen = PostsScreen(viewModel)
        screen.appeared.accept(())
        scheduler.run()
        store.isBusy = true
        screen.refreshed.accept(())
        scheduler.run()
        #expect(screen.errors.elements.count == 1)
        #expect(screen.errors.elements.first is StoreIsBusy)
        #expect(!screen.isLoading.value)
        #expect(screen.posts.value.map(\.title) == ["First"])

        store.isBusy = false
        screen.refreshed.accept(())
        #expect(screen.isLoading.value)
        scheduler.run()
        #expect(screen.errors.elements.count == 1)
    }

    @Test("a tap on a post opens the editor for it, and the create button for a new post")
    func editing() {
        let screen = PostsScreen(viewModel)
        screen.appeared.accept(())
        scheduler.run()
        screen.postTapped.accept(1)
        screen.postTapped.accept(999)
        screen.createTapped.accept(())
        #expect(screen.edits.elements == [Post(id: 1, title: "First"), Post(id: 42)])
    }

    @Test("disposing the list of posts cancels the load")
    func leaving() {
        var screen: PostsScreen? = PostsScreen(viewModel)
        screen?.appeared.accept(())
        #expect(scheduler.pending.isEmpty == false)
        screen = nil
        scheduler.run()
        scheduler.expectIdle()
    }

    @Test("transform of the list of posts only composes")
    func composes() {
        let taps = PublishRelay<Void>()
        expectOnlyComposes(viewModel) { inputs in
            .init(
                appeared: inputs.count(taps), refreshed: inputs.count(taps), postTapped: inputs.count(taps.map { 1 }),
                createTapped: inputs.count(taps))
        } whileBound: {
            taps.accept(())
            scheduler.run()
        }
    }
}
