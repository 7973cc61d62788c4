import Streams
import StreamsTesting
import TestReporting
import TestConcurrency
import Testing

#if DEBUG
@Suite("expectNothingSurvives", .limitedConcurrency)
struct ExpectNothingSurvivesTests {
    @Test("Terminated and disposed subscriptions do not survive")
    func ended() {
        expectNothingSurvives {
            _ = Observable.of(1, 2).map { $0 + 1 }.subscribe()
            let subject = PublishSubject<Int>()
            _ = subject.flatMap { Observable.of($0, $0) }.subscribe()
            subject.onNext(1)
            subject.onCompleted()
            Observable<Int>.never().subscribe().dispose()
            let bag = DisposeBag()
            subject.subscribe().disposed(by: bag)
        }
    }

    @Test("A live subscription is printed with its operators and its line")
    func survivor() {
        let bag = DisposeBag()
        let subject = PublishSubject<Int>()
        let line: UInt = #line + 4
        let findings = collectFindings {
            expectNothingSurvives {
                subject.map { $0 + 1 }.filter { $0 > 1 }
                    .subscribe(onNext: { _ in }).disposed(by: bag)
            }
        }
        #expect(
            findings.map(\.message) == [
                """
                subscriptions survive:
                subscribe, at StreamsTests/ExpectNothingSurvivesTests.swift:\(line)
                  filter(_:) < map(_:) < subject
                """
            ])
    }

    @Test("Subscriptions of every kind are printed with their line")
    @MainActor
    func edges() {
        let bag = DisposeBag()
        let relay = BehaviorRelay(value: 1)
        let scope = SubscriptionScope()
        let line: UInt = #line + 2
        SubscriptionScope.$current.withValue([scope]) {
            relay.asDriver().drive(onNext: { _ in }).disposed(by: bag)
            relay.asSignal(onErrorJustReturn: 0).emit(onNext: { _ in }).disposed(by: bag)
            relay.bind(to: PublishRelay<Int>()).disposed(by: bag)
            relay.bind(onNext: { _ in }).disposed(by: bag)
            relay.subscribe { _ in }.disposed(by: bag)
        }
        let file = "StreamsTests/ExpectNothingSurvivesTests.swift"
        #expect(scope.live.compactMap(\.place) == (line..<line + 5).map { "\(file):\($0)" })
    }

    @Test("Sources are printed below their downstream")
    func sources() {
        let bag = DisposeBag()
        let subject = PublishSubject<Int>()
        let line: UInt = #line + 3
        let findings = collectFindings {
            expectNothingSurvives {
                Observable.merge(subject.map { $0 }, .never()).materialize().subscribe().disposed(by: bag)
            }
        }
        #expect(
            findings.map(\.message) == [
                """
                subscriptions survive:
                subscribe, at StreamsTests/ExpectNothingSurvivesTests.swift:\(line)
                  materialize()
                    map(_:) < subject
                    never()
                """
            ])
    }

    @Test("Subscriptions on a scheduler are checked")
    func scheduler() {
        let scheduler = TestScheduler(initialClock: 0)
        let subject = PublishSubject<Int>()
        let findings = collectFindings {
            expectNothingSurvives {
                scheduler.scheduleAt(10) { _ = subject.subscribe { _ in } }
                scheduler.run()
            }
        }
        #expect(findings.first?.message.hasSuffix("\n  subject") == true)
    }

    @Test("Subscriptions of child tasks are checked")
    func tasks() async {
        let subject = PublishSubject<Int>()
        await expectNothingSurvives {
            async let sum = subject.values.reduce(0, +)
            while !subject.hasObservers { await Task.yield() }
            subject.onNext(1)
            subject.onCompleted()
            #expect((try? await sum) == 1)
        }
        let findings = await collectFindings {
            await expectNothingSurvives {
                async let subscription = subject.asObservable().concat(Observable<Int>.never()).subscribe()
                _ = await subscription
            }
        }
        #expect(findings.count == 1)
    }
}
#endif
