import StreamsTesting
import TestConcurrency
import Testing
import TravelDomainTesting
import ViewModelsTesting

@testable import TravelPresentation

@Suite("Entry of a trip", .limitedConcurrency)
struct EntryViewModelTests {
    /// The screen of an entry in a world of trips, with the elements of its outputs so far.
    private struct EntryRun {
        let world: TimelineWorld
        let editTapped = PublishRelay<Void>()
        let deleteTapped = PublishRelay<Void>()
        let answered = PublishRelay<Bool>()
        let retryTapped = PublishRelay<Void>()
        let contents: Recorder<EntryViewModel.Content>
        let questions: Recorder<Bool>
        let events: Recorder<ScreenEvent>
        private let bag = DisposeBag()

        init(_ world: TimelineWorld, _ number: UInt64, _ useCases: ScreenUseCases? = nil) {
            self.world = world
            (contents, questions, events) = SharingScheduler.mock(scheduler: world.scheduler) {
                [editTapped, deleteTapped, answered, retryTapped, bag] in
                withDependencies {
                    $0.useVirtualTime(of: world.scheduler)
                } operation: {
                    let output = EntryRun.viewModel(world, number, useCases).transform(
                        .init(
                            retryTapped: retryTapped.asObservable(), editTapped: editTapped.asObservable(),
                            deleteTapped: deleteTapped.asObservable(), answered: answered.asObservable()))
                    return world.scheduler.perform {
                        (output.content.recorded(bag), output.asksToDelete.recorded(bag), output.events.recorded(bag))
                    }
                }
            }
            pass(150)
        }

        static func viewModel(
            _ world: TimelineWorld, _ number: UInt64, _ useCases: ScreenUseCases? = nil
        ) -> EntryViewModel {
            (useCases ?? world.useCases).entry(.init(seed: number), in: world.id, user: world.user.asObservable())
        }

        var shown: EntryViewModel.Content { contents.all.last ?? .init() }

        func tap<Element: Sendable>(_ relay: PublishRelay<Element>, _ element: Element, for milliseconds: Int = 2) {
            withDependencies {
                $0.useVirtualTime(of: world.scheduler)
            } operation: {
                world.scheduler.perform { relay.accept(element) }
            }
            pass(milliseconds)
        }

        func pass(_ milliseconds: Int) {
            withDependencies {
                $0.useVirtualTime(of: world.scheduler)
            } operation: {
                world.scheduler.advance(by: .milliseconds(milliseconds))
            }
        }
    }

    private let mine = TimelineWorld(viewer: Person.jun)

    @Test("an entry is shown, and follows its changes")
    func changes() {
        let world = TimelineWorld()
        let run = EntryRun(world, 4)
        #expect(run.contents.all.first?.phase == .loading)
        #expect(run.shown.entry?.day == 3)
        #expect(run.shown.trip?.id == world.id)
        world.change { _, entries in
            entries.removeLast()
            entries.append(.sample(4, day: 2, hour: 10, place: true))
        }
        run.pass(2)
        #expect(run.shown.entry?.day == 2)
        run.tap(run.editTapped, ())
        run.tap(run.deleteTapped, ())
        #expect(run.questions.all == [false])
        #expect(run.events.all == [])
    }

    @Test("an entry closes when it is deleted here, after a question, once")
    func deletion() {
        let run = EntryRun(mine, 4)
        run.tap(run.editTapped, ())
        run.tap(run.deleteTapped, ())
        run.tap(run.answered, false)
        run.tap(run.answered, true)
        run.tap(run.deleteTapped, ())
        run.tap(run.answered, true)
        run.tap(run.deleteTapped, ())
        run.tap(run.answered, true, for: 150)
        #expect(run.questions.all == [false, true, false, true, false])
        #expect(mine.calls.filter { $0 == "delete entry" }.count <= 1)
        #expect(run.shown.entry != nil)
        #expect(
            run.events.all == [
                .open(.entryEditor(.init(seed: 4), in: mine.id)), .notice(.done(.entryDeleted)),
                .close(.removedEntry(.init(seed: 4))),
            ])
    }

    @Test("an entry closes with a notice that offers to undo its deletion, where that is possible")
    func undoable() {
        let deletion = UndoableDeletion(id: .init(seed: 9), of: .entry(.init(seed: 4), in: mine.id))
        var useCases = mine.useCases
        useCases.deleteEntry = { _, _ in deletion }
        let run = EntryRun(mine, 4, useCases)
        run.tap(run.deleteTapped, ())
        run.tap(run.answered, true, for: 150)
        #expect(run.events.all == [.notice(.deleted(.entryDeleted, deletion)), .close(.removedEntry(.init(seed: 4)))])
    }

    @Test("an entry that is deleted elsewhere says so, with its question")
    func deletedElsewhere() {
        let run = EntryRun(mine, 3)
        run.tap(run.deleteTapped, ())
        mine.change { _, entries in entries.removeAll { $0.id == .init(seed: 3) } }
        run.pass(2)
        #expect(run.shown.phase == .gone)
        #expect(run.shown.trip != nil)
        #expect(run.questions.all == [false, true, false])
        #expect(EntryRun(mine, 99).shown.phase == .gone)
        mine.tell(.failure(.notFound(.trip(mine.id))))
        run.pass(2)
        #expect(run.shown.trip == nil)
    }

    @Test("an entry whose trip cannot be read any more stays and says why; a retry watches it again")
    func failure() {
        let run = EntryRun(mine, 1)
        mine.tell(.failure(.busy))
        run.pass(2)
        #expect(run.shown.entry != nil)
        #expect(run.events.all == [.notice(.failed(.busy))])
        run.tap(run.retryTapped, (), for: 150)
        mine.change { _, entries in entries.removeFirst() }
        run.pass(2)
        #expect(run.shown.phase == .gone)
    }

    @Test("a change of the session loads the entry again")
    func session() {
        let run = EntryRun(mine, 1)
        run.tap(run.deleteTapped, ())
        mine.scheduler.perform { mine.user.accept(nil) }
        run.pass(2)
        #expect(run.shown.phase == .loading)
        #expect(run.questions.all == [false, true, false])
        run.pass(150)
        #expect(run.shown.entry != nil)
    }

    @Test("the screen of an entry only composes")
    @MainActor
    func composes() {
        let (tapped, answered) = (PublishRelay<Void>(), PublishRelay<Bool>())
        let user = Observable<User?>.just(Person.jun)
        let viewModel = EntryViewModel(
            .init(seed: 1), in: mine.id, user: user, show: { _ in .never() }, delete: { _, _ in nil })
        expectOnlyComposes(viewModel) { inputs in
            .init(
                retryTapped: inputs.count(tapped.asObservable()), editTapped: inputs.count(tapped.asObservable()),
                deleteTapped: inputs.count(tapped.asObservable()), answered: inputs.count(answered.asObservable()),
                backTapped: inputs.count(tapped.asObservable()))
        } whileBound: {
            tapped.accept(())
        }
    }
}
