import Dispatch
import Streams
import Synchronization
import TestReporting
import TestConcurrency
import Testing
import ViewModels
import ViewModelsTesting

/// A view model whose violations a test chooses.
private struct Screen: ViewModel {
    struct Input {
        let name: Observable<String>
        let taps: Observable<Void>
    }

    struct Output {
        let greeting: Driver<String>
        let count: Driver<Int>
    }

    let compose: @Sendable (Input) -> Output

    func transform(_ input: Input) -> Output { compose(input) }

    static let sound = Screen { input in
        Output(
            greeting: input.name.map { "Hello, \($0)" }.asDriver(onErrorJustReturn: ""),
            count: input.taps.scan(0) { count, _ in count + 1 }.asDriver(onErrorJustReturn: 0))
    }
}

@Suite("expectOnlyComposes", .limitedConcurrency)
@MainActor
struct ExpectOnlyComposesTests {
    private let name = BehaviorRelay(value: "Mina")
    private let taps = PublishRelay<Void>()
    private let bag = DisposeBag()
    private static let lineOfTaps = #line + 4

    private func check(_ screen: Screen, tapsSubscribed: Int = 1, unseen: Set<String> = []) {
        expectOnlyComposes(screen, unseen: unseen) { inputs in
            Screen.Input(name: inputs.count(name), taps: inputs.count(taps, subscribed: tapsSubscribed))
        } whileBound: {
            taps.accept(())
        }
    }

    /// The findings of `body`.
    private func messages(_ body: () -> Void) -> [String] { collectFindings(body).map(\.message) }

    @Test("expectOnlyComposes passes a view model that obeys the rules")
    func sound() {
        check(.sound)
        #expect(!taps.hasObservers)
    }

    @Test("expectOnlyComposes passes an input that is subscribed to as often as declared")
    func declared() {
        check(
            Screen { input in
                .init(
                    greeting: input.taps.withLatestFrom(input.name).asDriver(onErrorJustReturn: ""),
                    count: input.taps.map { 1 }.asDriver(onErrorJustReturn: 0))
            },
            tapsSubscribed: 2)
    }

    @Test("expectOnlyComposes binds an output that is a stream, and streams in tuples, optionals and arrays")
    func shapes() {
        struct Nested: ViewModel {
            func transform(_ input: [Observable<Int>]) -> (Driver<Int>?, [Observable<Int>]) {
                (input[0].asDriver(onErrorJustReturn: 0), Array(input.dropFirst()))
            }
        }
        struct Plain: ViewModel {
            func transform(_ input: Observable<Int>) -> Observable<Int> { input.map { $0 + 1 } }
        }
        let numbers = Observable.of(1, 2)
        expectOnlyComposes(Nested()) { inputs in (0..<3).map { _ in inputs.count(numbers) } }
        expectOnlyComposes(Plain()) { inputs in inputs.count(numbers) }
    }

