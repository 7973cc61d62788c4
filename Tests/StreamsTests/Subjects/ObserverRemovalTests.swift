import Streams
import StreamsTesting
import Synchronization
import TestConcurrency
import Testing

@Suite("Observers that leave a subject", .limitedConcurrency)
struct ObserverRemovalTests {
    /// Observers in the order of their subscriptions, and what each received.
    private final class Observers: Sendable {
        private struct State {
            var numbers: [Int] = []
            var subscriptions: [Int: any Disposable] = [:]
            var next = 0
        }

        private let state = Mutex(State())
        let log = Notes<[Int]>()
        /// An observer that this calls may change the list.
        let onElement: @Sendable (Observers, _ observer: Int, _ element: Int) -> Void

        init(onElement: @escaping @Sendable (Observers, Int, Int) -> Void = { _, _, _ in }) {
            self.onElement = onElement
        }

        var numbers: [Int] { state.withLock { $0.numbers } }

        func add(to subject: PublishSubject<Int>) {
            let number = state.withLock { state in
                state.next += 1
                return state.next
            }
            let subscription = subject.subscribe(onNext: { [self] element in
                log.add([number, element])
                onElement(self, number, element)
            })
            state.withLock { state in
                state.numbers.append(number)
                state.subscriptions[number] = subscription
            }
        }

        func remove(_ number: Int) {
            let subscription = state.withLock { state in
                state.numbers.removeAll { $0 == number }
                return state.subscriptions.removeValue(forKey: number)
            }
            subscription?.dispose()
        }
    }

    private struct Random {
        private var state: UInt64

        init(seed: Int) { state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

        mutating func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
    }

    @Test("the others receive every element, in the order of their subscriptions", arguments: 0..<30)
    func order(seed: Int) {
        var random = Random(seed: seed)
        let subject = PublishSubject<Int>()
        let observers = Observers()
        let length = [3, 40, 101, 400][seed % 4]
        var expected: [[Int]] = []
        for step in 0..<1500 {
            let numbers = observers.numbers
            if numbers.isEmpty || (numbers.count < length && random.next(3) > 0) {
                observers.add(to: subject)
            } else {
                let index = [0, numbers.count - 1, random.next(numbers.count), numbers.count / 2][random.next(4)]
                observers.remove(numbers[index])
            }
            if step % 16 == 0 {
                expected += observers.numbers.map { [$0, step] }
                subject.onNext(step)
            }
        }
        #expect(observers.log.all == expected)
        for number in observers.numbers { observers.remove(number) }
        #expect(!subject.hasObservers)
    }

    @Test("observers that others remove during a delivery receive nothing more", arguments: [1, 5, 7, 100, 399])
    func removalDuringDelivery(count: Int) {
        let subject = PublishSubject<Int>()
        let observers = Observers { observers, observer, _ in
            // The first observer removes `count` others, from the middle; the last one adds as many.
            if observer == 1 { for number in 0..<count { observers.remove(2 + (number * 7) % 399) } }
            if observer == 400 { for _ in 0..<count { observers.add(to: subject) } }
        }
        for _ in 0..<400 { observers.add(to: subject) }
        for element in 0..<3 {
            let removed = Set(0..<count).map { 2 + ($0 * 7) % 399 }
            let before = element == 0 ? Array(1...400) : observers.numbers
            let expected = before.filter { !removed.contains($0) }.map { [$0, element] }
            let received = observers.log.all.count
            subject.onNext(element)
            #expect(observers.log.all.dropFirst(received) == expected[...])
        }
        for number in observers.numbers { observers.remove(number) }
        #expect(!subject.hasObservers)
    }

    @Test("an observer that leaves a long list is released at once", arguments: [0, 10, 50, 150, 250, 299])
    func release(_ index: Int) {
        let subject = PublishSubject<Int>()
        weak var kept: Token?
        var subscriptions: [any Disposable] = []
        func subscribe(_ position: Int) {
            let token = Token(position)
            if position == index { kept = token }
            subscriptions.append(subject.subscribe(onNext: { _ in _ = token }))
        }
        for position in 0..<300 { subscribe(position) }
        #expect(kept != nil)
        subscriptions.remove(at: index).dispose()
        #expect(kept == nil)
        for subscription in subscriptions { subscription.dispose() }
    }

    @Test("observers that leave a long list leave nothing behind")
    func resources() async {
        // In a process of its own, since other tests count as well.
        await #expect(processExitsWith: .success) {
            let before = Resources.total
            do {
                let subject = PublishSubject<Int>()
                let subscriptions = (0..<300).map { _ in subject.subscribe(onNext: { _ in }) }
                for subscription in subscriptions[100..<200] { subscription.dispose() }
                let during = Resources.total
                subject.subscribe(onNext: { _ in }).dispose()
                precondition(Resources.total == during)
                for subscription in subscriptions.reversed() { subscription.dispose() }
            }
            precondition(Resources.total == before)
        }
    }

    @Test("observers leave in any order while another thread sends", arguments: 0..<4)
    func threads(seed: Int) {
        let subject = PublishSubject<Int>()
        let isOver = Atomic(false)
        let sender = onThread {
            var number = 0
            while !isOver.load(ordering: .acquiring) {
                number += 1
                subject.onNext(number)
            }
        }
        let broken = Atomic(0)
        let threads = (0..<2).map { thread in
            onThread {
                var random = Random(seed: seed * 2 + thread)
                var subscriptions: [any Disposable] = []
                for _ in 0..<3000 {
                    if subscriptions.count < 200, random.next(5) > 1 || subscriptions.isEmpty {
                        let last = Mutex(0)
                        subscriptions.append(
                            subject.subscribe(onNext: { number in
                                let before = last.withLock { last in
                                    defer { last = number }
                                    return last
                                }
                                if before != 0, number != before + 1 { broken.add(1, ordering: .relaxed) }
                            }))
                    } else {
                        subscriptions.remove(at: random.next(subscriptions.count)).dispose()
                    }
                }
                for subscription in subscriptions { subscription.dispose() }
            }
        }
        for thread in threads { thread() }
        isOver.store(true, ordering: .releasing)
        sender()
        #expect(broken.load(ordering: .relaxed) == 0)
        #expect(!subject.hasObservers)
    }
}
