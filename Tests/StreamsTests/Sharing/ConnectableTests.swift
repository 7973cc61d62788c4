import Streams
import StreamsTesting
import TestTurns
import Testing

@Suite("publish, replay, multicast, refCount", .takesTurns)
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
            #expect(trace(of: shared.take(1)) == "1 |")
            #expect(trace(of: shared) == (length == 1 ? "3 |" : "2 3 |"))
            #expect(trace(of: Observable.merge(shared.take(1), shared.take(1))) == (length == 1 ? "3 3 |" : "2 2 |"))
            #expect(runs.value == 1)
        }
        #expect(trace(of: Observable.just(1).share(replay: 1, scope: .forever).take(1)) == "1 |")
    }

    @Test("refCount disposes a connection whose observers left while it was being made")
    func leavingDuringConnection() {
        let source = BehaviorSubject(value: 1)
        let shared = source.publish().refCount()
        #expect(trace(of: shared.take(1)) == "1 |")
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

    @Test("multicast fails with the error of its subject factory or selector")
    func throwingSelector() {
        let source = Observable.just(1)
        #expect(
            trace(of: source.multicast({ () throws -> PublishSubject<Int> in throw Failure.expected }) { $0 })
                == "!expected")
        #expect(
            trace(of: source.multicast({ PublishSubject<Int>() }) { _ -> Observable<Int> in throw Failure.other })
                == "!other")
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
        #expect(trace(of: counted) == "1 2 |")
        #expect(trace(of: counted) == "1 2 |")
        #expect(trace(of: counted.take(1)) == "1 |")
        #expect(trace(of: Observable.just(1).replay(1).refCount().take(1)) == "1 |")
    }

    @Test("refCount accepts a custom connectable type")
    func ownConnectable() {
        let log = Record()
        let counted = OwnConnectable(log: log).refCount()
        let first = counted.subscribe()
        let second = counted.subscribe()
        first.dispose()
        #expect(log.text == "connected")
        second.dispose()
        #expect(log.text == "connected disposed")
    }

    private final class OwnConnectable: ConnectableObservableType {
        typealias Element = Int
        let log: Record

        init(log: Record) { self.log = log }

        func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
        where Observer.Element == Int { Disposables.create() }

        func connect() -> any Disposable {
            log.add("connected")
            return Disposables.create { [log] in log.add("disposed") }
        }
    }
}
