import Streams
import StreamsTesting
import TestTurns
import Testing

@Suite("RefCountDisposable, ScheduledDisposable", .takesTurns)
struct RefCountDisposableTests {
    @Test("a reference-counted disposable without dependents is disposed immediately")
    func alone() {
        let held = BooleanDisposable()
        let shared = RefCountDisposable(disposable: held)
        #expect(!shared.isDisposed && !held.isDisposed)
        shared.dispose()
        #expect(shared.isDisposed && held.isDisposed)
    }

    @Test("the last dependent disposes a reference-counted disposable")
    func dependents() {
        let held = BooleanDisposable()
        let shared = RefCountDisposable(disposable: held)
        let one = shared.retain()
        let two = shared.retain()
        one.dispose()
        one.dispose()
        shared.dispose()
        #expect(!held.isDisposed && !shared.isDisposed)
        two.dispose()
        #expect(held.isDisposed && shared.isDisposed)
    }

    @Test("disposing all dependents alone does not dispose a reference-counted disposable")
    func dependentsFirst() {
        let held = BooleanDisposable()
        let shared = RefCountDisposable(disposable: held)
        shared.retain().dispose()
        #expect(!held.isDisposed)
        shared.dispose()
        #expect(held.isDisposed)
    }

    @Test("retaining a disposed reference-counted disposable does nothing")
    func late() {
        let shared = RefCountDisposable(disposable: BooleanDisposable())
        shared.dispose()
        shared.retain().dispose()
        #expect(shared.isDisposed)
    }

    @Test("a scheduled disposable disposes on its scheduler, once")
    func scheduled() {
        let scheduler = TestScheduler(initialClock: 0)
        let received = Record()
        let held = Disposables.create { received.add(scheduler.clock) }
        let disposable = ScheduledDisposable(scheduler: scheduler, disposable: held)
        scheduler.scheduleAt(10) { disposable.dispose() }
        scheduler.scheduleAt(20) { disposable.dispose() }
        scheduler.start()
        #expect(received.text == "11")
        #expect(disposable.isDisposed)
    }
}
