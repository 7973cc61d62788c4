import Composition
import Dispatch
import Foundation
import Streams
import TestTurns
import Testing
import ViewModels
import ViewModelsTesting

/// Waits a second on the clock and one on the scheduler, and then returns the date.
private struct Watch: Flow {
    enum Action: Equatable, Sendable { case asked, told(TimeInterval) }
    enum SideEffect: Equatable, Sendable { case tell }

    @Dependency(\.clock) private var clock
    @Dependency(\.mainScheduler) private var mainScheduler
    @Dependency(\.date) private var date

    var initialState: TimeInterval { 0 }

    func reduce(_ state: inout TimeInterval, _ action: Action) -> Next<SideEffect, Never> {
        switch action {
        case .asked:
            return .run(.tell)
        case .told(let time):
            state = time
            return .none
        }
    }

    func perform(_ sideEffect: SideEffect) -> Observable<Action> {
        Observable.task { try await clock.sleep(for: .seconds(1)) }
            .delay(.seconds(1), scheduler: mainScheduler)
            .map { .told(date.now.timeIntervalSince1970) }
            .catchAndReturn(.told(-1))
    }
}

@Suite("FlowTester and dependencies", .takesTurns, .nothingSurvives)
struct FlowTesterDependencyTests {
    @Test("a flow uses the clock, the schedulers and the date of its FlowTester")
    func time() {
        let tester = FlowTester(Watch())
        tester.send(.asked)
        tester.receive(.told(2)) { $0 = 2 }
        tester.finish()
    }

    @Test(
        "overrides of the test take precedence over those of FlowTester",
        .dependencies { $0.date = .constant(Date(timeIntervalSince1970: 42)) })
    func overridden() {
        let tester = FlowTester(Watch())
        tester.send(.asked)
        tester.receive(.told(42)) { $0 = 42 }
        #expect(tester.scheduler.clock == 2000)
        tester.finish()
    }
}
