import Dispatch
import Streams
import Synchronization
import TestReporting
import TestTurns
import Testing
import ViewModels
import ViewModelsTesting

/// A view model that is an object.
private class Screen: ViewModel, @unchecked Sendable {
    // `@unchecked Sendable`: set up and used on the main actor, by one test.
    struct Input {
        let taps: Observable<Int>
    }

    struct Output {
        var count: Driver<Int>
        var other: Any?
    }

    private let compose: (Screen, Input) -> Output
    var kept: [Any] = []

    init(_ compose: @escaping (Screen, Input) -> Output) {
        self.compose = compose
    }

    func transform(_ input: Input) -> Output { compose(self, input) }

    static func count(_ input: Input) -> Driver<Int> { input.taps.asDriver(onErrorJustReturn: 0) }
}

private final class Holder: @unchecked Sendable {
    // `@unchecked Sendable`: used on the main actor, by one test.
    var stream: Any?
}

private class Base {
    let inherited: Observable<Int>

    init(_ inherited: Observable<Int>) {
        self.inherited = inherited
    }
}

private final class Details: Base {}

private final class Sealed: Sendable {
    let stream: Mutex<Observable<Int>>

    init(_ stream: Observable<Int>) {
        self.stream = Mutex(stream)
    }
}

/// View models that break the rules in different ways.
@Suite("Violations that expectOnlyComposes detects", .takesTurns)
@MainActor
struct ExpectOnlyComposesAttemptsTests {
    private let taps = PublishSubject<Int>()

    private func findings(
        unseen: Set<String> = [], _ compose: @escaping (Screen, Screen.Input) -> Screen.Output
    ) -> [String] {
        collectFindings {
            expectOnlyComposes(Screen(compose), unseen: unseen) { inputs in
                Screen.Input(taps: inputs.count(taps))
            } whileBound: {
                taps.onNext(1)
            }
        }.map(\.message)
    }

    @Test("expectOnlyComposes passes a correct view model")
    func sound() {
        #expect(findings { _, input in .init(count: Screen.count(input)) } == [])
    }

