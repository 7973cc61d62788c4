import Dispatch
import Foundation
import Streams
import StreamsTesting
import Synchronization
import Testing
import TestConcurrency

@Suite("share(replay:scope:)", .limitedConcurrency)
struct ShareTests {
    struct Kind: Sendable, CustomTestStringConvertible {
        let replay: Int
        let scope: SubjectLifetimeScope

        var testDescription: String { "replay \(replay), \(scope)" }
        /// The number of `sent` elements that a late observer receives.
        func replayed(of sent: Int) -> Int { min(replay, sent) }

        func share(_ source: Observable<Int>) -> Observable<Int> { source.share(replay: replay, scope: scope) }
    }

    static let kinds = [0, 1, 2, 5].flatMap { replay in
        [Kind(replay: replay, scope: .whileConnected), Kind(replay: replay, scope: .forever)]
    }

    @Test("share subscribes to the source from the first to the last observer", arguments: kinds)
    func oneSubscription(_ kind: Kind) {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createHotObservable([.next(210, 1), .next(230, 2), .next(250, 3), .next(270, 4)])
        let shared = kind.share(source.asObservable())
        let (first, second) = (scheduler.createObserver(Int.self), scheduler.createObserver(Int.self))
        let (one, other) = (SerialDisposable(), SerialDisposable())
        scheduler.scheduleAt(200) { one.disposable = shared.subscribe(first) }
        scheduler.scheduleAt(240) { other.disposable = shared.subscribe(second) }
        scheduler.scheduleAt(260) { one.dispose() }
        scheduler.scheduleAt(280) { other.dispose() }
        scheduler.start()
        #expect(source.subscriptions == [Subscription(200, 280)])
        #expect(first.events == [.next(210, 1), .next(230, 2), .next(250, 3)])
        let replayed: [Recorded<Event<Int>>] = [.next(240, 1), .next(240, 2)].suffix(kind.replayed(of: 2))
        #expect(second.events == replayed + [.next(250, 3), .next(270, 4)])
    }

    @Test("share subscribes again for an observer after the last one", arguments: kinds)
    func reconnection(_ kind: Kind) {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createHotObservable([.next(210, 1), .next(250, 2)])
        let shared = kind.share(source.asObservable())
        let late = scheduler.createObserver(Int.self)
        let subscription = SerialDisposable()
        scheduler.scheduleAt(200) { subscription.disposable = shared.subscribe() }
        scheduler.scheduleAt(220) { subscription.disposable = Disposables.create() }
        scheduler.scheduleAt(240) { subscription.disposable = shared.subscribe(late) }
        scheduler.scheduleAt(260) { subscription.dispose() }
        scheduler.start()
        #expect(source.subscriptions == [Subscription(200, 220), Subscription(240, 260)])
        let keeps = kind.replay > 0 && kind.scope == .forever
        #expect(late.events == (keeps ? [.next(240, 1)] : []) + [.next(250, 2)])
    }

    @Test(
        "an observer after termination causes a new subscription with .whileConnected and receives the terminal event with .forever",
        arguments: kinds)
    func afterTheEnd(_ kind: Kind) {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createColdObservable([.next(10, 1), .next(20, 2), .completed(30)])
        let shared = kind.share(source.asObservable())
        let late = scheduler.createObserver(Int.self)
        let bag = CompositeDisposable()
        scheduler.scheduleAt(200) { bag.insert(shared.subscribe()) }
        scheduler.scheduleAt(300) { bag.insert(shared.subscribe(late)) }
        scheduler.start()
        switch kind.scope {
        case .whileConnected:
            #expect(source.subscriptions == [Subscription(200, 230), Subscription(300, 330)])
            #expect(late.events == [.next(310, 1), .next(320, 2), .completed(330)])
        case .forever:
            #expect(source.subscriptions == [Subscription(200, 230)])
            let replayed: [Recorded<Event<Int>>] = [.next(300, 1), .next(300, 2)].suffix(kind.replayed(of: 2))
            #expect(late.events == replayed + [.completed(300)])
        }
        bag.dispose()
    }

