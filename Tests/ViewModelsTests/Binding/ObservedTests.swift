import Streams
import StreamsTesting
import TestTurns
import Testing
import ViewModels
import ViewModelsTesting

@Suite("Observed values", .takesTurns, .nothingSurvives)
@MainActor
struct ObservedTests {
    private struct Opaque {}

    @Test("it has the driver's value, and the initial one until the driver says something")
    func value() {
        let relay = PublishRelay<Int>()
        let observed = Observed(relay.asDriver(onErrorJustReturn: 0), initially: 7)
        #expect(observed.value == 7)
        relay.accept(8)
        #expect(observed.value == 8)
        #expect(Observed(BehaviorRelay(value: 1).asDriver(), initially: 0).value == 1)
    }

    @Test("a view that reads it reads it again when it changes, and not for a value that comes once more")
    func observation() {
        let relay = BehaviorRelay(value: 1)
        let observed = Observed(relay.asDriver(), initially: 0)
        #expect(readsAgain(observed.value) { relay.accept(2) })
        #expect(!readsAgain(observed.value) { relay.accept(2) })
        #expect(!readsAgain(observed.value) {})
        #expect(observed.value == 2)
    }

    @Test("values that cannot be compared are read again whenever they come")
    func notEquatable() {
        let relay = PublishRelay<Opaque>()
        let observed = Observed(relay.asDriver(onErrorDriveWith: .empty()), initially: Opaque())
        #expect(readsAgain(observed.value) { relay.accept(Opaque()) })
    }

    @Test("a value sent from another thread is there on the main actor")
    func otherThread() async {
        let subject = PublishSubject<Int>()
        let observed = Observed(subject.asDriver(onErrorJustReturn: 0), initially: 0)
        await Task.detached { subject.onNext(1) }.value
        while observed.value == 0 { await Task.yield() }
        #expect(observed.value == 1)
    }

    @Test("it subscribes once, when it is made; letting it go ends that, for nothing else keeps it alive")
    func life() {
        let subject = PublishSubject<Int>()
        expectNothingSurvives {
            let driver = subject.asDriver(onErrorJustReturn: 0)
            #expect(!subject.hasObservers)
            var observed: Observed? = Observed(driver, initially: 0)
            weak let released = observed
            #expect(subject.hasObservers)
            observed = nil
            #expect(released == nil)
            #expect(!subject.hasObservers)
        }
    }
}