    @Test("expectOnlyComposes fails if transform subscribes to an input, with its name, its position and the remedy")
    func subscribesToInput() {
        let greedy = Screen { [bag] input in
            input.taps.subscribe().disposed(by: bag)
            return Screen.sound.transform(input)
        }
        let messages = messages { check(greedy) }
        #expect(messages.count == 1)
        let message = messages.first ?? ""
        let place = "ViewModelsTests/ExpectOnlyComposesTests.swift:\(Self.lineOfTaps)"
        #expect(
            message.hasPrefix("`transform` of Screen subscribes to the input `taps` (counted at \(place))"),
            "\(message)")
        #expect(message.hasSuffix("instead of subscribe, bind or drive."))
    }

    #if DEBUG
    @Test("expectOnlyComposes fails if transform subscribes to another stream, with the line of the subscription")
    func subscribesToOther() {
        let clock = PublishSubject<Int>()
        let line: UInt = #line + 2
        let greedy = Screen { [bag] input in
            clock.map { $0 + 1 }.subscribe().disposed(by: bag)
            return Screen.sound.transform(input)
        }
        let message = messages { check(greedy) }.joined()
        #expect(
            message.hasPrefix(
                """
                `transform` of Screen subscribes to other streams:
                subscribe, at ViewModelsTests/ExpectOnlyComposesTests.swift:\(line)
                  map(_:) < subject
                It must only compose.
                """), "\(message)")
    }

    @Test("expectOnlyComposes fails for a surviving subscription to another stream, with its line")
    func survivesByItself() {
        let clock = PublishSubject<Int>()
        let line: UInt = #line + 4
        let leaking = Screen { [bag] input in
            let sound = Screen.sound.transform(input)
            let greeting = sound.greeting.do(onNext: { _ in
                clock.subscribe().disposed(by: bag)
            })
            return .init(greeting: greeting, count: sound.count)
        }
        let message = messages { check(leaking, unseen: ["greeting"]) }.joined()
        #expect(
            message.hasPrefix(
                """
                after all subscriptions are disposed, Screen is still subscribed to other streams:
                subscribe, at ViewModelsTests/ExpectOnlyComposesTests.swift:\(line)
                  subject
                """), "\(message)")
    }
    #endif

    @Test("expectOnlyComposes fails for an input that is subscribed to more often than declared, with the remedy")
    func subscribesTwice() {
        let twice = Screen { input in
            let count = input.taps.scan(0) { count, _ in count + 1 }
            return .init(
                greeting: Observable.combineLatest(input.name, count) { "\($0) \($1)" }.asDriver(onErrorJustReturn: ""),
                count: count.asDriver(onErrorJustReturn: 0))
        }
        #expect(
            messages { check(twice) } == [
                """
                binding each output of Screen once subscribes to the input `taps` (counted at \
                ViewModelsTests/ExpectOnlyComposesTests.swift:\(Self.lineOfTaps)) twice, not once
                Share the derived stream before it branches (`share()`, `asDriver(…)`); or declare it: \
                `count(…, subscribed: 2)`.
                """
            ])
    }

    @Test("expectOnlyComposes fails for an input that no output depends on")
    func unused() {
        let deaf = Screen { input in
            .init(greeting: input.name.asDriver(onErrorJustReturn: ""), count: .just(1))
        }
        let messages = messages { check(deaf) }
        #expect(messages.count == 1)
        #expect(messages.first?.contains("never, not once\nNo output depends on it") == true)
    }

    @Test("expectOnlyComposes fails for an input with a subscription after disposal")
    func survives() {
        let leaking = Screen { [bag] input in
            let sound = Screen.sound.transform(input)
            let count = sound.count.do(onNext: { _ in input.name.subscribe().disposed(by: bag) })
            return .init(greeting: sound.greeting, count: count)
        }
        let messages = messages { check(leaking, unseen: ["count"]) }
        #expect(messages.count == 1)
        #expect(
            messages.first?.hasPrefix(
                "after all subscriptions are disposed, Screen is still subscribed to the input `name`") == true)
    }

    @Test("expectOnlyComposes fails for an output without streams")
    func nothingToBind() {
        struct Mute: ViewModel {
            func transform(_ input: Observable<Int>) -> Int { 1 }
        }
        let messages = messages { expectOnlyComposes(Mute()) { inputs in inputs.count(Observable.of(1)) } }
        #expect(messages == ["the output of Mute has no streams to bind\nMake them stored properties of `Output`."])
    }

    // MARK: Outputs that end

    /// A list that is loaded at each tap.
    private struct Loader: ViewModel {
        struct Output {
            let rows: Driver<[Int]>
            let raw: Observable<[Int]>
        }

        let rows: @Sendable (Observable<Void>) -> Observable<[Int]>

        func transform(_ taps: Observable<Void>) -> Output {
            let rows = rows(taps).share()
            return Output(rows: rows.asDriver(onErrorJustReturn: []), raw: rows)
        }
    }

    private struct Outage: Error, CustomStringConvertible {
        let description = "outage"
    }

    private func messages(_ loader: Loader, ending: Set<String> = [], whileBound act: () -> Void) -> [String] {
        messages {
            expectOnlyComposes(loader, ending: ending) {
                $0.count(taps)
            } whileBound: {
                act()
            }
        }
    }

    @Test("expectOnlyComposes fails for outputs that an error of their work ends, with the remedy")
    func endsByError() {
        let dying = Loader { $0.flatMapLatest { _ in Observable<[Int]>.error(Outage()) } }
        let messages = messages(dying) { taps.accept(()) }
        #expect(messages.count == 2)
        #expect(messages.first?.hasPrefix("the output `rows` of Loader ends although the inputs go on") == true)
        #expect(messages.last?.hasPrefix("the output `raw` of Loader ends with the error outage although") == true)
        #expect(messages.first?.hasSuffix("If the output is to end, declare it: `ending: [\"rows\"]`.") == true)
    }

    @Test("expectOnlyComposes passes outputs that survive an error of their work")
    func survivesError() {
        let attempts = Mutex(0)
        let loader = Loader {
            $0.flatMapLatest { _ -> Observable<[Int]> in
                attempts.withLock { $0 += 1 }
                return .error(Outage()).catchAndReturn([])
            }
        }
        #expect(messages(loader) { for _ in 0..<2 { taps.accept(()) } } == [])
        #expect(attempts.withLock { $0 } == 2)
    }

    @Test("expectOnlyComposes fails for outputs that an asynchronous error ends in virtual time", .virtualTime)
    func endsByAsynchronousError() {
        let scheduler = TestScheduler()
        let dying = Loader { $0.flatMapLatest { _ -> [Int] in throw Outage() } }
        let living = Loader { $0.flatMapLatest { Observable<[Int]>.task { throw Outage() }.catchAndReturn([]) } }
        let findings = [dying, living].map { loader in
            SharingScheduler.mock(scheduler: scheduler) {
                messages(loader) {
                    taps.accept(())
                    scheduler.run()
                }
            }
        }
        #expect(findings.map(\.count) == [2, 0])
    }

    @Test("expectOnlyComposes passes an output that ends, if it is declared")
    func declaredEnd() {
        let once = Loader { $0.map { [1] }.take(1) }
        #expect(messages(once, ending: ["rows", "raw"]) { taps.accept(()) } == [])
        #expect(messages(once, ending: ["raw"]) { taps.accept(()) }.count == 1)
        #expect(messages(once) {} == [])
    }

    @Test("expectOnlyComposes passes an output that ends after an input has ended")
    func endsWithInput() {
        let taps = PublishSubject<Void>()
        let loader = Loader { $0.map { [1] } }
        expectOnlyComposes(loader) {
            $0.count(taps)
        } whileBound: {
            taps.onCompleted()
        }
    }

    // MARK: Inputs that are used later

    /// An output that subscribes to the name when a tap arrives.
    private static let late = Screen { input in
        let name = input.name
        return .init(
            greeting: input.taps.flatMapLatest { name }.asDriver(onErrorJustReturn: ""), count: .just(1))
    }

    @Test("expectOnlyComposes passes an input inside flatMapLatest, whether the test leads to its subscription or not")
    func innerInput() {
        check(Self.late)
        expectOnlyComposes(Self.late) { inputs in
            Screen.Input(name: inputs.count(name), taps: inputs.count(Observable.never()))
        }
        expectOnlyComposes(Self.late) { inputs in
            Screen.Input(name: inputs.count(name, subscribed: 2), taps: inputs.count(taps))
        } whileBound: {
            for _ in 0..<2 { taps.accept(()) }
        }
    }

    @Test("expectOnlyComposes fails for an input that is subscribed to less often than declared")
    func declaredTooOften() {
        let messages = messages { check(.sound, tapsSubscribed: 2) }
        #expect(messages.count == 1)
        #expect(messages.first?.contains("once, not twice\nNo output depends on it; or declare it") == true)
    }
}
