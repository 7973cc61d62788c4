import Streams
import TestReporting
import TestTurns
import Testing
import ViewModelsTesting

#if DEBUG
    @Suite("The nothing-survives trait", .takesTurns)
    struct NothingSurvivesTraitTests {
        @Test("a test that lets go of all it subscribed to passes", .nothingSurvives)
        func passes() async {
            let bag = DisposeBag()
            PublishSubject<Int>().map { $0 + 1 }.subscribe().disposed(by: bag)
            _ = Observable.of(1, 2).subscribe()
        }

        @Test("a test that leaves a subscription behind fails, and is shown its operators and the line that subscribed")
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
                    subscribe, at ViewModelsTestingTests/NothingSurvivesTraitTests.swift:\(line)
                      map(_:) < never()
                    Dispose them, or let go of the bag or screen that holds them, before the test ends.
                    """
                ])
        }

        @Test("what the test throws is thrown on")
        func throwing() async throws {
            let test = try #require(Test.current)
            await #expect(throws: RxError.self) {
                try await NothingSurvivesTrait().provideScope(for: test, testCase: nil) { throw RxError.timeout }
            }
        }
    }
#endif
