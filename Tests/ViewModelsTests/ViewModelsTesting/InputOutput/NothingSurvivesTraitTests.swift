import Streams
import TestReporting
import TestTurns
import Testing
import ViewModelsTesting

#if DEBUG
@Suite("The nothing-survives trait", .takesTurns)
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
