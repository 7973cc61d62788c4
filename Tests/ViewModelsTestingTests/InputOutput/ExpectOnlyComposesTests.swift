import Dispatch
import Streams
import Synchronization
import TestReporting
import TestTurns
import Testing
import ViewModels
import ViewModelsTesting

/// A view model whose faults a test chooses.
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

@Suite("expectOnlyComposes", .takesTurns)
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

    /// What `body` finds.
    private func messages(_ body: () -> Void) -> [String] { collectFindings(body).map(\.message) }

    @Test("a view model that keeps to the rules passes")
    func sound() {
        check(.sound)
        #expect(!taps.hasObservers)
    }

    @Test("an input subscribed as often as declared passes")
    func declared() {
        check(
            Screen { input in
                .init(
                    greeting: input.taps.withLatestFrom(input.name).asDriver(onErrorJustReturn: ""),
                    count: input.taps.map { 1 }.asDriver(onErrorJustReturn: 0))
            },
            tapsSubscribed: 2)
    }

    @Test("an output that is a stream itself is bound, and so are streams in tuples, optionals and arrays")
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

    @Test("a transform that subscribes to an input fails, and is told which, where and what to do")
    func subscribesToInput() {
        let greedy = Screen { [bag] input in
            input.taps.subscribe().disposed(by: bag)
            return Screen.sound.transform(input)
        }
        let messages = messages { check(greedy) }
        #expect(messages.count == 1)
        let message = messages.first ?? ""
        let place = "ViewModelsTestingTests/ExpectOnlyComposesTests.swift:\(Self.lineOfTaps)"
        #expect(
            message.hasPrefix("`transform` of Screen subscribes to the input `taps` (counted at \(place))"),
            "\(message)")
        #expect(message.hasSuffix("in place of subscribe, bind or drive."))
    }

    #if DEBUG
        @Test("a transform that subscribes to something else fails, and is shown the line that subscribed")
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
                    `transform` of Screen subscribes to streams of its own:
                    subscribe, at ViewModelsTestingTests/ExpectOnlyComposesTests.swift:\(line)
                      map(_:) < subject
                    It is to compose only.
                    """), "\(message)")
        }

        @Test("what subscribes to something else while bound, and lets it live, fails with the line that subscribed")
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
                    after all that was bound is disposed, Screen still listens to streams of its own:
                    subscribe, at ViewModelsTestingTests/ExpectOnlyComposesTests.swift:\(line)
                      subject
                    """), "\(message)")
        }
    #endif

    @Test("an input subscribed more often than declared fails, and is told to share it or to say so")
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
                ViewModelsTestingTests/ExpectOnlyComposesTests.swift:\(Self.lineOfTaps)) twice, not once
                Share what is made of it before the ways part (`share()`, `asDriver(…)`); or declare it: \
                `count(…, subscribed: 2)`.
                """
            ])
    }

    @Test("an input that no output listens to fails")
    func unused() {
        let deaf = Screen { input in
            .init(greeting: input.name.asDriver(onErrorJustReturn: ""), count: .just(1))
        }
        let messages = messages { check(deaf) }
        #expect(messages.count == 1)
        #expect(messages[0].contains("never, not once\nAn output that should depend on it does not"))
    }

    @Test("an input that is listened to after disposal fails")
    func survives() {
        let leaking = Screen { [bag] input in
            let sound = Screen.sound.transform(input)
            let count = sound.count.do(onNext: { _ in input.name.subscribe().disposed(by: bag) })
            return .init(greeting: sound.greeting, count: count)
        }
        let messages = messages { check(leaking, unseen: ["count"]) }
        #expect(messages.count == 1)
        #expect(messages[0].hasPrefix("after all that was bound is disposed, Screen still listens to the input `name`"))
    }

    @Test("an output without streams fails")
    func nothingToBind() {
        struct Mute: ViewModel {
            func transform(_ input: Observable<Int>) -> Int { 1 }
        }
        let messages = messages { expectOnlyComposes(Mute()) { inputs in inputs.count(Observable.of(1)) } }
        #expect(messages == ["the output of Mute has no streams to bind\nMake them stored properties of `Output`."])
    }
}
