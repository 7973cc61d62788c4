import StreamsTesting
import TestConcurrency
import Testing
import TravelDomainTesting
import ViewModelsTesting

@testable import TravelPresentation

@Suite("Undo of a deletion", .limitedConcurrency)
struct UndoFlowTests {
    private let trip = UndoableDeletion(id: .init(seed: 1), of: .trip(Trip.ID(seed: 1)))
    private let entry = UndoableDeletion(id: .init(seed: 2), of: .entry(.init(seed: 2), in: Trip.ID(seed: 1)))
    private let scheduler = TestScheduler(resolution: 0.001)
    private let undone = Recorder<UndoableDeletion>()

    /// A flow whose undoing takes 100 ms, and fails as long as `failures` has an error.
    private func run(failing failures: Recorder<ScreenFailure> = Recorder(), times: Int = 0) -> ScreenRun<UndoFlow> {
        ScreenRun(
            on: scheduler,
            UndoFlow { [scheduler, undone] deletion in
                undone.add(deletion)
                try await scheduler.virtualClock.sleep(for: .milliseconds(100))
                if undone.all.count <= times, let failure = failures.all.first { throw failure }
            })
    }

    @Test("a deletion is undone once, and the trip that is back opens")
    func once() {
        let run = run()
        run.send(.undoTapped(trip), .undoTapped(trip), for: 50)
        #expect(run.state.working == [trip])
        run.pass(100)
        run.send(.undoTapped(trip), for: 150)
        #expect(undone.all == [trip])
        #expect(run.state.working == [])
        #expect(run.events == [.notice(.done(.tripRestored)), .open(.trip(Trip.ID(seed: 1)))])
    }

    @Test("several deletions are undone one after another")
    func several() {
        let run = run()
        run.send(.undoTapped(trip), .undoTapped(entry), for: 50)
        #expect(undone.all == [trip])
        run.pass(200)
        #expect(undone.all == [trip, entry])
        #expect(run.events.last == .notice(.done(.entryRestored)))
    }

    @Test("after a failure that may pass, the notice of the deletion comes again, and undoes it")
    func retry() {
        let failures = Recorder<ScreenFailure>()
        failures.add(.busy)
        let run = run(failing: failures, times: 1)
        run.send(.undoTapped(entry), for: 150)
        #expect(run.events == [.notice(.failed(.busy)), .notice(.deleted(.entryDeleted, entry))])
        run.send(.undoTapped(entry), for: 150)
        #expect(run.events.last == .notice(.done(.entryRestored)))
    }

    @Test("what can no longer be undone says so, and is not offered again")
    func over() {
        let failures = Recorder<ScreenFailure>()
        failures.add(.cannotUndo)
        let run = run(failing: failures, times: 9)
        run.send(.undoTapped(trip), for: 150)
        #expect(run.events == [.notice(.failed(.cannotUndo))])
    }
}
