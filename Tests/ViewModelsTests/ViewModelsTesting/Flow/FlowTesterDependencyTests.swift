import Composition
import Dispatch
import Foundation
import Streams
import TestConcurrency
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

/// Declares the dependencies in the closures of its effects, which run later.
private enum Closures {
    static var sleep: Observable<TimeInterval> {
        .task {
            @Dependency(\.clock) var clock
            try await clock.sleep(for: .seconds(1))
            @Dependency(\.date) var date
            return date.now.timeIntervalSince1970
        }
    }

    /// The time after a sleep in a task and after one on the scheduler, each made in a closure.
    static var time: Observable<TimeInterval> {
        sleep
            .flatMap { _ in
                @Dependency(\.mainScheduler) var scheduler
                return Observable.just(()).delay(.seconds(1), scheduler: scheduler)
            }
            .flatMap { _ in sleep }
            .map { _ in
                @Dependency(\.date) var date
                return date.now.timeIntervalSince1970
            }
            .catchAndReturn(-1)
    }
}

private struct ClosureWatch: Flow {
    typealias Action = Watch.Action
    typealias SideEffect = Watch.SideEffect

    var work = Closures.time
    var initialState: TimeInterval { 0 }

    func reduce(_ state: inout TimeInterval, _ action: Action) -> Next<SideEffect, Never> {
        switch action {
        case .asked: return .run(.tell)
        case .told(let time):
            state = time
            return .none
        }
    }

    func perform(_ sideEffect: SideEffect) -> Observable<Action> { .deferred { work.map(Action.told) } }
}

private struct MutationWatch: MutationFlow {
    enum Action: Sendable { case asked }
    enum SideEffect: Equatable, Sendable { case told(TimeInterval) }

    var initialState: TimeInterval { 0 }

    func transform(_ action: Action) -> Observable<SideEffect> { Closures.time.map(SideEffect.told) }

    func reduce(_ state: inout TimeInterval, _ sideEffect: SideEffect) {
        if case .told(let time) = sideEffect { state = time }
    }
}

@Suite("FlowTester and dependencies", .limitedConcurrency, .nothingSurvives)
struct FlowTesterDependencyTests {
    @Test("a flow uses the clock, the schedulers and the date of its FlowTester")
    func time() {
        let tester = FlowTester(Watch())
        tester.send(.asked, starts: .tell)
        tester.receive(.told(2)) { $0 = 2 }
        tester.finish()
    }

    @Test(
        "overrides of the test take precedence over those of FlowTester",
        .dependencies { $0.date = .constant(Date(timeIntervalSince1970: 42)) })
    func overridden() {
        let tester = FlowTester(Watch())
        tester.send(.asked, starts: .tell)
        tester.receive(.told(42)) { $0 = 42 }
        #expect(tester.scheduler.clock == 2000)
        tester.finish()
    }

    @Test("dependencies that the closures of an effect declare are those of the FlowTester")
    func closures() async {
        let tester = FlowTester(ClosureWatch())
        tester.send(.asked, starts: .tell)
        tester.receive(.told(3)) { $0 = 3 }
        tester.send(.asked, starts: .tell)
        tester.advance(by: .seconds(3))
        tester.receive(.told(6)) { $0 = 6 }
        tester.dependencies { $0.date = .constant(Date(timeIntervalSince1970: 42)) }
        tester.send(.asked, starts: .tell)
        await tester.receive(.told(42), within: .seconds(60)) { $0 = 42 }
        tester.finish()
    }

    @Test("dependencies that the closures of an action declare are those of the MutationTester")
    func mutations() {
        let tester = MutationTester(MutationWatch())
        tester.send(.asked)
        tester.receive(.told(3)) { $0 = 3 }
        tester.finish()
    }
}
