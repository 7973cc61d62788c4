import Streams
import StreamsTesting
import TestTurns
import Testing
import ViewModels
import ViewModelsTesting

/// The editor as its view has it: typing and tapping, and the shown values.
@MainActor
private final class PostEditorScreen {
    let title: BehaviorRelay<String>
    let body: BehaviorRelay<String>
    let titleLeft = PublishRelay<Void>()
    let saveTapped = PublishRelay<Void>()
    let deleteTapped = PublishRelay<Void>()

    let titleProblem: Observed<PostProblem?>
    let canSave: Observed<Bool>
    let isBusy: Observed<Bool>
    let errors: Received<any Error>
    let done: Received<Void>

    init(_ viewModel: PostEditorViewModel) {
        title = BehaviorRelay(value: viewModel.post.title)
        body = BehaviorRelay(value: viewModel.post.body)
        let output = viewModel.transform(
            .init(
                title: title.asObservable(), body: body.asObservable(), titleLeft: titleLeft.asObservable(),
                saveTapped: saveTapped.asObservable(), deleteTapped: deleteTapped.asObservable()))
        titleProblem = Observed(output.titleProblem, initially: nil)
        canSave = Observed(output.canSave, initially: false)
        isBusy = Observed(output.isBusy, initially: false)
        errors = Received(output.error)
        done = Received(output.done)
    }
}

@Suite("Pattern: posts, the editor", .takesTurns, .virtualTime, .nothingSurvives)
@MainActor
struct PostEditorTests {
    private let scheduler: TestScheduler
    private let store: InMemoryPostStore

    init() {
        scheduler = TestScheduler(resolution: 0.001)
        store = InMemoryPostStore([Post(id: 1, title: "First", body: "Once")], clock: scheduler.virtualClock)
    }

    private func edit(_ post: Post) -> PostEditorViewModel { PostEditorViewModel(post: post, store: store) }

    @Test("the post editor enables save only for a valid post while no work is in progress")
    func canSave() {
        let screen = PostEditorScreen(edit(Post(id: 2)))
        #expect(!screen.canSave.value)
        screen.title.accept("Second")
        #expect(!screen.canSave.value)
        screen.body.accept("Twice")
        #expect(screen.canSave.value)
        screen.title.accept("Longer than can be")
        #expect(!screen.canSave.value)
        screen.title.accept("Second")

        store.isBusy = true
        screen.saveTapped.accept(())
        #expect(screen.isBusy.value)
        #expect(!screen.canSave.value)
        scheduler.run()
        #expect(screen.canSave.value)
    }

    @Test("the post editor shows the problem of the title after the field was left")
    func titleProblem() {
        let screen = PostEditorScreen(edit(Post(id: 2)))
        #expect(screen.titleProblem.value == nil)
        screen.titleLeft.accept(())
        #expect(screen.titleProblem.value == .noTitle)
        screen.title.accept("Second")
        #expect(screen.titleProblem.value == nil)
    }

    @Test(
        "the post editor creates a new post, and replaces an edited one",
        arguments: [Post(id: 2), Post(id: 1, title: "First")])
    func saves(post: Post) {
        let screen = PostEditorScreen(edit(post))
        screen.title.accept("New")
        screen.body.accept("Text")
        screen.saveTapped.accept(())
        #expect(screen.done.elements.isEmpty)
        scheduler.run()
        #expect(screen.done.elements.count == 1)
        #expect(store.all.last == Post(id: post.id, title: "New", body: "Text"))
        #expect(store.all.count == post.id)
    }

    @Test("the post editor ignores a tap on save while it saves, or if the post is invalid")
    func savesOnce() {
        let screen = PostEditorScreen(edit(Post(id: 1, title: "First")))
        screen.saveTapped.accept(())
        #expect(store.uses == 0)
        screen.body.accept("Text")
        screen.saveTapped.accept(())
        screen.saveTapped.accept(())
        scheduler.run()
        #expect(screen.done.elements.count == 1)
        #expect(store.uses == 1)
    }

    @Test("the post editor emits an error, stays open, and saves with the next tap")
    func error() {
        let screen = PostEditorScreen(edit(Post(id: 1, title: "First", body: "Text")))
        store.isBusy = true
        screen.saveTapped.accept(())
        scheduler.run()
        #expect(screen.errors.elements.first is StoreIsBusy)
        #expect(screen.done.elements.isEmpty)

        store.isBusy = false
        screen.saveTapped.accept(())
        scheduler.run()
        #expect(screen.errors.elements.count == 1)
        #expect(screen.done.elements.count == 1)
    }

    @Test("deleting in the post editor removes the post and closes the editor")
    func deletes() {
        let screen = PostEditorScreen(edit(Post(id: 1, title: "First", body: "Once")))
        screen.deleteTapped.accept(())
        #expect(!screen.canSave.value)
        scheduler.run()
        #expect(store.all.isEmpty)
        #expect(screen.done.elements.count == 1)
    }

    @Test("transform of the post editor only composes")
    func composes() {
        let text = BehaviorRelay(value: "Text")
        let taps = PublishRelay<Void>()
        expectOnlyComposes(edit(Post(id: 1))) { inputs in
            .init(
                title: inputs.count(text), body: inputs.count(text), titleLeft: inputs.count(taps),
                saveTapped: inputs.count(taps), deleteTapped: inputs.count(taps))
        } whileBound: {
            taps.accept(())
            scheduler.run()
        }
    }
}
