import Streams
import StreamsTesting
import TestTurns
import Testing
import ViewModels
import ViewModelsTesting

/// The list as a view has it: what it shows, and what one can tap.
@MainActor
private final class PostsScreen {
    let appeared = PublishRelay<Void>()
    let refreshed = PublishRelay<Void>()
    let postTapped = PublishRelay<Post.ID>()
    let createTapped = PublishRelay<Void>()

    let posts: Observed<[Post]>
    let isLoading: Observed<Bool>
    let errors: Heard<any Error>
    let edits: Heard<Post>

    init(_ viewModel: PostsViewModel) {
        let output = viewModel.transform(
            .init(
                appeared: appeared.asObservable(), refreshed: refreshed.asObservable(),
                postTapped: postTapped.asObservable(), createTapped: createTapped.asObservable()))
        posts = Observed(output.posts, initially: [])
        isLoading = Observed(output.isLoading, initially: false)
        errors = Heard(output.error)
        edits = Heard(output.edit)
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

    @Test("it loads when it appears, and shows that it does")
    func loads() {
        let screen = PostsScreen(viewModel)
        screen.appeared.accept(())
        #expect(screen.isLoading.value)
        scheduler.run()
        #expect(!screen.isLoading.value)
        #expect(screen.posts.value == store.all)
    }

    @Test("an error is told once; the posts stay, and a refresh tries again")
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

    @Test("a tap on a post opens the editor on it, and the create button on a new one")
    func editing() {
        let screen = PostsScreen(viewModel)
        screen.appeared.accept(())
        scheduler.run()
        screen.postTapped.accept(1)
        screen.postTapped.accept(999)
        screen.createTapped.accept(())
        #expect(screen.edits.elements == [Post(id: 1, title: "First"), Post(id: 42)])
    }

    @Test("leaving the screen cancels what loads")
    func leaving() {
        var screen: PostsScreen? = PostsScreen(viewModel)
        screen?.appeared.accept(())
        #expect(scheduler.pending.isEmpty == false)
        screen = nil
        scheduler.run()
        scheduler.expectIdle()
    }

    @Test("transform only composes")
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
