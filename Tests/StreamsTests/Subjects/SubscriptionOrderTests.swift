import Streams
import StreamsTesting
import Synchronization
import TestConcurrency
import Testing

@Suite("Order of observers that subscribe while elements are replayed", .limitedConcurrency)
struct SubscriptionOrderTests {
    /// Subscriptions that end with the test.
    private final class Bag: Sendable {
        private let disposables = Mutex<[any Disposable]>([])

        func insert(_ disposable: any Disposable) { disposables.withLock { $0.append(disposable) } }

        deinit { for disposable in disposables.withLock({ $0 }) { disposable.dispose() } }
    }

    @Test(
        "flatMapLatest of a relay that its inner streams observe too switches before they receive the new value",
        arguments: [[nil, "ann", "bob", nil], ["ann", nil, "bob", "eve"]])
    func switching(_ users: [String?]) {
        let user = BehaviorRelay(value: users[0])
        let greetings = user.map { $0 != nil }.distinctUntilChanged()
            .flatMapLatest { $0 ? user.map { "hello \($0 ?? "nobody")" } : user.map { "guest \($0 ?? "-")" } }
        let log = Record()
        let subscription = greetings.subscribe(onNext: log.add)
        for next in users.dropFirst() { user.accept(next) }
        #expect(log.words == users.map { $0.map { "hello \($0)" } ?? "guest -" })
        subscription.dispose()
    }

    @Test("an inner stream that sends during its replay is replaced before it receives the element")
    func sendingInner() {
        let user = BehaviorRelay<String?>(value: nil)
        let greetings = user.map { $0 != nil }.distinctUntilChanged().flatMapLatest { isKnown in
            isKnown
                ? user.map { "hello \($0 ?? "nobody")" }
                : user.map { "guest \($0 ?? "-")" }.do(onNext: { _ in user.accept("ann") })
        }
        let log = Record()
        let subscription = greetings.subscribe(onNext: log.add)
        #expect(log.words == ["guest -", "hello ann"])
        subscription.dispose()
    }

    @Test("observers receive elements in the order of their subscriptions", arguments: ReplayingCase.all)
    func nested(_ replaying: ReplayingCase) {
        let (stream, send) = replaying.make()
        let (log, bag) = (Record(), Bag())
        @Sendable func subscribe(_ depth: Int) {
            let hasNested = Atomic(false)
            bag.insert(
                stream.subscribe(onNext: { number in
                    log.add("\(depth):\(number)")
                    if depth < 4, !hasNested.exchange(true, ordering: .relaxed) { subscribe(depth + 1) }
                }))
        }
        bag.insert(stream.subscribe(onNext: { log.add("0:\($0)") }))
        subscribe(1)
        bag.insert(stream.subscribe(onNext: { log.add("5:\($0)") }))
        #expect(log.text == "0:0 1:0 2:0 3:0 4:0 5:0")
        send(1)
        send(2)
        #expect(log.words.dropFirst(6).joined(separator: " ") == "0:1 1:1 2:1 3:1 4:1 5:1 0:2 1:2 2:2 3:2 4:2 5:2")
    }

    @Test(
        "elements that are sent during a replay reach the observers in the order of their subscriptions",
        arguments: ReplayingCase.all)
    func sending(_ replaying: ReplayingCase) {
        let (stream, send) = replaying.make()
        let (log, bag) = (Record(), Bag())
        bag.insert(stream.subscribe(onNext: { log.add("first:\($0)") }))
        bag.insert(
            stream.subscribe(onNext: { number in
                log.add("outer:\(number)")
                guard number < 2 else { return }
                bag.insert(stream.subscribe(onNext: { log.add("inner \(number):\($0)") }))
                send(number + 1)
            }))
        send(3)
        func words(_ observer: String) -> [String] { log.words.filter { $0.hasPrefix(observer) } }
        #expect(words("first") == (0...3).map { "first:\($0)" })
        #expect(words("outer") == (0...3).map { "outer:\($0)" })
        #expect(words("inner 0") == (0...3).map { "inner 0:\($0)" })
        // The second inner observer subscribes when 2 has not been sent yet.
        #expect(words("inner 1") == (1...3).map { "inner 1:\($0)" })
        for number in 1...3 {
            let order = log.words.filter { $0.hasSuffix(":\(number)") && !$0.hasPrefix("first") }
            // The observer that subscribes at 1 receives it as its replayed element, before the older one does.
            let expected = ["outer:\(number)", "inner 0:\(number)", "inner 1:\(number)"]
            #expect(order == (number == 1 ? [expected[0], expected[2], expected[1]] : expected))
        }
    }

    @Test("an observer that is disposed during its replay leaves those that subscribed meanwhile", arguments: [1, 10])
    func disposedOuter(_ count: Int) {
        let subject = BehaviorSubject(value: 0)
        let (log, bag) = (Record(), Bag())
        let outer = subject.take(1).subscribe(onNext: { _ in
            for index in 0..<count { bag.insert(subject.subscribe(onNext: { log.add("\(index):\($0)") })) }
            subject.onNext(1)
        })
        subject.onNext(2)
        #expect(log.words == (0...2).flatMap { number in (0..<count).map { "\($0):\(number)" } })
        outer.dispose()
    }

    @Test("observers that are disposed during the replay to an outer one receive nothing more", arguments: [1, 10])
    func disposedInner(_ count: Int) {
        let subject = BehaviorSubject(value: 0)
        let log = Record()
        let inner = Mutex<[any Disposable]>([])
        let outer = subject.subscribe(onNext: { number in
            log.add(number)
            if number == 0 {
                for _ in 0..<count {
                    let subscription = subject.subscribe(onNext: { log.add("inner \($0)") })
                    inner.withLock { $0.append(subscription) }
                }
                subject.onNext(1)
            }
            if number == 1 { for subscription in inner.withLock({ $0 }) { subscription.dispose() } }
        })
        subject.onNext(2)
        #expect(log.words == ["0"] + Array(repeating: "inner 0", count: count) + ["1", "2"])
        outer.dispose()
        #expect(!subject.hasObservers)
    }

