import Streams
import TestConcurrency
import Testing
import ViewModels
import ViewModelsTesting

@Suite("The inputs and outputs of a screen", .limitedConcurrency, .nothingSurvives)
@MainActor
struct ScreenTests {
    @Test("a screen without inputs is transformed without an argument")
    func noInputs() {
        struct Watch: ViewModel {
            struct Output { let seconds: Driver<Int> }

            func transform(_: Void) -> Output { Output(seconds: .just(1)) }
        }
        #expect(Received(Watch().transform().seconds).elements == [1])
        expectOnlyComposes(Watch()) { _ in }
    }

    @Test("inputs and outputs that are tuples need no initializer")
    func tuples() {
        struct Greeter: ViewModel {
            typealias Input = (name: Observable<String>, taps: Observable<Void>)
            typealias Output = (greeting: Driver<String>, count: Driver<Int>)

            func transform(_ input: Input) -> Output {
                (
                    greeting: input.name.map { "Hello, \($0)" }.asDriver(onErrorJustReturn: ""),
                    count: input.taps.scan(0) { count, _ in count + 1 }.asDriver(onErrorJustReturn: 0)
                )
            }
        }
        let taps = PublishRelay<Void>()
        let output = Greeter().transform((name: .just("Mina"), taps: taps.asObservable()))
        let (greetings, counts) = (Received(output.greeting), Received(output.count))
        taps.accept(())
        #expect(greetings.elements == ["Hello, Mina"] && counts.elements == [1])
        expectOnlyComposes(Greeter()) { inputs in
            (name: inputs.count(Observable.just("Mina")), taps: inputs.count(taps))
        }
    }
}