    #if DEBUG
    @Test("expectOnlyComposes detects a subscription that is disposed immediately")
    func disposedAtOnce() {
        let clock = PublishSubject<Int>()
        let line = #line + 2
        let findings = findings { _, input in
            clock.map { $0 + 1 }.subscribe().dispose()
            return .init(count: Screen.count(input))
        }
        #expect(findings.count == 1)
        let place = "ViewModelsTests/ExpectOnlyComposesAttemptsTests.swift:\(line)"
        #expect(
            findings.first?.hasPrefix(
                "`transform` of Screen subscribes to other streams:\nsubscribe, at \(place)\n") == true)
    }

    @Test("expectOnlyComposes detects a subscription that completes immediately")
    func endedAtOnce() {
        let findings = findings { _, input in
            _ = Observable.just(1).subscribe(PublishSubject<Int>())
            return .init(count: Screen.count(input))
        }
        #expect(findings.first?.hasPrefix("`transform` of Screen subscribes to other streams") == true)
    }

    @Test("expectOnlyComposes detects an event that is sent to a subject or a relay")
    func sends() {
        let sends: [@Sendable () -> Void] = [
            { PublishRelay<Int>().accept(1) }, { BehaviorRelay(value: 0).accept(1) },
            { ReplayRelay<Int>.create(bufferSize: 1).accept(1) }, { WaitingRelay<Int>().accept(1) },
            { PublishSubject<Int>().onNext(1) }, { BehaviorSubject(value: 0).onNext(1) },
            { ReplaySubject<Int>.create(bufferSize: 1).onNext(1) }, { AsyncSubject<Int>().onNext(1) },
            { PublishSubject<Int>().on(.next(1)) }, { PublishSubject<Int>().onCompleted() },
            { BehaviorSubject(value: 0).onCompleted() }, { ReplaySubject<Int>.create(bufferSize: 1).onCompleted() },
            { AsyncSubject<Int>().onCompleted() },
        ]
        for (number, send) in sends.enumerated() {
            let findings = findings { _, input in
                send()
                return .init(count: Screen.count(input))
            }
            #expect(findings.count == 1, "\(number)")
            let start = "`transform` of Screen sends to a subject or a relay\nIt must only compose."
            #expect(findings.first?.hasPrefix(start) == true, "\(number): \(findings)")
        }
    }

    @Test("expectOnlyComposes passes a view model whose relays receive only while its outputs are bound")
    func sendsLater() {
        let relay = BehaviorRelay(value: 0)
        let findings = findings { _, input in
            .init(
                count: input.taps
                    .map { tap in
                        relay.accept(tap)
                        return relay.value
                    }
                    .asDriver(onErrorJustReturn: 0))
        }
        #expect(findings == [])
        #expect(relay.value == 1)
    }

    @Test("expectOnlyComposes detects navigation in `do`")
    func sideEffects() {
        let findings = findings { _, input in
            .init(count: Screen.count(input).do(onNext: { _ in }))
        }
        #expect(findings.count == 1)
        let start = "cannot inspect the `do` (or `debug`) on the way to the output `count`"
        #expect(findings.first?.hasPrefix(start) == true)
    }
    #endif

    @Test("expectOnlyComposes detects a subscription to an input that is disposed immediately")
    func inputDisposedAtOnce() {
        let findings = findings { _, input in
            input.taps.subscribe().dispose()
            return .init(count: Screen.count(input))
        }
        #expect(findings.count == 1)
        #expect(findings.first?.hasPrefix("`transform` of Screen subscribes to the input `taps`") == true)
    }

    @Test("expectOnlyComposes detects a task that captures nothing, and a detached task")
    func tasks() {
        let attempts: [@Sendable () -> Void] = [{ Task {} }, { Task.detached {} }]
        for attempt in attempts {
            let findings = findings { _, input in
                attempt()
                return .init(count: Screen.count(input))
            }
            #expect(findings.first?.hasPrefix("`transform` of Screen starts a task") == true)
        }
    }

    @Test("expectOnlyComposes detects a task that iterates the values of an input")
    func iteration() {
        let findings = findings { _, input in
            let taps = input.taps
            Task { for try await _ in taps.values {} }
            return .init(count: Screen.count(input))
        }
        #expect(findings.count == 1)
    }

    @Test("expectOnlyComposes detects work on a queue or the main actor that retains an input")
    func queues() {
        let attempts: [@Sendable (Observable<Int>) -> Void] = [
            { taps in DispatchQueue.main.async { taps.subscribe().dispose() } },
            { taps in DispatchQueue.global().async { taps.subscribe().dispose() } },
            { taps in DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(1)) { _ = taps } },
            { taps in Task { @MainActor in taps.subscribe().dispose() } },
        ]
        for (number, attempt) in attempts.enumerated() {
            let findings = findings { _, input in
                attempt(input.taps)
                return .init(count: Screen.count(input))
            }
            #expect(findings.count == 1, "\(number)")
        }
    }

    @Test("expectOnlyComposes detects work that retains the view model")
    func queueHoldsScreen() {
        let findings = findings { screen, input in
            DispatchQueue.main.async { withExtendedLifetime(screen) {} }
            return .init(count: Screen.count(input))
        }
        #expect(findings.first?.contains("something still retains the view model itself") == true)
    }

    @Test("expectOnlyComposes detects a retain cycle of the view model")
    func cycle() {
        let findings = findings { screen, input in
            let count = input.taps.map { [screen] tap in tap + screen.kept.count }
            screen.kept.append(count)
            return .init(count: count.asDriver(onErrorJustReturn: 0))
        }
        #expect(findings.count == 1)
        #expect(
            findings.first?.contains("something still retains the view model itself, the input `taps`") == true,
            "\(findings)")
    }

    @Test("expectOnlyComposes detects a retain cycle of another object that retains an input")
    func cycleOfAnother() {
        let findings = findings { _, input in
            let holder = Holder()
            holder.stream = input.taps.map { tap in holder.stream == nil ? 0 : tap }
            return .init(count: Screen.count(input))
        }
        #expect(findings.first?.contains("something still retains the input `taps`") == true)
    }

    @Test("expectOnlyComposes finds outputs in objects, superclasses, tuples and dictionaries")
    func hiddenStreams() {
        let hiding: [@Sendable (Observable<Int>) -> Any] = [
            { stream in
                let holder = Holder()
                holder.stream = stream
                return holder
            },
            { Details($0) }, { (1, ["a": $0]) },
        ]
        for hide in hiding {
            let findings = findings { _, input in .init(count: Screen.count(input), other: hide(input.taps)) }
            // The output was found, so two outputs subscribe to the input.
            #expect(findings.count == 1)
            #expect(findings.first?.contains("twice, not once") == true)
        }
    }

    @Test(
        "expectOnlyComposes reports closures, locks and asynchronous sequences in an output, unless the test declares them"
    )
    func blindSpots() {
        let hiding: [(String, @Sendable (Observable<Int>) -> Any)] = [
            ("a closure", { stream in { stream } as () -> Observable<Int> }),
            ("a value that cannot be copied", { Sealed($0) }),
            ("an asynchronous sequence", { _ in AsyncStream<Int> { $0.finish() } }),
        ]
        for (what, hide) in hiding {
            let compose = { (_: Screen, input: Screen.Input) -> Screen.Output in
                .init(count: Screen.count(input), other: hide(input.taps))
            }
            let found = findings(compose)
            #expect(found.count == 1)
            #expect(found.first?.hasPrefix("cannot inspect the output `other") == true, "\(what): \(found)")
            #expect(found.first?.contains("it is \(what)") == true, "\(what): \(found)")
            #expect(findings(unseen: ["other"], compose) == [])
        }
    }

    @Test("expectOnlyComposes passes a view model that the test retains, even if it retains its output")
    func heldByTheTest() {
        let screen = Screen { screen, input in
            let count = Screen.count(input)
            screen.kept.append(count)
            return .init(count: count)
        }
        let found = collectFindings {
            expectOnlyComposes(screen) { inputs in .init(taps: inputs.count(taps)) }
        }
        #expect(found == [])
        withExtendedLifetime(screen) {}
    }

    @Test("expectOnlyComposes passes two outputs of one driver whose input completes immediately")
    func finiteInput() {
        struct Numbers: ViewModel {
            func transform(_ input: Observable<Int>) -> (even: Driver<Bool>, text: Driver<String>) {
                let numbers = input.asDriver(onErrorJustReturn: 0)
                return (numbers.map { $0 % 2 == 0 }, numbers.map { "\($0)" })
            }
        }
        let found = collectFindings { expectOnlyComposes(Numbers()) { $0.count(Observable.of(1, 2)) } }
        #expect(found == [])
    }

    @Test("expectOnlyComposes names an input that is a driver or a signal")
    func namesDrivers() {
        struct Greeter: ViewModel {
            struct Input {
                let name: Driver<String>
                let taps: Signal<Void>
                let age: Driver<Int>
            }

            func transform(_ input: Input) -> Driver<String> { input.name }
        }
        let found = collectFindings {
            expectOnlyComposes(Greeter()) { inputs in
                .init(
                    name: inputs.count(Driver.just("Mina"), subscribed: 2), taps: inputs.count(Signal.just(())),
                    age: inputs.count(Observable.of(1)).asDriver(onErrorJustReturn: 0))
            }
        }.map(\.message)
        #expect(found.count == 3)
        for name in ["name", "taps", "age"] {
            #expect(found.contains { $0.contains("the input `\(name)` (") }, "\(found)")
        }
    }
}
