import Foundation
import Streams
import Synchronization
import TestConcurrency
import Testing

@Suite("Drivers and signals on several threads", .limitedConcurrency)
struct SharedSequenceThreadTests {
    @Test("drive has delivered the latest value when it returns, even while another thread is delivering")
    @MainActor
    func firstValue() {
        let relay = BehaviorRelay(value: 0)
        let isDelivering = Moment()
        let mayGoOn = Moment()
        let slow = relay.asObservable().subscribe(onNext: { number in
            if number == 1 {
                isDelivering.reach()
                mayGoOn.wait()
            }
        })
        let driver = relay.asDriver()
        let sender = onThread { relay.accept(1) }
        isDelivering.wait()
        let arrivals = Arrivals<Int>()
        let subscription = driver.drive(onNext: arrivals.add)
        #expect(arrivals.elements == [1])
        mayGoOn.reach()
        sender()
        relay.accept(2)
        #expect(arrivals.elements == [1, 2])
        subscription.dispose()
        slow.dispose()
    }

    @Test("a synchronous driver delivers on the main actor, whatever the subscribing thread")
    func finiteDriver() async {
        let driver = Driver.of(1, 2, 3).map { $0 * 10 }
        let received = Mutex<[Int]>([])
        // `do` takes main-actor functions; they would stop the process on another thread.
        let watched = driver.do(onNext: { number in
            MainActor.preconditionIsolated()
            received.withLock { $0.append(number) }
        })
        let values = await Task.detached {
            var values: [Int] = []
            for await value in watched.values { values.append(value) }
            return values
        }.value
        #expect(values == [10, 20, 30])
        #expect(received.withLock { $0 } == [10, 20, 30])
    }

    @Test("a driver delivers what another thread and its own observers send in order, for each of its connections")
    @MainActor
    func sendersElsewhere() async {
        let relay = PublishRelay<Int>()
        let driver = relay.asDriver()
        for _ in 0..<2 {
            let arrivals = Arrivals<Int>()
            let (deliveries, delivered) = AsyncStream<Int>.makeStream()
            let subscription = driver.drive(onNext: { number in
                arrivals.add(number)
                if number == 2 { relay.accept(4) }
                delivered.yield(number)
            })
            let join = onThread { for number in 1...3 { relay.accept(number) } }
            join()
            #expect(arrivals.elements == [], "the main queue is busy")
            for await number in deliveries where number == 4 { break }
            relay.accept(5)
            #expect(arrivals.elements == [1, 2, 3, 4, 5])
            subscription.dispose()
        }
    }

    @Test("values of a driver can end on any thread while the main actor sends")
    @MainActor
    func valuesEndElsewhere() async {
        let relay = BehaviorRelay(value: 0)
        let driver = relay.asDriver()
        let sum = Mutex(0)
        let subscription = driver.drive(onNext: { number in sum.withLock { $0 += number } })
        for _ in 0..<50 {
            let reader = Task.detached {
                for await number in driver.values where number % 7 == 3 { break }
            }
            for number in 0..<20 {
                relay.accept(number)
                await Task.yield()
            }
            relay.accept(3)
            await reader.value
        }
        let sumOfRounds = 50 * (190 + 3)
        #expect(sum.withLock { $0 } == sumOfRounds)
        subscription.dispose()
    }
}