    @Test("share delivers a failure to all observers, and retry subscribes again with .whileConnected")
    func retry() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createColdObservable([.next(10, 1), .error(20, Failure.expected)])
        let shared = source.share(replay: 1)
        let (first, second) = (scheduler.createObserver(Int.self), scheduler.createObserver(Int.self))
        let bag = CompositeDisposable()
        scheduler.scheduleAt(200) { bag.insert(shared.retry(2).subscribe(first)) }
        scheduler.scheduleAt(205) { bag.insert(shared.retry(2).subscribe(second)) }
        scheduler.start()
        #expect(first.events == [.next(210, 1), .next(230, 1), .error(240, Failure.expected)])
        #expect(second.events == first.events)
        #expect(source.subscriptions == [Subscription(200, 220), Subscription(220, 240)])
        bag.dispose()
    }

    @Test("share delivers a synchronous source only to the first observer", arguments: kinds)
    func synchronousSource(_ kind: Kind) {
        let count = Counter()
        let source = Observable<Int>.create { observer in
            count.add(1)
            observer.onNext(count.value)
            observer.onNext(count.value * 10)
            return Disposables.create { count.add(100) }
        }
        let shared = kind.share(source)
        let received = Record()
        let first = shared.subscribe(onNext: { received.add("a\($0)") })
        let second = shared.subscribe(onNext: { received.add("b\($0)") })
        #expect(count.value == 1)
        #expect(received.words == ["a1", "a10"] + ["b1", "b10"].suffix(kind.replayed(of: 2)))
        first.dispose()
        #expect(count.value == 1)
        second.dispose()
        #expect(count.value == 101)
    }

    @Test("share disposes the source before its observers receive the terminal event", arguments: [false, true])
    func order(fails: Bool) {
        let shared: [@Sendable (Observable<Int>) -> Observable<Int>] = [
            { $0.share() }, { $0.share(replay: 1) }, { $0.share(replay: 1, scope: .forever) },
            { $0.publish().refCount() },
        ]
        for share in shared {
            let log = Record()
            let source = PublishSubject<Int>()
            let stream = share(source.do(onDispose: { log.add("let go") }))
            let subscriptions = (1...2).map { _ in stream.subscribe { log.add($0.isStopEvent ? "end" : "element") } }
            if fails { source.onError(Failure.expected) } else { source.onCompleted() }
            #expect(log.words == ["let go", "end", "end"])
            for subscription in subscriptions { subscription.dispose() }
        }
    }

    @Test("observers can subscribe to and unsubscribe from share during a delivery", arguments: kinds)
    func reentrancy(_ kind: Kind) {
        let source = PublishSubject<Int>()
        let shared = kind.share(source)
        let received = Record()
        let bag = CompositeDisposable()
        let first = SerialDisposable()
        first.disposable = shared.subscribe(onNext: { number in
            received.add("a\(number)")
            if number == 1 { bag.insert(shared.subscribe(onNext: { received.add("b\($0)") })) }
            if number == 2 { first.dispose() }
        })
        for number in 1...3 { source.onNext(number) }
        #expect(received.words == ["a1"] + (kind.replay > 0 ? ["b1"] : []) + ["a2", "b2", "b3"])
        bag.dispose()
        #expect(!source.hasObservers)
    }

    @Test("share with .whileConnected releases its elements with the last observer")
    func release() {
        weak var kept: Token?
        let source = PublishSubject<Token>()
        let shared = source.share(replay: 2)
        let subscription = shared.subscribe()
        func send() {
            let token = Token(1)
            kept = token
            source.onNext(token)
        }
        send()
        #expect(kept != nil)
        subscription.dispose()
        #expect(kept == nil)
    }

    /// Calls `body` on another thread when `moment` is reached.
    private func onThreadAfter(_ moment: Moment, _ body: @escaping @Sendable () -> Void) {
        _ = onThread {
            moment.wait()
            body()
        }
    }

    /// The operators that share one connection.
    struct Sharing: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let share: @Sendable (Observable<Int>) -> Observable<Int>

        static let all =
            kinds.map { kind in Sharing(testDescription: "\(kind)") { kind.share($0) } } + [
                Sharing(testDescription: "publish and refCount") { $0.publish().refCount() },
                Sharing(testDescription: "refCount of a custom connectable stream") {
                    CustomConnectable(source: $0.publish()).refCount()
                },
            ]
    }

    struct CustomConnectable: ConnectableObservableType {
        typealias Element = Int

        let source: ConnectableObservable<Int>

        func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable where Observer.Element == Int {
            source.subscribe(observer)
        }
        func connect() -> any Disposable { source.connect() }
    }

    @Test(
        "an observer that comes while another thread disposes the connection causes the next one afterwards",
        arguments: Sharing.all)
    func oneConnection(_ sharing: Sharing) {
        let log = Record()
        let (isDisposing, mayEnd) = (Moment(), Moment())
        let shared = sharing.share(
            .create { observer in
                log.add("connect")
                observer.onNext(log.words.count)
                return Disposables.create {
                    isDisposing.reach()
                    mayEnd.wait()
                    log.add("disposed")
                }
            })
        let first = shared.subscribe()
        let disposing = onThread { first.dispose() }
        isDisposing.wait()
        let second = shared.subscribe(onNext: { _ in log.add("element") })
        log.add("subscribed")
        mayEnd.reach()
        disposing()
        // The number of connections that `.forever` replays does not matter here.
        #expect(log.words.filter { $0 != "element" } == ["connect", "subscribed", "disposed", "connect"])
        #expect(log.words.last == "element")
        second.dispose()
        #expect(log.words.last == "disposed")
    }

    @Test(
        "observers that come and leave while another thread disposes the connection cause no connection",
        arguments: Sharing.all)
    func abandonedConnection(_ sharing: Sharing) {
        let log = Record()
        let (isDisposing, mayEnd) = (Moment(), Moment())
        let shared = sharing.share(
            .create { _ in
                log.add("connect")
                return Disposables.create {
                    isDisposing.reach()
                    mayEnd.wait()
                    log.add("disposed")
                }
            })
        let first = shared.subscribe()
        let disposing = onThread { first.dispose() }
        isDisposing.wait()
        for _ in 1...3 {
            let both = [shared.subscribe(), shared.subscribe()]
            for subscription in both { subscription.dispose() }
        }
        mayEnd.reach()
        disposing()
        #expect(log.words == ["connect", "disposed"])
        shared.subscribe().dispose()
        #expect(log.words == ["connect", "disposed", "connect", "disposed"])
    }

    @Test("an observer that subscribes again inside a disposal is connected immediately", arguments: Sharing.all)
    func resubscriptionInsideDisposal(_ sharing: Sharing) {
        let received = Record()
        let again = Notes<Observable<Int>>()
        let connections = Counter()
        let later = CompositeDisposable()
        let shared = sharing.share(
            .create { observer in
                connections.add(1)
                observer.onNext(connections.value)
                return Disposables.create {
                    guard connections.value == 1, let shared = again.all.first else { return }
                    later.insert(shared.subscribe(onNext: { received.add("again \($0)") }))
                    received.add("subscribed")
                }
            })
        again.add(shared)
        shared.subscribe(onNext: { received.add("\($0)") }).dispose()
        #expect(received.words.filter { $0 != "again 1" } == ["1", "again 2", "subscribed"])
        later.dispose()
        #expect(connections.value == 2)
    }

    @Test("threads that subscribe and unsubscribe never cause two connections at once", arguments: Sharing.all)
    func connectionsOfManyThreads(_ sharing: Sharing) async {
        let connections = Mutex((now: 0, most: 0, made: 0))
        let shared = sharing.share(
            .create { observer in
                connections.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1), $0.made + 1) }
                if connections.withLock({ $0.made % 3 == 0 }) { sched_yield() }
                observer.onNext(1)
                if connections.withLock({ $0.made % 7 == 0 }) { observer.onError(Failure.expected) }
                return Disposables.create {
                    sched_yield()
                    connections.withLock { $0.now -= 1 }
                }
            })
        let threads = (0..<4).map { thread in
            onThread {
                for number in 0..<1000 {
                    let subscription = (number % 5 == thread ? shared.take(1) : shared).subscribe(onError: { _ in })
                    if number % 3 == 0 { sched_yield() }
                    subscription.dispose()
                }
            }
        }
        for thread in threads { thread() }
        #expect(connections.withLock { $0.most } == 1)
        #expect(connections.withLock { $0.now } == 0)
    }

    @Test("a driver whose connection another thread disposes connects again on the main queue")
    @MainActor
    func driverConnectsOnTheMainQueue() async {
        let log = Record()
        let (isDisposing, mayEnd) = (Moment(), Moment())
        let isMain = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: isMain, value: true)
        let driver = Observable<Int>.create { observer in
            log.add(DispatchQueue.getSpecific(key: isMain) == true ? "connect" : "connect elsewhere")
            observer.onNext(1)
            return Disposables.create {
                isDisposing.reach()
                mayEnd.wait()
            }
        }.asDriver(onErrorJustReturn: 0)
        let first = driver.drive()
        let disposing = onThread { first.dispose() }
        isDisposing.wait()
        let element = Moment()
        let second = driver.drive(onNext: { _ in element.reach() })
        #expect(log.words == ["connect"])
        mayEnd.reach()
        disposing()
        await withCheckedContinuation { continuation in
            onThreadAfter(element) { continuation.resume() }
        }
        #expect(log.words == ["connect", "connect"])
        second.dispose()
    }

    @Test("concurrent subscriptions to share leave nothing behind", arguments: kinds)
    func threads(_ kind: Kind) async {
        let source = PublishSubject<Int>()
        let shared = kind.share(source)
        await withTaskGroup { group in
            for _ in 0..<4 {
                group.addTask { for _ in 0..<500 { shared.subscribe().dispose() } }
            }
            group.addTask { for number in 0..<2000 { source.onNext(number) } }
        }
        #expect(!source.hasObservers)
    }

    @Test("observers that join and leave during deliveries receive consecutive elements", arguments: [0, 1, 2])
    func unbrokenRuns(_ replay: Int) {
        let source = PublishSubject<Int>()
        let shared = source.share(replay: replay)
        let isOver = Atomic(false)
        let sender = onThread {
            var number = 0
            while !isOver.load(ordering: .acquiring) {
                number += 1
                source.onNext(number)
            }
        }
        var broken = 0
        for _ in 0..<150 {
            let arrivals = [Arrivals<Int>(), Arrivals<Int>()]
            let subscriptions = arrivals.map { shared.subscribe(onNext: $0.add) }
            while arrivals[1].elements.count < 2 { sched_yield() }
            for subscription in subscriptions { subscription.dispose() }
            for run in arrivals.map(\.elements) where zip(run, run.dropFirst()).contains(where: { $1 != $0 + 1 }) {
                broken += 1
            }
        }
        isOver.store(true, ordering: .releasing)
        sender()
        #expect(broken == 0)
        #expect(!source.hasObservers)
    }
}

