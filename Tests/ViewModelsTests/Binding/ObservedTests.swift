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

    @Test("an observed value is the initial one until the driver emits")
    func value() {
        let relay = PublishRelay<Int>()
        let observed = Observed(relay.asDriver(onErrorJustReturn: 0), initially: 7)
        #expect(observed.value == 7)
        relay.accept(8)
        #expect(observed.value == 8)
        #expect(Observed(BehaviorRelay(value: 1).asDriver(), initially: 0).value == 1)
    }

    @Test("a view of an observed value is updated when it changes, and not for an equal value")
    func observation() {
        let relay = BehaviorRelay(value: 1)
        let observed = Observed(relay.asDriver(), initially: 0)
        #expect(isInvalidated(observed.value) { relay.accept(2) })
        #expect(!isInvalidated(observed.value) { relay.accept(2) })
        #expect(!isInvalidated(observed.value) {})
        #expect(observed.value == 2)
    }

    @Test("a view of an observed value that is not Equatable is updated for each element")
    func notEquatable() {
        let relay = PublishRelay<Opaque>()
        let observed = Observed(relay.asDriver(onErrorDriveWith: .empty()), initially: Opaque())
        #expect(isInvalidated(observed.value) { relay.accept(Opaque()) })
    }

    @Test("an observed value that is sent from another thread arrives on the main actor")
    func otherThread() async {
        let subject = PublishSubject<Int>()
        let observed = Observed(subject.asDriver(onErrorJustReturn: 0), initially: 0)
        await Task.detached { subject.onNext(1) }.value
        while observed.value == 0 { await Task.yield() }
        #expect(observed.value == 1)
    }

    @Test("an observed value subscribes once, when it is made, until it is released, and nothing else retains it")
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
