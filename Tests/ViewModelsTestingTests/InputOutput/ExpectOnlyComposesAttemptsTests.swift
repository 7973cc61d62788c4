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

/// Ways in which a view model may break the rules.
@Suite("expectOnlyComposes is not fooled", .takesTurns)
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

    @Test("by nothing at all")
    func sound() {
        #expect(findings { _, input in .init(count: Screen.count(input)) } == [])
    }

    #if DEBUG
        @Test("by a subscription that is disposed at once")
        func disposedAtOnce() {
            let clock = PublishSubject<Int>()
            let line = #line + 2
            let findings = findings { _, input in
                clock.map { $0 + 1 }.subscribe().dispose()
                return .init(count: Screen.count(input))
            }
            #expect(findings.count == 1)
            let place = "ViewModelsTestingTests/ExpectOnlyComposesAttemptsTests.swift:\(line)"
            #expect(
                findings.first?.hasPrefix(
                    "`transform` of Screen subscribes to streams of its own:\nsubscribe, at \(place)\n") == true)
        }

        @Test("by a subscription of an observer that ends at once")
        func endedAtOnce() {
            let findings = findings { _, input in
                _ = Observable.just(1).subscribe(PublishSubject<Int>())
                return .init(count: Screen.count(input))
            }
            #expect(findings.first?.hasPrefix("`transform` of Screen subscribes to streams of its own") == true)
        }

        @Test("by navigation in `do`")
        func sideEffects() {
            let findings = findings { _, input in
                .init(count: Screen.count(input).do(onNext: { _ in }))
            }
            #expect(findings.count == 1)
            let start = "cannot see into the `do` (or `debug`) on the way to the output `count`"
            #expect(findings.first?.hasPrefix(start) == true)
        }
    #endif

    @Test("by a subscription to an input that is disposed at once")
    func inputDisposedAtOnce() {
        let findings = findings { _, input in
            input.taps.subscribe().dispose()
            return .init(count: Screen.count(input))
        }
        #expect(findings.count == 1)
        #expect(findings.first?.hasPrefix("`transform` of Screen subscribes to the input `taps`") == true)
    }

    @Test("by a task that captures nothing, or a detached one")
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

    @Test("by a task that iterates the values of an input")
    func iteration() {
        let findings = findings { _, input in
            let taps = input.taps
            Task { for try await _ in taps.values {} }
            return .init(count: Screen.count(input))
        }
        #expect(findings.count == 1)
    }

    @Test("by work on the main queue, a queue or the main actor, which holds an input")
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

    @Test("by work that holds the view model")
    func queueHoldsScreen() {
        let findings = findings { screen, input in
            DispatchQueue.main.async { withExtendedLifetime(screen) {} }
            return .init(count: Screen.count(input))
        }
        #expect(findings.first?.contains("something still holds the view model itself") == true)
    }

    @Test("by a retain cycle of the view model")
    func cycle() {
        let findings = findings { screen, input in
            let count = input.taps.map { [screen] tap in tap + screen.kept.count }
            screen.kept.append(count)
            return .init(count: count.asDriver(onErrorJustReturn: 0))
        }
        #expect(findings.count == 1)
        #expect(
            findings.first?.contains("something still holds the view model itself, the input `taps`") == true,
            "\(findings)")
    }

    @Test("by a retain cycle of another object, which holds an input")
    func cycleOfAnother() {
        let findings = findings { _, input in
            let holder = Holder()
            holder.stream = input.taps.map { tap in holder.stream == nil ? 0 : tap }
            return .init(count: Screen.count(input))
        }
        #expect(findings.first?.contains("something still holds the input `taps`") == true)
    }

    @Test("by an output in an object, an inherited one, a tuple, a dictionary")
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
            // It is seen: so the input is subscribed to by two outputs.
            #expect(findings.count == 1)
            #expect(findings.first?.contains("twice, not once") == true)
        }
    }

    @Test("by an output in a closure, behind a lock or in an asynchronous sequence, unless the test knows of it")
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
            #expect(found.first?.hasPrefix("cannot see into the output `other") == true, "\(what): \(found)")
            #expect(found.first?.contains("it is \(what)") == true, "\(what): \(found)")
            #expect(findings(unseen: ["other"], compose) == [])
        }
    }

    @Test("and has no objection to a view model that the test holds, even if that keeps what it made")
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

    @Test("and has no objection to two outputs of one driver, whose input ends at once")
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

    @Test("and names an input that is a driver or a signal")
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
