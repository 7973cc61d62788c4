import StreamsTesting
import Synchronization
import TestTurns
import Testing
import TravelDomainTesting
import TravelPresentation
import ViewModelsTesting

/// The list of two blocked people, with answers that take 100 ms each.
private final class BlockedRun: Sendable {
    let scheduler = TestScheduler(resolution: 0.001)
    let refreshTapped = PublishRelay<Void>()
    let unblockTapped = PublishRelay<User.ID>()
    let backTapped = PublishRelay<Void>()
    let calls = Recorder<String>()
    private let failing = Mutex<Set<String>>([])
    private let bag = DisposeBag()

    var viewModel: BlockedViewModel {
        BlockedViewModel(
            load: { [self] in
                try await call("load")
                return [Person.mina, Person.jun]
            },
            unblock: { [self] in try await call($0 == Person.jun.id ? "Jun" : "Mina") })
    }

    func start() -> (
        content: Recorder<BlockedViewModel.Content>, working: Recorder<Set<User.ID>>, events: Recorder<ScreenEvent>
    ) {
        SharingScheduler.mock(scheduler: scheduler) {
            let output = viewModel.transform(
                .init(
                    refreshTapped: refreshTapped.asObservable(), unblockTapped: unblockTapped.asObservable(),
                    backTapped: backTapped.asObservable()))
            return scheduler.perform {
                (output.content.recorded(bag), output.working.recorded(bag), output.events.recorded(bag))
            }
        }
    }

    func fail(_ calls: String...) { failing.withLock { $0 = Set(calls) } }

    func unblock(_ people: User..., for milliseconds: Int) {
        scheduler.perform { for person in people { unblockTapped.accept(person.id) } }
        pass(milliseconds)
    }

    func pass(_ milliseconds: Int) { scheduler.advance(by: .milliseconds(milliseconds)) }

    private func call(_ name: String) async throws {
        calls.add(name)
        try await scheduler.virtualClock.sleep(for: .milliseconds(100))
        if failing.withLock({ $0.contains(name) }) { throw TravelError.busy }
    }
}

@Suite("Blocked people", .takesTurns)
struct BlockedViewModelTests {
    private let run = BlockedRun()

    @Test("several authors are unblocked at the same time, each once, however often that is tapped")
    func unblock() {
        let (content, working, events) = run.start()
        run.pass(150)
        run.unblock(Person.jun, Person.jun, for: 50)
        run.unblock(Person.mina, Person.jun, for: 30)
        #expect(run.calls.all == ["load", "Jun", "Mina"])
        #expect(working.all.last == [Person.mina.id, Person.jun.id])
        run.pass(30)
        #expect(content.all.last == .people([Person.mina]))
        #expect(working.all.last == [Person.mina.id])
        run.pass(100)
        #expect(content.all.last == .people([]))
        #expect(working.all == [[], [Person.jun.id], [Person.mina.id, Person.jun.id], [Person.mina.id], []])
        #expect(events.all == [.notice(.done(.unblocked)), .notice(.done(.unblocked))])
    }

    @Test("people who fail to load can be loaded again")
    func failedLoad() {
        run.fail("load")
        let (content, _, events) = run.start()
        run.pass(150)
        run.fail()
        run.scheduler.perform { run.refreshTapped.accept(()) }
        run.pass(150)
        #expect(content.all == [.loading, .failed(.busy), .loading, .people([Person.mina, Person.jun])])
        #expect(events.all == [])
    }

    @Test("an author who cannot be unblocked stays and can be unblocked again, while another leaves")
    func failedUnblock() {
        let (content, _, events) = run.start()
        run.pass(150)
        run.fail("Mina")
        run.unblock(Person.mina, Person.jun, for: 150)
        #expect(content.all.last == .people([Person.mina]))
        #expect(Set(events.all) == [.notice(.failed(.busy)), .notice(.done(.unblocked))])
        run.fail()
        run.unblock(Person.mina, for: 150)
        #expect(content.all.last == .people([]))
        run.scheduler.perform { run.backTapped.accept(()) }
        run.pass(5)
        #expect(events.all.last == .close(nil))
    }

    @Test("the list of blocked people only composes")
    @MainActor
    func composes() {
        expectOnlyComposes(run.viewModel) { inputs in
            .init(
                refreshTapped: inputs.count(run.refreshTapped.asObservable()),
                unblockTapped: inputs.count(run.unblockTapped.asObservable()),
                backTapped: inputs.count(run.backTapped.asObservable()))
        } whileBound: {
            run.unblockTapped.accept(Person.jun.id)
        }
    }
}
