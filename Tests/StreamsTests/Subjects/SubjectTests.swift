import Streams
import StreamsTesting
import Synchronization
import Testing
import TestConcurrency

/// A subject of any kind, and the events that it sends to a late observer.
struct SubjectCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let make: @Sendable () -> (stream: Observable<Int>, observer: AnyObserver<Int>)
    /// The events for an observer that subscribes after 1, 2 and 3.
    let late: String
    /// The events for an observer that subscribes after 1, 2, 3 and completion.
    let afterCompletion: String
    /// The events for an observer that subscribes after 1, 2, 3 and an error.
    let afterError: String

    init<Subject: SubjectType & ObserverType>(
        _ description: String, late: String, afterCompletion: String, afterError: String,
        _ make: @escaping @Sendable () -> Subject
    ) where Subject.Element == Int, Subject: Observable<Int> {
        testDescription = description
        self.late = late
        self.afterCompletion = afterCompletion
        self.afterError = afterError
        self.make = {
            let subject = make()
            return (subject, AnyObserver(subject))
        }
    }

    static let all = [
        SubjectCase("publish", late: "", afterCompletion: "|", afterError: "!expected") { PublishSubject<Int>() },
        SubjectCase("behavior", late: "3", afterCompletion: "|", afterError: "!expected") { BehaviorSubject(value: 0) },
        SubjectCase("replay 0", late: "", afterCompletion: "|", afterError: "!expected") {
            ReplaySubject<Int>.create(bufferSize: 0)
        },
        SubjectCase("replay 1", late: "3", afterCompletion: "3 |", afterError: "3 !expected") {
            ReplaySubject<Int>.create(bufferSize: 1)
        },
        SubjectCase("replay 2", late: "2 3", afterCompletion: "2 3 |", afterError: "2 3 !expected") {
            ReplaySubject<Int>.create(bufferSize: 2)
        },
        SubjectCase("replay 5", late: "1 2 3", afterCompletion: "1 2 3 |", afterError: "1 2 3 !expected") {
            ReplaySubject<Int>.create(bufferSize: 5)
        },
        SubjectCase("replay all", late: "1 2 3", afterCompletion: "1 2 3 |", afterError: "1 2 3 !expected") {
            ReplaySubject<Int>.createUnbounded()
        },
        SubjectCase("async", late: "", afterCompletion: "3 |", afterError: "!expected") { AsyncSubject<Int>() },
    ]
}

@Suite("Subjects", .limitedConcurrency)
struct SubjectTests {
    @Test("each kind of subject replays its stored elements to a late observer", arguments: SubjectCase.all)
    func late(_ subject: SubjectCase) {
        let (stream, observer) = subject.make()
        for number in 1...3 { observer.onNext(number) }
        expect(stream, subject.late)
        observer.onCompleted()
        expect(stream, subject.afterCompletion)
        observer.onNext(4)
        observer.onError(Failure.other)
        expect(stream, subject.afterCompletion)
    }

    @Test("a late observer receives the error of a failed subject", arguments: SubjectCase.all)
    func afterError(_ subject: SubjectCase) {
        let (stream, observer) = subject.make()
        for number in 1...3 { observer.onNext(number) }
        observer.onError(Failure.expected)
        observer.onNext(4)
        observer.onCompleted()
        expect(stream, subject.afterError)
    }

    @Test("all observers of a subject receive all elements in one order", arguments: SubjectCase.all)
    func order(_ subject: SubjectCase) {
        let (stream, observer) = subject.make()
        let (first, second) = (Record(), Record())
        let bag = CompositeDisposable()
        bag.insert(
            stream.subscribe { event in
                first.add(event)
                if event.element == 7 { observer.onNext(8) }
            })
        bag.insert(
            stream.subscribe { event in
                second.add(event)
                if event.element == 8 { observer.onCompleted() }
            })
        observer.onNext(7)
        observer.onNext(9)
        observer.onCompleted()
        #expect(first.words == second.words)
        #expect(first.words.last == "completed")
        bag.dispose()
    }

    @Test("all observers receive the elements of two threads in one order", arguments: SubjectCase.all)
    func threads(_ subject: SubjectCase) async {
        let (stream, observer) = subject.make()
        let (first, second) = (Record(), Record())
        let bag = CompositeDisposable(stream.subscribe { first.add($0) }, stream.subscribe { second.add($0) })
        await withTaskGroup { group in
            group.addTask { for number in 1...500 { observer.onNext(number) } }
            group.addTask { for number in 501...1000 { observer.onNext(number) } }
        }
        observer.onCompleted()
        #expect(first.words == second.words)
        let elements = first.words.filter { $0 != "completed" && $0 != "next(0)" }
        #expect(elements.count == (subject.testDescription == "async" ? 1 : 1000))
        bag.dispose()
    }

    @Test("a subject releases an observer that unsubscribes during a delivery")
    func leaving() {
        let subject = ReplaySubject<Int>.create(bufferSize: 3)
        let received = Record()
        let subscription = SerialDisposable()
        subscription.disposable = subject.subscribe(onNext: { number in
            received.add(number)
            subscription.dispose()
        })
        subject.onNext(1)
        subject.onNext(2)
        #expect(received.text == "1")
        #expect(!subject.hasObservers)
    }

