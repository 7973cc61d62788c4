import Dispatch
import Streams
import Synchronization
import TestReporting
import TestConcurrency
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

private struct Counter: Flow {
    var initialState: Int { 0 }

    func reduce(_ state: inout Int, _ action: Int) -> Next<Never, Never> {
        state += action
        return .none
    }
}

private struct Mirrored: CustomReflectable {
    let stream: Observable<Int>
    var customMirror: Mirror { Mirror(self, children: []) }
}

/// Subscribes to its input when it is released.
private final class LateScreen: ViewModel, @unchecked Sendable {
    // `@unchecked Sendable`: set up and used on the main actor, by one test.
    private var taps: Observable<Int>?

    func transform(_ input: Observable<Int>) -> Driver<Int> {
        taps = input
        return input.asDriver(onErrorJustReturn: 0)
    }

    deinit { taps?.subscribe().dispose() }
}

/// View models that break the rules in different ways.
@Suite("Violations that expectOnlyComposes detects", .limitedConcurrency)
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

    @Test("expectOnlyComposes detects a subscription that completes immediately, and `do` on the way to an output")
    func endedAtOnce() {
        let ended = findings { _, input in
            _ = Observable.just(1).subscribe(PublishSubject<Int>())
            return .init(count: Screen.count(input))
        }
        #expect(ended.first?.hasPrefix("`transform` of Screen subscribes to other streams") == true)
        let watched = findings { _, input in .init(count: Screen.count(input).do(onNext: { _ in })) }
        #expect(watched.count == 1)
        let start = "cannot inspect the `do` (or `debug`) on the way to the output `count`"
        #expect(watched.first?.hasPrefix(start) == true)
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

    #endif

    /// Something that `transform` must not do, and the finding about it.
    struct Attempt: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let finding: String
        fileprivate let violate: @Sendable (Screen, Observable<Int>) -> Void

        fileprivate init(
            _ description: String, _ finding: String,
            _ violate: @escaping @Sendable (Screen, Observable<Int>) -> Void
        ) {
            testDescription = description
            self.finding = finding
            self.violate = violate
        }
    }

    nonisolated static let attempts = [
        Attempt("a subscription to an input that is disposed", "subscribes to the input `taps`") { _, taps in
            taps.subscribe().dispose()
        },
        Attempt("a task that captures nothing", "`transform` of Screen starts a task") { _, _ in Task {} },
        Attempt("a detached task", "`transform` of Screen starts a task") { _, _ in Task.detached {} },
        Attempt("a task that iterates the values of an input", "") { _, taps in
            Task { for try await _ in taps.values {} }
        },
        Attempt("work on the main queue", "") { _, taps in DispatchQueue.main.async { taps.subscribe().dispose() } },
        Attempt("work on a queue", "") { _, taps in DispatchQueue.global().async { taps.subscribe().dispose() } },
        Attempt("work on a queue, later", "") { _, taps in
            DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(1)) { _ = taps }
        },
        Attempt("a task on the main actor", "") { _, taps in Task { @MainActor in taps.subscribe().dispose() } },
        Attempt("work that retains the view model", "something still retains the view model itself") { screen, _ in
            DispatchQueue.main.async { withExtendedLifetime(screen) {} }
        },
        Attempt("a cycle of the view model", "something still retains the view model itself, the input `taps`") {
            screen, taps in
            screen.kept.append(taps.map { [screen] tap in tap + screen.kept.count })
        },
        Attempt("a cycle of an object that retains an input", "something still retains the input `taps`") { _, taps in
            let holder = Holder()
            holder.stream = taps.map { tap in holder.stream == nil ? 0 : tap }
        },
    ]

    @Test("expectOnlyComposes detects each violation once", arguments: attempts)
    func violations(_ attempt: Attempt) {
        let findings = findings { screen, input in
            attempt.violate(screen, input.taps)
            return .init(count: Screen.count(input))
        }
        #expect(findings.count == 1)
        #expect(attempt.finding.isEmpty || findings.first?.contains(attempt.finding) == true, "\(findings)")
    }

    @Test("expectOnlyComposes detects a subscription to an input while the view model is released")
    func subscribesWhenReleased() {
        let findings = collectFindings { expectOnlyComposes(LateScreen()) { inputs in inputs.count(taps) } }
        #expect(findings.count == 1)
        #expect(findings.first?.message.contains("something still retains the input") == true, "\(findings)")
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

    @Test("expectOnlyComposes passes an output with objects that refer to each other, or with a store that is idle")
    func objects() {
        let (first, second) = (Holder(), Holder())
        (first.stream, second.stream) = (second, first)
        #expect(findings { _, input in .init(count: Screen.count(input), other: first) } == [])
        first.stream = nil
        let store = FlowStore(Counter())
        #expect(findings { _, input in .init(count: Screen.count(input), other: store) } == [])
    }

    @Test(
        "expectOnlyComposes reports closures, locks and asynchronous sequences in an output, unless the test declares them"
    )
    func blindSpots() {
        let hiding: [(String, String, @Sendable (Observable<Int>) -> Any)] = [
            ("a closure", "other", { stream in { stream } as () -> Observable<Int> }),
            ("a value that cannot be copied", "other.stream", { Sealed($0) }),
            ("a value with a custom mirror", "other", { Mirrored(stream: $0) }),
            ("an asynchronous sequence", "other", { _ in AsyncStream<Int> { $0.finish() } }),
        ]
        for (what, path, hide) in hiding {
            let compose = { (_: Screen, input: Screen.Input) -> Screen.Output in
                .init(count: Screen.count(input), other: hide(input.taps))
            }
            let found = findings(compose)
            #expect(found.count == 1)
            #expect(found.first?.hasPrefix("cannot inspect the output `other") == true, "\(what): \(found)")
            #expect(found.first?.contains("it is \(what)") == true, "\(what): \(found)")
            #expect(findings(unseen: ["other"], compose) == [])
            #expect(findings(unseen: [path], compose) == [])
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

    @Test("expectOnlyComposes names an input by its own property, not by one that is derived from it")
    func namesOwnProperty() {
        struct Adder: ViewModel {
            struct Input {
                let sum: Observable<Int>
                let left: Observable<Int>
                let right: Observable<Int>
            }

            func transform(_ input: Input) -> (Driver<Int>, Driver<Int>) {
                (input.sum.asDriver(onErrorJustReturn: 0), input.right.asDriver(onErrorJustReturn: 0))
            }
        }
        let found = collectFindings {
            expectOnlyComposes(Adder()) { inputs in
                let (left, right) = (inputs.count(Observable.of(1)), inputs.count(Observable.of(2)))
                return .init(sum: Observable.combineLatest(left, right) { $0 + $1 }, left: left, right: right)
            }
        }.map(\.message)
        #expect(found.count == 1)
        #expect(found.first?.contains("the input `right` (") == true, "\(found)")
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
