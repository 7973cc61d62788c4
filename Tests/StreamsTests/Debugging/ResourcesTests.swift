import Foundation
import Streams
import StreamsTesting
import TestTurns
import Testing

#if DEBUG
    /// In processes of their own, where no other test makes anything.
    @Suite("Resources", .takesTurns)
    struct ResourcesTests {
        @Test("Live objects are counted, and those that are gone are not")
        func disposables() async {
            await #expect(processExitsWith: .success) {
                let before = Resources.total
                var disposables = (0..<10).map { _ in BooleanDisposable() }
                precondition(Resources.total == before + 10)
                disposables = []
                precondition(Resources.total == before && disposables.isEmpty)
            }
        }

        @Test("A subscription that has ended leaves nothing, one that is under way does")
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

        @Test("every operator leaves nothing, however its subscription ends", arguments: Ending.allCases)
        func operators(ending: Ending) async {
            await #expect(processExitsWith: .success) { [ending] in
                for operation in Operator.all where ending != .failed || operation.signature != "retry()" {
                    _ = survivors(of: operation, ending)  // makes what tables of operators keep
                    let count = survivors(of: operation, ending)
                    precondition(count == 0, "\(count) survive of \(operation.testDescription)")
                }
            }
        }

        @Test("subjects, connectables, drivers and schedulers leave nothing")
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
                        _ = subject.map { $0 }.subscribe()  // is let go with the subject, its only source
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
                    // What ran on a queue is let go there, soon after.
                    let end = ContinuousClock.now + .seconds(60)
                    while Resources.total != before, ContinuousClock.now < end { usleep(1000) }
                    precondition(Resources.total == before, "something survives of number \(number)")
                }
            }
        }

        @Test("A subscription that holds itself is seen")
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

    /// How a subscription ends.
    enum Ending: CaseIterable, Codable {
        case disposed, completed, failed
    }

    /// How many more objects are alive after a subscription to what the operator makes of a subject has come to an end.
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