@Suite("publish, replay, multicast, refCount", .limitedConcurrency)
struct ConnectableTests {
    static let elements: [Recorded<Event<Int>>] = [
        .next(210, 1), .next(230, 2), .next(250, 3), .next(270, 4), .completed(290),
    ]

    @Test("a connectable stream emits only while it is connected")
    func connection() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createHotObservable(Self.elements)
        let published = source.publish()
        let observer = scheduler.createObserver(Int.self)
        let (subscription, connection) = (SerialDisposable(), SerialDisposable())
        scheduler.scheduleAt(200) { subscription.disposable = published.subscribe(observer) }
        scheduler.scheduleAt(220) { connection.disposable = published.connect() }
        scheduler.scheduleAt(260) { connection.dispose() }
        scheduler.start()
        #expect(observer.events == [.next(230, 2), .next(250, 3)])
        #expect(source.subscriptions == [Subscription(220, 260)])
        subscription.dispose()
    }

    @Test("connecting twice makes one subscription")
    func connectingTwice() {
        let source = PublishSubject<Int>()
        let received = Record()
        let published = source.publish()
        let subscription = published.subscribe { received.add($0) }
        let connections = [published.connect(), published.connect()]
        source.onNext(1)
        #expect(received.text == "next(1)")
        connections[1].dispose()
        source.onNext(2)
        #expect(received.text == "next(1)")
        #expect(!source.hasObservers)
        connections[0].dispose()
        subscription.dispose()
    }

    @Test("a connection after termination starts with a new subject")
    func reconnection() {
        let source = Observable.of(1, 2)
        let received = Record()
        let published = source.publish()
        for _ in 1...2 {
            let subscription = published.subscribe { received.add($0) }
            published.connect().dispose()
            subscription.dispose()
        }
        #expect(received.text == "next(1) next(2) completed next(1) next(2) completed")
    }

    @Test("a stream that is shared forever runs a synchronous source once, although its observer leaves early")
    func synchronousSource() {
        for length in 1...2 {
            let runs = Counter()
            let source = Observable<Int>.create { observer in
                runs.add(1)
                for number in 1...3 { observer.onNext(number) }
                observer.onCompleted()
                return Disposables.create()
            }
            let shared = source.share(replay: length, scope: .forever)
            expect(shared.take(1), "1 |")
            expect(shared, (length == 1 ? "3 |" : "2 3 |"))
            expect(Observable.merge(shared.take(1), shared.take(1)), (length == 1 ? "3 3 |" : "2 2 |"))
            #expect(runs.value == 1)
        }
        expect(Observable.just(1).share(replay: 1, scope: .forever).take(1), "1 |")
    }

    @Test("refCount disposes a connection whose observers left while it was being made")
    func leavingDuringConnection() {
        let source = BehaviorSubject(value: 1)
        let shared = source.publish().refCount()
        expect(shared.take(1), "1 |")
        #expect(!source.hasObservers)
        let stays = shared.subscribe()
        #expect(source.hasObservers)
        stays.dispose()
        #expect(!source.hasObservers)
    }

    @Test("multicast through one subject terminates with that subject")
    func oneSubject() {
        let received = Record()
        let connectable = Observable.of(1, 2).multicast(ReplaySubject<Int>.create(bufferSize: 1))
        connectable.connect().dispose()
        connectable.subscribe { received.add($0) }.dispose()
        connectable.connect().dispose()
        connectable.subscribe { received.add($0) }.dispose()
        #expect(received.text == "next(2) completed next(2) completed")
    }

    @Test("replay sends the last elements to a late observer", arguments: [0, 1, 2, 9])
    func replay(_ size: Int) {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createHotObservable(Self.elements)
        let replayed = size == 9 ? source.replayAll() : source.replay(size)
        let observer = scheduler.createObserver(Int.self)
        let bag = CompositeDisposable()
        scheduler.scheduleAt(200) { bag.insert(replayed.connect()) }
        scheduler.scheduleAt(260) { bag.insert(replayed.subscribe(observer)) }
        scheduler.start()
        let kept: [Recorded<Event<Int>>] = [.next(260, 1), .next(260, 2), .next(260, 3)].suffix(size)
        #expect(observer.events == kept + [.next(270, 4), .completed(290)])
        bag.dispose()
    }

    @Test("the selector of multicast can subscribe several times")
    func selector() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createHotObservable(Self.elements)
        let result = scheduler.start {
            source.multicast({ PublishSubject<Int>() }) { shared in
                Observable.zip(shared, shared.skip(1)) { $0 * 10 + $1 }
            }
        }
        #expect(result.events == [.next(230, 12), .next(250, 23), .next(270, 34), .completed(290)])
        #expect(source.subscriptions == [Subscription(200, 290)])
    }

    @Test("refCount connects for the first subscription and disconnects after the last")
    func refCount() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createHotObservable([.next(210, 1), .next(230, 2), .next(250, 3)])
        let counted = source.publish().refCount()
        let subscriptions = (0..<2).map { _ in SerialDisposable() }
        scheduler.scheduleAt(200) { subscriptions[0].disposable = counted.subscribe() }
        scheduler.scheduleAt(220) { subscriptions[1].disposable = counted.subscribe() }
        scheduler.scheduleAt(240) { subscriptions[0].disposable = Disposables.create() }
        scheduler.scheduleAt(260) { subscriptions[1].disposable = Disposables.create() }
        scheduler.scheduleAt(300) { subscriptions[0].disposable = counted.subscribe() }
        scheduler.scheduleAt(310) { subscriptions[0].dispose() }
        scheduler.start()
        #expect(source.subscriptions == [Subscription(200, 260), Subscription(300, 310)])
    }

    @Test("refCount of a synchronous source can be subscribed again")
    func synchronousRefCount() {
        let counted = Observable.of(1, 2).publish().refCount()
        expect(counted, "1 2 |")
        expect(counted, "1 2 |")
        expect(counted.take(1), "1 |")
        expect(Observable.just(1).replay(1).refCount().take(1), "1 |")
    }
}

