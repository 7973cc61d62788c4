import Composition
import Dispatch
import Streams
import StreamsTesting
import TestReporting
import TestConcurrency
import Testing
import ViewModels
import ViewModelsTesting

/// Greets half a second after the last key; its driver has a timer of its own.
private struct Greeter: ViewModel {
    struct Input: Sendable { let name: Observable<String> }
    struct Output: Sendable {
        let greeting: Driver<String>
        let late: Driver<String>
    }

    func transform(_ input: Input) -> Output {
        let greeting = input.name.map { "Hello, \($0)" }.asDriver(onErrorJustReturn: "")
        return Output(greeting: greeting, late: greeting.debounce(.milliseconds(500)))
    }
}

private struct Counter: Flow {
    var initialState: Int { 0 }
    func reduce(_ state: inout Int, _ action: Int) -> Next<Never, Int> {
        state += action
        return .event(state)
    }
}

@Suite("Drivers in a scope with virtual time", .limitedConcurrency, .nothingSurvives)
struct VirtualTimeOfDriversTests {
    /// What a view model that was composed outside of `start` emits.
    private func composed() -> (greeting: [Recorded<Event<String>>], late: [Recorded<Event<String>>]) {
        let scheduler = TestScheduler(resolution: 0.001)
        let name = PublishRelay<String>()
        let output = withDependencies {
            $0.useVirtualTime(of: scheduler)
        } operation: {
            Greeter().transform(.init(name: name.asObservable()))
        }
        let (greeting, late) = (scheduler.createObserver(String.self), scheduler.createObserver(String.self))
        let bag = DisposeBag()
        output.greeting.asObservable().subscribe(greeting).disposed(by: bag)
        output.late.asObservable().subscribe(late).disposed(by: bag)
        name.accept("Mi")
        scheduler.advance(by: .milliseconds(100))
        name.accept("Mina")
        scheduler.advance(by: .seconds(1))
        return (greeting.events, late.events)
    }

    @Test("drivers that are created in the scope are in virtual time, wherever the test subscribes and sends")
    func offMain() {
        let (greeting, late) = composed()
        #expect(greeting == [.next(0, "Hello, Mi"), .next(100, "Hello, Mina")])
        #expect(late == [.next(600, "Hello, Mina")])
    }

    @Test("drivers that are created in the scope are in virtual time on the main actor")
    @MainActor
    func onMain() {
        let (greeting, late) = composed()
        #expect(greeting == [.next(0, "Hello, Mi"), .next(100, "Hello, Mina")])
        #expect(late == [.next(600, "Hello, Mina")])
    }

    @Test("a store that is created in the scope delivers states and events in virtual time off the main actor")
    func store() {
        let scheduler = TestScheduler(resolution: 0.001)
        let store = withDependencies {
            $0.useVirtualTime(of: scheduler)
        } operation: {
            FlowStore(Counter())
        }
        let (states, events) = (scheduler.createObserver(Int.self), scheduler.createObserver(Int.self))
        let bag = DisposeBag()
        store.state.asObservable().subscribe(states).disposed(by: bag)
        store.events.asObservable().subscribe(events).disposed(by: bag)
        scheduler.scheduleAt(10) { store.send(1) }
        scheduler.run()
        store.send(2)
        #expect(states.events == [.next(0, 0), .next(10, 1), .next(10, 3)])
        #expect(events.events == [.next(10, 1), .next(10, 3)])
        store.dismiss()
    }

    @Test("a store that is created outside of the scope fails a test off the main actor, instead of recording nothing")
    func storeOutside() {
        let scheduler = TestScheduler(resolution: 0.001)
        let store = FlowStore(Counter())
        let states = scheduler.createObserver(Int.self)
        let findings = collectFindings {
            let subscription = store.state.asObservable().subscribe(states)
            scheduler.run()
            subscription.dispose()
        }
        #expect(findings.count == 1)
        #expect(findings.first?.message.contains("waits for the main queue") == true)
        store.dismiss()
    }

    @Test("a driver that is not in the time of a FlowTester fails the test at the line of the tester")
    func flowTester() {
        struct Listening: Flow {
            let numbers: Driver<Int>
            var initialState: Int { 0 }
            func reduce(_ state: inout Int, _ action: Int) -> Next<Bool, Never> {
                action == 0 ? .run(true) : .none
            }
            func perform(_ sideEffect: Bool) -> Observable<Int> { numbers.asObservable() }
        }
        let numbers = PublishRelay<Int>().asDriver(onErrorJustReturn: 1)
        let line = #line + 1
        let tester = FlowTester(Listening(numbers: numbers))
        let findings = collectFindings { tester.send(0, starts: true) }
        #expect(findings.map(\.line) == [line])
        #expect(findings.first?.message.contains("waits for the main queue") == true)
        tester.dismiss()
    }
}

@Suite("A scheduler that is a property of the suite")
@MainActor
struct SchedulerOfSuiteTests {
    let scheduler: TestScheduler

    /// Creates the scheduler off the main actor, as a suite does whose tests alone are on the main actor.
    init() async {
        scheduler = await Self.scheduler()
    }

    @concurrent
    private static func scheduler() async -> TestScheduler {
        TestScheduler(resolution: 0.001)
    }

    @Test("lets other threads of a test on the main actor send to a driver that `expectOnlyComposes` binds")
    func onlyComposes() {
        let names = PublishRelay<String>()
        struct Other: ViewModel {
            let names: PublishRelay<String>
            func transform(_ input: Observable<String>) -> Driver<String> {
                Observable.merge(input, names.asObservable()).asDriver(onErrorJustReturn: "")
            }
        }
        let findings = collectFindings {
            expectOnlyComposes(Other(names: names)) {
                $0.count(Observable.never())
            } whileBound: {
                onOtherThread { names.accept("Mina") }
            }
        }
        #expect(findings.map(\.message) == [])
    }

    @Test("lets other threads of a test on the main actor send to the drivers of a scope in its time")
    func scope() {
        let names = PublishRelay<String>()
        let findings = collectFindings {
            withDependencies {
                $0.useVirtualTime(of: scheduler)
            } operation: {
            }
            let subscription = names.asDriver(onErrorJustReturn: "").drive()
            onOtherThread { names.accept("Mina") }
            subscription.dispose()
        }
        #expect(findings.map(\.message) == [])
    }
}

/// Makes the main thread wait for work in a task of the test on another thread.
@MainActor
private func onOtherThread(_ work: @escaping @Sendable () -> Void) {
    let done = DispatchSemaphore(value: 0)
    Task { @concurrent in
        work()
        done.signal()
    }
    done.wait()
}
