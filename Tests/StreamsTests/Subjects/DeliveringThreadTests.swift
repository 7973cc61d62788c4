import Foundation
import Streams
import Synchronization
import TestConcurrency
import Testing

/// A stateful stream, and the function that sends to it.
struct ReplayingCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let make: @Sendable () -> (stream: Observable<Int>, send: @Sendable (Int) -> Void)

    static let all = [
        ReplayingCase(testDescription: "BehaviorSubject") {
            let subject = BehaviorSubject(value: 0)
            return (subject, { subject.onNext($0) })
        },
        ReplayingCase(testDescription: "BehaviorRelay") {
            let relay = BehaviorRelay(value: 0)
            return (relay.asObservable(), { relay.accept($0) })
        },
        ReplayingCase(testDescription: "ReplaySubject") {
            let subject = ReplaySubject<Int>.create(bufferSize: 1)
            subject.onNext(0)
            return (subject, { subject.onNext($0) })
        },
        ReplayingCase(testDescription: "share(replay: 1)") {
            let source = BehaviorSubject(value: 0)
            return (source.share(replay: 1), { source.onNext($0) })
        },
        ReplayingCase(testDescription: "replay(1).refCount()") {
            let source = BehaviorSubject(value: 0)
            return (source.replay(1).refCount(), { source.onNext($0) })
        },
    ]
}

@Suite("Delivering threads", .limitedConcurrency)
struct DeliveringThreadTests {
    @Test(
        "a subscribing thread does not deliver other threads' elements to other observers", arguments: ReplayingCase.all
    )
    func subscribing(_ replaying: ReplayingCase) {
        let (stream, send) = replaying.make()
        let first = Arrivals<Int>()
        let second = Arrivals<Int>()
        let replayBegins = Moment()
        let isSent = Moment()
        let firstSubscription = stream.subscribe(onNext: first.add)
        let subscriber = onThread {
            stream.subscribe(onNext: { number in
                second.add(number)
                if number == 0 {
                    replayBegins.reach()
                    isSent.wait()
                }
            }).dispose()
        }

        replayBegins.wait()
        send(1)
        send(2)
        #expect(first.elements == [0, 1, 2])  // although the other thread is still inside `subscribe`
        #expect(first.areAllOnThisThread)
        isSent.reach()
        subscriber()

        #expect(second.elements == [0, 1, 2])  // what was sent while `subscribe` ran is there when it returns
        firstSubscription.dispose()
    }

    @Test("a disposing thread does not deliver other threads' elements")
    func disposing() {
        final class Captured: Sendable {
            let onRelease: @Sendable () -> Void

            init(_ onRelease: @escaping @Sendable () -> Void) { self.onRelease = onRelease }

            deinit { onRelease() }
        }
        let subject = PublishSubject<Int>()
        let arrivals = Arrivals<Int>()
        let isReleasing = Moment()
        let isSent = Moment()
        let subscription = subject.subscribe(onNext: arrivals.add)
        let subscriptions = Mutex<[any Disposable]>([])
        do {
            let captured = Captured {
                isReleasing.reach()
                isSent.wait()
            }
            let leaving = subject.subscribe(onNext: { _ in withExtendedLifetime(captured) {} })
            subscriptions.withLock { $0.append(leaving) }
        }
        let disposer = onThread { subscriptions.withLock { $0.popLast() }?.dispose() }

        isReleasing.wait()
        subject.onNext(1)
        #expect(arrivals.elements == [1])
        #expect(arrivals.areAllOnThisThread)
        isSent.reach()
        disposer()
        subscription.dispose()
    }

    @Test("the delivering thread delivers elements that are sent meanwhile")
    func senders() {
        let subject = PublishSubject<Int>()
        let arrivals = Arrivals<Int>()
        let isDelivering = Moment()
        let isSent = Moment()
        let subscription = subject.subscribe(onNext: { number in
            arrivals.add(number)
            if number == 1 {
                isDelivering.reach()
                isSent.wait()
            }
        })
        let sender = onThread {
            isDelivering.wait()
            subject.onNext(2)
            #expect(arrivals.elements == [1])
            isSent.reach()
        }
        subject.onNext(1)
        sender()
        #expect(arrivals.elements == [1, 2])
        #expect(arrivals.areAllOnThisThread)
        subscription.dispose()
    }
}