@Suite("Races of connectable streams", .limitedConcurrency)
struct RefCountRaceTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let share: @Sendable (Observable<Int>) -> Observable<Int>
    }

    static let cases = [
        Case(testDescription: "publish().refCount()") { $0.publish().refCount() },
        Case(testDescription: "replay(1).refCount()") { $0.replay(1).refCount() },
        Case(testDescription: "multicast(subject).refCount()") { $0.multicast(PublishSubject<Int>()).refCount() },
        Case(testDescription: "share()") { $0.share() },
        Case(testDescription: "share(replay: 1)") { $0.share(replay: 1) },
        Case(testDescription: "share(replay: 1, scope: .forever)") { $0.share(replay: 1, scope: .forever) },
        Case(testDescription: "a custom connectable type") { CustomConnectable(source: $0).refCount() },
    ]

    @Test("a subscription that races with the last disposal has a connection", arguments: cases)
    func disposalRacesWithSubscription(_ sharing: Case) {
        for round in 0..<500 {
            let connections = Atomic(0)
            let source = Observable<Int>.create { _ in
                connections.add(1, ordering: .relaxed)
                return Disposables.create { connections.subtract(1, ordering: .relaxed) }
            }
            let shared = sharing.share(source)
            let leaving = shared.subscribe()
            let arriving = Mutex<(any Disposable)?>(nil)
            let ready = Atomic(0)
            DispatchQueue.concurrentPerform(iterations: 2) { worker in
                // Both start within a few nanoseconds on two processors.
                ready.add(1, ordering: .acquiringAndReleasing)
                for _ in 0..<10_000 where ready.load(ordering: .acquiring) < 2 {}
                if worker == 0 {
                    leaving.dispose()
                } else {
                    let subscription = shared.subscribe()
                    arriving.withLock { $0 = subscription }
                }
            }
            let live = connections.load(ordering: .relaxed)
            #expect(live == 1, "round \(round)")
            arriving.withLock { $0 }?.dispose()
            let left = connections.load(ordering: .relaxed)
            #expect(left == 0, "round \(round)")
            if live != 1 || left != 0 { return }
        }
    }

    @Test("a subscription during the disposal of the connection gets a new connection", arguments: cases)
    func subscribingInDispose(_ sharing: Case) {
        let connections = Atomic(0)
        let again = Mutex<(@Sendable () -> any Disposable)?>(nil)
        let second = Mutex<(any Disposable)?>(nil)
        let source = Observable<Int>.create { _ in
            connections.add(1, ordering: .relaxed)
            return Disposables.create {
                connections.subtract(1, ordering: .relaxed)
                if let subscribe = again.withLock({ $0.take() }) {
                    let subscription = subscribe()
                    second.withLock { $0 = subscription }
                }
            }
        }
        let shared = sharing.share(source)
        again.withLock { $0 = { shared.subscribe() } }
        shared.subscribe().dispose()
        #expect(connections.load(ordering: .relaxed) == 1)
        second.withLock { $0 }?.dispose()
        #expect(connections.load(ordering: .relaxed) == 0)
    }
}

/// A custom connectable type.
private struct CustomConnectable: ConnectableObservableType {
    typealias Element = Int

    let source: Observable<Int>
    let subject = PublishSubject<Int>()

    func connect() -> any Disposable { source.subscribe(subject) }

    func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable where Observer.Element == Int {
        subject.subscribe(observer)
    }
}
