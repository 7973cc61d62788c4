import Composition
import Foundation
import Streams
import StreamsTesting
import Testing
import TestReporting
import TestConcurrency
import ViewModels
import ViewModelsTesting

/// Emits an identifier one second after the request.
private struct Stamper: Flow {
    enum Action: Equatable, Sendable { case stampTapped, stamped(String) }
    enum SideEffect: Equatable, Sendable { case stamp }

    @Dependency(\.uuid) private var uuid
    @Dependency(\.mainScheduler) private var mainScheduler

    var initialState: String { "" }

    func reduce(_ state: inout String, _ action: Action) -> Next<SideEffect, Never> {
        switch action {
        case .stampTapped:
            return .run(.stamp)
        case .stamped(let stamp):
            state = stamp
            return .none
        }
    }

    func perform(_ sideEffect: SideEffect) -> Observable<Action> {
        Observable.just(()).delay(.seconds(1), scheduler: mainScheduler).map { _ in
            .stamped(String(uuid().uuidString.suffix(4)))
        }
    }
}

@Suite("Dependencies of a flow", .limitedConcurrency, .nothingSurvives)
struct FlowDependencyTests {
    @Test("a store keeps the overrides of its scope in side effects that start after the scope")
    func store() {
        let scheduler = TestScheduler(resolution: 0.001)
        let store = withDependencies {
            $0.useVirtualTime(of: scheduler)
            $0.uuid = .incrementing
        } operation: {
            FlowStore(Stamper())
        }
        store.send(.stampTapped)
        scheduler.advance(by: .seconds(1))
        #expect(store.currentState == "0000")
        store.send(.stampTapped)
        scheduler.advance(by: .seconds(1))
        #expect(store.currentState == "0001")
    }

    @Test("a flow as a view model waits in the time that was in effect where `transform` was called")
    @MainActor
    func viewModel() {
        struct Search: Flow {
            let initialState = ""
            func reduce(_ state: inout String, _ action: String) -> Next<String, Never> {
                if action.hasPrefix("found") { state = action }
                return action.hasPrefix("found") ? .none : .latest(action, after: .milliseconds(300))
            }
            func perform(_ text: String) -> Observable<String> { .just("found \(text)") }
        }
        let scheduler = TestScheduler(resolution: 0.001)
        let actions = PublishRelay<String>()
        let output = withDependencies {
            $0.useVirtualTime(of: scheduler)
        } operation: {
            Search().transform(actions.asObservable())
        }
        let states = Mutexed<[String]>([])
        let subscription = output.state.drive(onNext: { state in states.change { $0.append(state) } })
        actions.accept("sea")
        scheduler.run()
        #expect(scheduler.clock == 300)
        #expect(states.value.last == "found sea")
        subscription.dispose()
    }

    @Test(
        "a flow in a FlowTester uses the overrides of its test and the tester's virtual time",
        .dependencies { $0.uuid = .incrementing })
    func tester() {
        let tester = FlowTester(Stamper())
        tester.send(.stampTapped, starts: .stamp)
        tester.receive(.stamped("0000")) { $0 = "0000" }
        #expect(tester.scheduler.clock == 1000)
        tester.finish()
    }

    @Test("a missing override of a flow fails the test when a side effect reads it, not when the flow is made")
    func missing() {
        let tester = FlowTester(Stamper())
        tester.isExhaustive = false
        tester.send(.stampTapped)
        let findings = collectFindings { tester.finish() }
        #expect(findings.map(\.message).joined().contains("`uuid` (UUIDKey), declared at ViewModelsTests/"))
    }
}

@Suite("The schedulers as dependencies")
struct SchedulerDependencyTests {
    /// Waits, switches schedulers twice, and emits the date.
    private struct Stamps {
        @Dependency(\.mainScheduler) private var mainScheduler
        @Dependency(\.backgroundScheduler) private var backgroundScheduler
        @Dependency(\.clock) private var clock
        @Dependency(\.date) private var date

        func of(_ texts: Observable<String>) -> Observable<String> {
            texts.debounce(.milliseconds(300), scheduler: mainScheduler)
                .observe(on: backgroundScheduler)
                .flatMapLatest { [clock] text in
                    try await clock.sleep(for: .milliseconds(200))
                    return text
                }
                .map { [date] in "\($0) at \(Int((date.now.timeIntervalSince1970 * 10).rounded())) tenths" }
        }
    }

    @Test("useVirtualTime moves streams, sleeps and dates to the time of a test scheduler")
    func virtualTime() {
        let scheduler = TestScheduler(resolution: 0.001, simulateProcessingDelay: false)
        let stamps = withDependencies {
            $0.useVirtualTime(of: scheduler)
        } operation: {
            Stamps()
        }
        let texts = scheduler.createHotObservable([.next(300, "a"), .next(400, "ab")])
        let result = scheduler.start(disposed: 2000) { stamps.of(texts.asObservable()) }
        #expect(result.events == [.next(900, "ab at 9 tenths")])
    }

    @Test("the live schedulers are those of the main queue and a concurrent queue")
    func live() {
        withDependencies {
            $0.context = .live
        } operation: {
            #expect(DependencyValues.current.mainScheduler is MainScheduler)
            #expect(DependencyValues.current.backgroundScheduler is ConcurrentDispatchQueueScheduler)
        }
    }

    @Test("a test that overrides no scheduler fails with the name of the missing one")
    func missing() {
        let findings = collectFindings { _ = DependencyValues.current.mainScheduler }
        #expect(findings.count == 1)
        #expect(findings.first?.message.contains("withDependencies { $0.mainScheduler = … }") == true)
    }
}