@Suite("Replaying while another thread delivers", .limitedConcurrency)
struct ReplayWhileDeliveringTests {
    @Test(
        "a new observer has received the latest element when subscribe returns, and each later one once",
        arguments: ReplayingCase.all)
    func lastElement(_ replaying: ReplayingCase) {
        let (stream, send) = replaying.make()
        let first = Arrivals<Int>()
        let second = Arrivals<Int>()
        let isDelivering = Moment()
        let mayGoOn = Moment()
        let firstSubscription = stream.subscribe(onNext: { number in
            first.add(number)
            if number == 1 {
                isDelivering.reach()
                mayGoOn.wait()
            }
        })
        let sender = onThread { send(1) }
        isDelivering.wait()

        // The other thread is delivering an element. `share` and `replay` store elements when their source delivers
        // them, and it is busy: their latest element is the one that is being delivered.
        send(2)
        let secondSubscription = stream.subscribe(onNext: second.add)
        let isKeptWhenSent = ["BehaviorSubject", "BehaviorRelay", "ReplaySubject"].contains(replaying.testDescription)
        #expect(second.elements == [isKeptWhenSent ? 2 : 1])
        mayGoOn.reach()
        sender()
        send(3)

        #expect(first.elements == [0, 1, 2, 3])
        #expect(second.elements == (isKeptWhenSent ? [2, 3] : [1, 2, 3]))
        firstSubscription.dispose()
        secondSubscription.dispose()
    }

    @Test("a subscription during a delivery of the same thread starts with the latest element")
    func reentrant() {
        let subject = BehaviorSubject(value: 0)
        let inner = Arrivals<Int>()
        let bag = Mutex<[any Disposable]>([])
        let outer = subject.subscribe(onNext: { number in
            guard number == 1 else { return }
            subject.onNext(2)
            let subscription = subject.subscribe(onNext: inner.add)
            bag.withLock { $0.append(subscription) }
            #expect(inner.elements == [2])
        })
        subject.onNext(1)
        subject.onNext(3)
        #expect(inner.elements == [2, 3])
        outer.dispose()
        for subscription in bag.withLock({ $0 }) { subscription.dispose() }
    }

    @Test("an observer receives a terminal event after the replayed elements")
    func endWhileReplaying() {
        let subject = ReplaySubject<Int>.create(bufferSize: 3)
        for number in 1...3 { subject.onNext(number) }
        let record = Record()
        let subscription = subject.subscribe(
            onNext: { number in
                if number == 1 {
                    subject.onNext(4)
                    subject.onCompleted()
                }
                record.add(number)
            }, onCompleted: { record.add("|") })
        #expect(record.text == "1 2 3 4 |")
        #expect(!subject.hasObservers)
        subscription.dispose()
    }

    @Test("an observer that is disposed during replay receives nothing more")
    func disposalWhileReplaying() {
        let subject = ReplaySubject<Int>.create(bufferSize: 3)
        for number in 1...3 { subject.onNext(number) }
        let record = Record()
        let subscription = subject.take(2).subscribe(onNext: { number in
            if number == 1 { subject.onNext(4) }
            record.add(number)
        })
        #expect(record.text == "1 2")
        #expect(!subject.hasObservers)
        subscription.dispose()
    }

    @Test(
        "under load, every late observer receives consecutive elements from the latest one on",
        arguments: 1...3)
    func unbrokenRuns(_ seed: Int) {
        let subject = BehaviorSubject(value: 0)
        let isOver = Atomic(false)
        let sender = onThread {
            for number in 1...3_000 { subject.onNext(number) }
            isOver.store(true, ordering: .releasing)
        }
        var broken = 0
        var late = 0
        while !isOver.load(ordering: .acquiring) {
            let before = try? subject.value()
            let arrivals = Arrivals<Int>()
            let subscription = subject.subscribe(onNext: arrivals.add)
            let atOnce = arrivals.elements
            if atOnce.isEmpty || atOnce[0] < before ?? 0 { late += 1 }
            subscription.dispose()
            let all = arrivals.elements
            if zip(all, all.dropFirst()).contains(where: { $1 != $0 + 1 }) { broken += 1 }
        }
        sender()
        #expect(late == 0)
        #expect(broken == 0)
    }
}
