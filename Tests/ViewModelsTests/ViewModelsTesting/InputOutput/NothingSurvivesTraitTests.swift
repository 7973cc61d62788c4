import Streams
import Testing
import TestReporting
import TestConcurrency
import ViewModelsTesting

#if DEBUG
@Suite("The nothing-survives trait", .limitedConcurrency)
struct NothingSurvivesTraitTests {
    @Test("a test that disposes all subscriptions passes with the nothing-survives trait", .nothingSurvives)
    func passes() async {
        let bag = DisposeBag()
        PublishSubject<Int>().map { $0 + 1 }.subscribe().disposed(by: bag)
        _ = Observable.of(1, 2).subscribe()
    }

    @Test("a test that leaves a subscription behind fails, with its operators and the line of the subscription")
    func fails() async throws {
        let test = try #require(Test.current)
        let bag = DisposeBag()
        let line: UInt = #line + 3
        let findings = try await collectFindings {
            try await NothingSurvivesTrait().provideScope(for: test, testCase: nil) {
                Observable<Int>.never().map { $0 + 1 }.subscribe().disposed(by: bag)
            }
        }
        #expect(findings.map(\.line) == [test.sourceLocation.line])
        #expect(
            findings.map(\.message) == [
                """
                subscriptions survive the test:
                subscribe, at ViewModelsTests/NothingSurvivesTraitTests.swift:\(line)
                  map(_:) < never()
                Dispose them, or release the bag or screen that holds them, before the test ends.
                """
            ])
    }

    @Test("the nothing-survives trait rethrows the error of the test")
    func throwing() async throws {
        let test = try #require(Test.current)
        await #expect(throws: RxError.self) {
            try await NothingSurvivesTrait().provideScope(for: test, testCase: nil) { throw RxError.timeout }
        }
    }
}
#endif

@Suite("Counted streams")
struct CountedStreamTests {
    @Test("a counted stream counts each subscription, which is active until its disposal")
    func disposal() {
        let counted = CountedStream(Observable<Int>.never())
        #expect(counted.subscriptions == 0)
        let first = counted.stream.subscribe()
        let second = counted.stream.subscribe()
        #expect(counted.subscriptions == 2)
        #expect(counted.active == 2)
        first.dispose()
        #expect(counted.active == 1)
        second.dispose()
        #expect(counted.subscriptions == 2)
        #expect(counted.active == 0)
    }

    @Test("a subscription of a counted stream is no longer active once the stream has ended")
    func completion() {
        let subject = PublishSubject<Int>()
        let counted = CountedStream(subject)
        let subscription = counted.stream.subscribe()
        subject.onCompleted()
        #expect(counted.active == 0)
        subscription.dispose()
        #expect(counted.active == 0)
    }
}