    @Test("an observer that subscribes during a delivery receives the element once")
    func comingWithin() {
        let subject = ReplaySubject<Int>.create(bufferSize: 3)
        let received = Record()
        let bag = CompositeDisposable()
        bag.insert(
            subject.subscribe(onNext: { number in
                if number == 2 { bag.insert(subject.subscribe(onNext: { received.add($0) })) }
            }))
        for number in 1...3 { subject.onNext(number) }
        #expect(received.text == "1 2 3")
        bag.dispose()
    }

    @Test("an element arrives although its subject is released while it waits for a scheduler or an inner stream")
    func releasedSubject() {
        let scheduler = TestScheduler(initialClock: 0)
        let received = Record()
        expectNothingSurvives {
            let bag = DisposeBag()
            do {
                let subject = BehaviorSubject(value: 1)
                subject.observe(on: scheduler).subscribe(onNext: received.add).disposed(by: bag)
                subject.flatMap { Observable.just($0 * 10).delay(.seconds(5), scheduler: scheduler) }
                    .subscribe(onNext: received.add).disposed(by: bag)
                subject.onNext(2)
            }
            scheduler.start()
        }
        #expect(received.text == "1 2 10 20")
    }

    @Test("a disposed subject disposes its observers silently, and subscribing fails")
    func disposal() {
        func check<Subject: SubjectType & ObserverType & Cancelable & AnyObject>(_ subject: Subject)
        where Subject.Element == Int {
            let received = Record()
            let subscription = subject.subscribe { received.add($0) }
            subject.onNext(1)
            let before = received.words
            subject.dispose()
            subject.onNext(2)
            subject.onCompleted()
            #expect(received.words == before)
            #expect(subject.isDisposed)
            expect(subject, "!\(RxError.disposed(object: subject))")
            subscription.dispose()
        }
        check(PublishSubject<Int>())
        check(BehaviorSubject(value: 0))
        check(ReplaySubject<Int>.create(bufferSize: 2))
        check(AsyncSubject<Int>())
    }

    @Test("value() of a behavior subject returns the value or throws its error")
    func value() throws {
        let subject = BehaviorSubject(value: 1)
        #expect(try subject.value() == 1)
        subject.onNext(2)
        #expect(try subject.value() == 2)
        subject.onError(Failure.expected)
        #expect(throws: Failure.expected) { try subject.value() }
        subject.dispose()
        #expect(throws: RxError.self) { try subject.value() }
    }

    @Test("an async subject without elements only completes")
    func emptyAsync() {
        let subject = AsyncSubject<Int>()
        subject.onCompleted()
        expect(subject, "|")
    }

    @Test("a replay subject stores at most bufferSize elements")
    func bufferRelease() {
        weak var first: Token?
        let subject = ReplaySubject<Token>.create(bufferSize: 2)
        func send(_ number: Int) -> Token {
            let token = Token(number)
            subject.onNext(token)
            return token
        }
        first = send(1)
        _ = send(2)
        #expect(first != nil)
        _ = send(3)
        #expect(first == nil)
    }

    @Test("relays accept and store elements and never terminate")
    func relays() {
        let publish = PublishRelay<Int>()
        let behavior = BehaviorRelay(value: 0)
        let replay = ReplayRelay<Int>.create(bufferSize: 2)
        let unbound = ReplayRelay<Int>.createUnbound()
        for number in 1...3 {
            publish.accept(number)
            behavior.accept(number)
            replay.accept(number)
            unbound.accept(number)
        }
        expect(publish, "")
        expect(behavior, "3")
        #expect(behavior.value == 3)
        expect(replay, "2 3")
        expect(unbound, "1 2 3")
        expect(replay.asInfallible(), "2 3")
    }

    @Test("a replay relay releases an observer that unsubscribes")
    func relayObservers() {
        let relay = ReplayRelay<Int>.create(bufferSize: 1)
        let subscription = relay.subscribe()
        #expect(relay.hasObservers)
        subscription.dispose()
        #expect(!relay.hasObservers)
    }
}

@Suite("Elements that are sent during a delivery", .limitedConcurrency)
struct QueuedDeliveryTests {
    /// Each round lets the list of observers grow six times while the delivering thread looks up, 400 times, how many
    /// of them come before an element. Reading the list before its length, which pairs old memory with a newer length,
    /// crashes about one run of five.
    @Test("reach the observers that were there before, while another thread adds observers")
    func addingObservers() {
        let end = ContinuousClock.now + .seconds(2)
        while ContinuousClock.now < end {
            let subject = PublishSubject<Int>()
            let received = Mutex(0)
            let isQueued = Moment()
            let first = subject.subscribe(onNext: { number in
                received.withLock { $0 += 1 }
                guard number == 0 else { return }
                for number in 1...400 { subject.onNext(number) }
                isQueued.reach()
            })
            let addObservers = onThread {
                isQueued.wait()
                let added = (0..<34).map { _ in subject.subscribe(onNext: { _ in }) }
                for subscription in added { subscription.dispose() }
            }
            subject.onNext(0)
            addObservers()
            #expect(received.withLock { $0 } == 401)
            first.dispose()
        }
    }
}