    @Test("a terminal event during a replay reaches the observers in the order of their subscriptions")
    func termination() {
        let subject = BehaviorSubject(value: 0)
        let (log, bag) = (Record(), Bag())
        bag.insert(
            subject.subscribe(
                onNext: { number in
                    log.add("outer \(number)")
                    if number > 0 { return }
                    bag.insert(
                        subject.subscribe(onNext: { log.add("inner \($0)") }, onCompleted: { log.add("inner |") }))
                    subject.onNext(1)
                    subject.onCompleted()
                }, onCompleted: { log.add("outer |") }))
        #expect(log.words == ["outer 0", "inner 0", "outer 1", "inner 1", "outer |", "inner |"])
        #expect(!subject.hasObservers)
    }

    @Test("a subject that is disposed during a replay releases all observers")
    func disposedSubject() {
        let subject = BehaviorSubject(value: 0)
        let (log, bag) = (Record(), Bag())
        bag.insert(
            subject.subscribe(onNext: { number in
                log.add("outer \(number)")
                bag.insert(subject.subscribe(onNext: { log.add("inner \($0)") }))
                subject.onNext(1)
                subject.dispose()
            }))
        #expect(log.words == ["outer 0", "inner 0"])
        #expect(!subject.hasObservers)
    }

    @Test("an observer keeps its place although another thread subscribes while it receives its replay")
    func threads() {
        let subject = BehaviorSubject(value: 0)
        let (log, bag) = (Record(), Bag())
        let (isReplaying, mayGoOn) = (Moment(), Moment())
        bag.insert(subject.subscribe(onNext: { log.add("first \($0)") }))
        let subscriber = onThread {
            bag.insert(
                subject.subscribe(onNext: { number in
                    log.add("outer \(number)")
                    if number > 0 { return }
                    bag.insert(subject.subscribe(onNext: { log.add("inner \($0)") }))
                    isReplaying.reach()
                    mayGoOn.wait()
                }))
        }
        isReplaying.wait()
        subject.onNext(1)
        bag.insert(subject.subscribe(onNext: { log.add("late \($0)") }))
        subject.onNext(2)
        #expect(log.words == ["first 0", "outer 0", "inner 0", "first 1", "late 1", "first 2", "late 2"])
        mayGoOn.reach()
        subscriber()
        #expect(log.words.dropFirst(7) == ["outer 1", "inner 1", "outer 2", "inner 2"])
        subject.onNext(3)
        #expect(log.words.suffix(4) == ["first 3", "outer 3", "inner 3", "late 3"])
    }

    @Test("a driver's observers receive elements in the order of their subscriptions")
    @MainActor
    func driver() {
        let relay = BehaviorRelay(value: 0)
        let driver = relay.asDriver()
        var log: [String] = []
        let bag = DisposeBag()
        driver.drive { log.append("first \($0)") }.disposed(by: bag)
        driver.drive { number in
            log.append("outer \(number)")
            if number == 0 { driver.drive { log.append("inner \($0)") }.disposed(by: bag) }
        }.disposed(by: bag)
        relay.accept(1)
        #expect(log == ["first 0", "outer 0", "inner 0", "first 1", "outer 1", "inner 1"])
    }

    @Test(
        "under load, an inner observer never receives an element before the outer one, and misses none",
        arguments: 1...3)
    func load(_ seed: Int) {
        let subject = BehaviorSubject(value: 0)
        let isOver = Atomic(false)
        let senders = (0..<2).map { _ in
            onThread {
                for _ in 1...1_500 { subject.onNext(1) }
                isOver.store(true, ordering: .releasing)
            }
        }
        // The elements do not count themselves, for the senders compete: a scan below the first observer numbers them.
        let numbered = subject.scan(0) { count, _ in count + 1 }.multicast(BehaviorSubject(value: 0))
        let connection = numbered.connect()
        var wrong: [[String]] = []
        while !isOver.load(ordering: .acquiring) {
            let (log, bag) = (Record(), Bag())
            let isFirst = Atomic(true)
            bag.insert(
                numbered.subscribe(onNext: { number in
                    log.add("outer \(number)")
                    if isFirst.exchange(false, ordering: .relaxed) {
                        bag.insert(numbered.subscribe(onNext: { log.add("inner \($0)") }))
                    }
                }))
            // Until both have received what is sent after the replay.
            while log.words.count < 10, !isOver.load(ordering: .acquiring) {}
            let words = log.words
            for observer in ["outer", "inner"] {
                let numbers = words.filter { $0.hasPrefix(observer) }.compactMap { Int($0.dropFirst(6)) }
                if numbers.isEmpty || zip(numbers, numbers.dropFirst()).contains(where: { $1 != $0 + 1 }) {
                    wrong.append(words)
                }
                guard observer == "inner" else { continue }
                for number in numbers.dropFirst() {
                    let places = (words.firstIndex(of: "outer \(number)"), words.firstIndex(of: "inner \(number)"))
                    // The first number of the inner one is replayed, so it may be newer than that of the outer one.
                    if let outer = places.0, let inner = places.1, outer > inner { wrong.append(words) }
                    if places.0 == nil { wrong.append(words) }
                }
            }
        }
        for sender in senders { sender() }
        #expect(wrong.isEmpty)
        connection.dispose()
    }
}
