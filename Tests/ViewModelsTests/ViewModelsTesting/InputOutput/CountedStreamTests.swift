import Streams
import Testing
import ViewModelsTesting

@Suite("Counted streams")
struct CountedStreamTests {
    @Test("a counted stream counts each subscription, which is active until its disposal")
    func disposal() {
        let counted = CountedStream(Observable<Int>.never())
        #expect(counted.subscriptions == 0)
        let first = counted.stream.subscribe()
        let second = counted.stream.subscribe()
        #expect(counted.subscriptions == 2)
        #expect(counted.active == 2)
        first.dispose()
        #expect(counted.active == 1)
        second.dispose()
        #expect(counted.subscriptions == 2)
        #expect(counted.active == 0)
    }

    @Test("a subscription of a counted stream is no longer active once the stream has ended")
    func completion() {
        let subject = PublishSubject<Int>()
        let counted = CountedStream(subject)
        let subscription = counted.stream.subscribe()
        subject.onCompleted()
        #expect(counted.active == 0)
        subscription.dispose()
        #expect(counted.active == 0)
    }
}
