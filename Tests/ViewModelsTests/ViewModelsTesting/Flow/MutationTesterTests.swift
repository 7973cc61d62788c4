import Composition
import Dispatch
import Streams
import StreamsTesting
import TestReporting
import TestConcurrency
import Testing
import ViewModels
import ViewModelsTesting

/// A profile that loads in 200 ms, using the clock dependency.
private struct Profile: MutationFlow {
    enum Action: Sendable { case refreshed, renamed(String), saved }
    enum SideEffect: Equatable, Sendable { case loading(Bool), named(String) }
    struct State: Equatable, Sendable {
        var isLoading = false
        var name = ""
    }

    @Dependency(\.clock) private var clock
    var running = Running()
    var initialState: State { State() }

    func transform(_ action: Action) -> Observable<SideEffect> {
        switch action {
        case .refreshed:
            .concat(
                .just(.loading(true)),
                Observable.task {
                    try await clock.sleep(for: .milliseconds(200))
                    return .named("Mina")
                }.catchAndReturn(.named("?")),
                .just(.loading(false)))
        case .renamed(let name): .just(.named(name))
        case .saved:
            .deferred {
                send(.renamed(currentState.name + "!"))
                return .empty()
            }
        }
    }

    func reduce(_ state: State, _ sideEffect: SideEffect) -> State {
        var state = state
        switch sideEffect {
        case .loading(let isLoading): state.isLoading = isLoading
        case .named(let name): state.name = name
        }
        return state
    }
}

@Suite("MutationTester", .limitedConcurrency)
struct MutationTesterTests {
    @Test("MutationTester follows the side effects of each action in virtual time")
    func follows() {
        let tester = MutationTester(Profile())
        tester.send(.refreshed)
        tester.receive(.loading(true)) { $0.isLoading = true }
        tester.receive(.named("Mina")) { $0.name = "Mina" }
        tester.receive(.loading(false)) { $0.isLoading = false }
        #expect(tester.scheduler.clock == 200)
        tester.send(.saved)
        tester.receive(actionWhere: { if case .renamed("Mina!") = $0 { true } else { false } })
        tester.receive(where: { if case .named = $0 { true } else { false } }) { $0.name = "Mina!" }
        tester.finish()
    }

    @Test("MutationTester fails for an unexpected side effect, and for an action whose stream does not end")
    func unexpected() {
        let tester = MutationTester(Profile())
        tester.send(.refreshed)
        let findings = collectFindings {
            tester.send(.renamed("a"))
        }
        #expect(
            findings.map(\.message) == [
                """
                before renamed("a") is sent: received loading(true), from the action refreshed, which was not expected
                  isLoading: false → true
                If the flow is correct, write: tester.receive(.loading(true)) { $0.isLoading = true }
                """
            ])
        tester.dismiss()
        tester.skipReceived()
        tester.finish()
    }

    @Test("MutationTester fails for an action that the flow sends to itself, and that the test does not expect")
    func sentInside() {
        struct Silent: MutationFlow {
            enum Action: Equatable, Sendable { case saved, tracked(Int) }
            var running = Running()
            var initialState: Int { 0 }
            func transform(_ action: Action) -> Observable<Int> {
                if action == .saved { send(.tracked(3)) }
                return .empty()
            }
            func reduce(_ state: inout Int, _ sideEffect: Int) {}
        }
        let tester = MutationTester(Silent())
        tester.send(.saved)
        tester.receive(action: .tracked(3))
        tester.send(.saved)
        expectIssue(
            """
            at the end of the test: the flow sent the action tracked(3), which was not expected
            If the flow is correct, write: tester.receive(action: .tracked(3))
            """
        ) { tester.finish() }
    }

    @Test("MutationTester finishes the work of an action in virtual time, or cancels it")
    func effects() {
        let tester = MutationTester(Profile())
        tester.send(.refreshed).finish()
        #expect(tester.scheduler.clock == 200)
        tester.skipReceived()
        tester.send(.refreshed).cancel()
        tester.receive(.loading(true)) { $0.isLoading = true }
        tester.finish()
    }

    @Test("MutationTester fails for an action whose stream fails, with the remedy")
    func failedAction() {
        struct Offline: Error {}
        struct Failing: MutationFlow {
            var initialState: Int { 0 }
            func transform(_ action: Int) -> Observable<Int> { .error(Offline()) }
            func reduce(_ state: inout Int, _ sideEffect: Int) {}
        }
        let tester = MutationTester(Failing())
        expectIssue(
            """
            the action 3 failed: Offline(). Turn errors into side effects, in `transform`, with `catch`
            """
        ) { tester.send(3) }
        tester.finish()
    }

    @Test("MutationTester waits in real time on request")
    func realTime() async {
        struct Away: MutationFlow {
            var initialState: Int { 0 }
            func transform(_ action: Int) -> Observable<Int> {
                .create { observer in
                    DispatchQueue.global().async {
                        observer.onNext(action)
                        observer.onCompleted()
                    }
                    return Disposables.create()
                }
            }
            func reduce(_ state: inout Int, _ sideEffect: Int) { state += sideEffect }
        }
        let tester = MutationTester(Away())
        tester.send(3)
        await tester.receive(3, within: .seconds(60)) { $0 = 3 }
        await tester.send(4).finish(within: .seconds(60))
        tester.receive(4) { $0 = 7 }
        tester.finish()
    }
}
