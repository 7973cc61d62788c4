import Foundation
import Streams
import StreamsTesting
import TestConcurrency
import Testing

#if DEBUG
/// Run in separate processes, where no other test creates objects.
@Suite("Resources", .limitedConcurrency)
struct ResourcesTests {
    @Test("Resources.total counts live objects only")
    func disposables() async {
        await #expect(processExitsWith: .success) {
            let before = Resources.total
            var disposables = (0..<10).map { _ in BooleanDisposable() }
            precondition(Resources.total == before + 10)
            disposables = []
            precondition(Resources.total == before && disposables.isEmpty)
        }
    }

    @Test("Only a live subscription is counted as a resource")
    func subscriptions() async {
        await #expect(processExitsWith: .success) {
            let before = Resources.total
            do {
                let subject = PublishSubject<Int>()
                let bag = DisposeBag()
                let stream = subject.flatMap { Observable.of($0, $0 + 1) }.scan(0) { $0 + $1 }.take(3)
                stream.subscribe().disposed(by: bag)
                subject.onNext(1)
                precondition(Resources.total > before)
            }
            precondition(Resources.total == before)
        }
    }

    @Test("an operator leaves no objects behind", arguments: Ending.allCases)
    func operators(ending: Ending) async {
        await #expect(processExitsWith: .success) { [ending] in
            for operation in Operator.all where ending != .failed || operation.signature != "retry()" {
                _ = survivors(of: operation, ending)  // makes what tables of operators keep
                let count = survivors(of: operation, ending)
                precondition(count == 0, "\(count) objects of \(operation.testDescription) survive")
            }
        }
    }

    @Test("subjects, connectables, drivers and schedulers leave no objects behind")
    func others() async {
        await #expect(processExitsWith: .success) {
            let kinds: [@Sendable () -> Void] = [
                {
                    let subject = BehaviorSubject(value: 1)
                    subject.subscribe().dispose()
                    subject.dispose()
                },
                {
                    let subject = ReplaySubject<Token>.create(bufferSize: 2)
                    subject.onNext(Token(1))
                    _ = subject.subscribe()
                    subject.onCompleted()
                },
                {
                    let subject = PublishSubject<Int>()
                    _ = subject.map { $0 }.subscribe()  // is released with the subject, its only source
                },
                {
                    let connectable = Observable.of(1, 2).replay(1)
                    let connection = connectable.connect()
                    _ = connectable.subscribe()
                    connection.dispose()
                },
                {
                    let scheduler = TestScheduler(initialClock: 0)
                    let bag = DisposeBag()
                    SharingScheduler.mock(scheduler: scheduler) {
                        Observable.of(1, 2).asDriver(onErrorJustReturn: 0).asObservable().subscribe()
                            .disposed(by: bag)
                    }
                    scheduler.start()
                },
                {
                    let serial = SerialDisposable()
                    serial.disposable = Disposables.create {}
                    serial.disposable = CompositeDisposable(BooleanDisposable(), SingleAssignmentDisposable())
                    RefCountDisposable(disposable: serial).dispose()
                },
                {
                    let numbers = Observable.of(1, 2).observe(on: SerialDispatchQueueScheduler(qos: .default))
                    _ = try? numbers.toBlocking().toArray()
                },
            ]
            for (number, kind) in kinds.enumerated() {
                let before = Resources.total
                kind()
                // A queue releases finished work shortly afterwards.
                let end = ContinuousClock.now + .seconds(60)
                while Resources.total != before, ContinuousClock.now < end { usleep(1000) }
                precondition(Resources.total == before, "something survives of number \(number)")
            }
        }
    }

    @Test("A subscription that retains itself is counted as a resource")
    func leak() async {
        await #expect(processExitsWith: .success) {
            let before = Resources.total
            do {
                let subject = PublishSubject<Int>()
                _ = subject.subscribe(onNext: { _ in subject.onCompleted() })
            }
            precondition(Resources.total > before)
        }
    }
}

/// The end of a subscription.
enum Ending: CaseIterable, Codable {
    case disposed, completed, failed
}

/// The number of additional live objects after a subscription to the operator on a subject has ended.
private func survivors(of operation: Operator, _ ending: Ending) -> Int32 {
    let before = Resources.total
    do {
        let scheduler = TestScheduler(initialClock: 0)
        let source = PublishSubject<Token>()
        let subscription = operation.apply(source, scheduler).subscribe(onError: { _ in })
        source.onNext(Token(1))
        scheduler.advanceTo(10)
        source.onNext(Token(2))
        switch ending {
        case .disposed: subscription.dispose()
        case .completed: source.onCompleted()
        case .failed: source.onError(Failure.expected)
        }
        scheduler.advanceTo(200)
    }
    return Resources.total - before
}
#endif
