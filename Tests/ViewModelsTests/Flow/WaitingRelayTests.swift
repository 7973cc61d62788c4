import Dispatch
import Foundation
import Streams
import StreamsTesting
import Synchronization
import TestConcurrency
import Testing
import ViewModels
import ViewModelsTesting

@Suite("WaitingRelay", .limitedConcurrency, .nothingSurvives)
struct WaitingRelayTests {
    @Test("a WaitingRelay with a limit buffers the newest elements, and counts and releases the dropped ones")
    func limit() {
        let alive = Alive()
        let relay = WaitingRelay<Alive.Value>(limit: 2)
        for _ in 0..<5 { relay.accept(alive.make()) }
        #expect(alive.now == 2)
        #expect(relay.droppedCount == 3)
        let received = Mutexed(0)
        let subscription = relay.subscribe(onNext: { _ in received.change { $0 += 1 } })
        #expect(received.value == 2)
        for _ in 0..<5 { relay.accept(alive.make()) }
        #expect(received.value == 7)
        #expect(relay.droppedCount == 3)
        subscription.dispose()
    }

    @Test("a WaitingRelay buffers elements for the first observer, and then delivers to all observers")
    func keeps() {
        let relay = WaitingRelay<Int>()
        let scheduler = TestScheduler()
        let (first, second) = (scheduler.createObserver(Int.self), scheduler.createObserver(Int.self))
        relay.accept(1)
        relay.accept(2)
        let subscriptions = [relay.subscribe(first), relay.subscribe(second)]
        relay.accept(3)
        subscriptions[0].dispose()
        relay.accept(4)
        subscriptions[1].dispose()
        relay.accept(5)
        #expect(first.events == [.next(0, 1), .next(0, 2), .next(0, 3)])
        #expect(second.events == [.next(0, 3), .next(0, 4)])
        let third = scheduler.createObserver(Int.self)
        relay.subscribe(third).dispose()
        #expect(third.events == [.next(0, 5)])
    }

    @Test("an element that a WaitingRelay accepts during a delivery follows it, for every observer")
    func reentrancy() {
        let relay = WaitingRelay<Int>()
        let log = Log()
        let bag = DisposeBag()
        for name in ["A", "B"] {
            relay.asObservable().subscribe(onNext: { number in
                log.add("\(name)\(number)")
                if number == 1, name == "A" { relay.accept(2) }
            }).disposed(by: bag)
        }
        relay.accept(1)
        #expect(log.lines == ["A1", "B1", "A2", "B2"])
    }

    @Test("with 8 threads, a WaitingRelay delivers each element once, in the order of its thread")
    func threads() {
        let relay = WaitingRelay<[Int]>()
        let received = Mutexed<[[Int]]>([])
        let bag = DisposeBag()
        onThreads(8) { thread in
            for number in 0..<500 {
                relay.accept([thread, number])
                if thread == 0, number == 250 {
                    relay.asObservable().subscribe(onNext: { pair in received.change { $0.append(pair) } })
                        .disposed(by: bag)
                }
            }
        }
        let byThread = Dictionary(grouping: received.value, by: { $0[0] })
        #expect(byThread.values.allSatisfy { $0.map { $0[1] } == Array(0..<500) } && byThread.count == 8)
    }

    @Test("an element that a WaitingRelay accepts while its only observer is disposed on another thread is not lost")
    func disposalOnAnotherThread() {
        let relay = WaitingRelay<Int>()
        let received = Mutexed<[Int]>([])
        let subscribed = Atomic(-1)
        let accepted = Atomic(-1)
        let rounds = 500
        onThreads(2) { thread in
            for round in 0..<rounds {
                if thread == 0 {
                    while subscribed.load(ordering: .acquiring) < round { sched_yield() }
                    relay.accept(round)
                    accepted.store(round, ordering: .releasing)
                } else {
                    let subscription = relay.subscribe(onNext: { number in received.change { $0.append(number) } })
                    subscribed.store(round, ordering: .releasing)
                    for _ in 0..<round % 500 { _ = accepted.load(ordering: .relaxed) }
                    subscription.dispose()
                    while accepted.load(ordering: .acquiring) < round { sched_yield() }
                }
            }
        }
        relay.subscribe(onNext: { number in received.change { $0.append(number) } }).dispose()
        #expect(received.value == Array(0..<rounds))
    }

    @Test("an element whose only observer is disposed on another thread meanwhile waits for the next observer")
    func disposalDuringTheDelivery() {
        let relay = WaitingRelay<Int>()
        let (isUnderWay, isDisposed) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let subscription = relay.asObservable()
            .map { number in
                isUnderWay.signal()
                isDisposed.wait()
                return number
            }
            .subscribe(onNext: { _ in Issue.record("the subscription was disposed") })
        onThreads(2) { thread in
            if thread == 0 { return relay.accept(1) }
            isUnderWay.wait()
            subscription.dispose()
            isDisposed.signal()
        }
        let received = Mutexed<[Int]>([])
        relay.subscribe(onNext: { number in received.change { $0.append(number) } }).dispose()
        #expect(received.value == [1])
    }

    @Test("a WaitingRelay releases delivered elements")
    func memory() {
        let alive = Alive()
        let relay = WaitingRelay<Alive.Value>()
        for _ in 0..<3 { relay.accept(alive.make()) }
        #expect(alive.now == 3)
        expectNothingSurvives {
            let subscription = relay.asObservable().subscribe(onNext: { _ in })
            #expect(alive.now == 0)
            relay.accept(alive.make())
            subscription.dispose()
        }
        #expect(alive.now == 0)
    }
}
