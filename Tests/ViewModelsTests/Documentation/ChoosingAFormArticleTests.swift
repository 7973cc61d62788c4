import Streams
import StreamsTesting
import TestConcurrency
import Testing
import ViewModels
import ViewModelsTesting

/// The inputs of a counter, in any form.
private enum Tap: Sendable {
    case plus, minus, reset
}

/// In input/output style: a stream in, a stream out.
private struct StreamCounter: ViewModel {
    struct Input { let taps: Observable<Tap> }
    struct Output { let count: Driver<Int> }

    func transform(_ input: Input) -> Output {
        let count = input.taps.scan(0) { count, tap in
            switch tap {
            case .plus: count + 1
            case .minus: count - 1
            case .reset: 0
            }
        }
        return Output(count: count.startWith(0).asDriver(onErrorJustReturn: 0))
    }
}

/// As a loop: a tap changes the state.
private struct LoopCounter: Flow {
    var initialState: Int { 0 }

    func reduce(_ state: inout Int, _ action: Tap) -> Next<Never, Never> {
        switch action {
        case .plus: state += 1
        case .minus: state -= 1
        case .reset: state = 0
        }
        return .none
    }
}

/// In the style of ReactorKit: a tap becomes changes of the state.
private struct MutationCounter: MutationFlow {
    enum SideEffect: Sendable { case add(Int), set(Int) }

    var initialState: Int { 0 }

    func transform(_ action: Tap) -> Observable<SideEffect> {
        switch action {
        case .plus: .just(.add(1))
        case .minus: .just(.add(-1))
        case .reset: .just(.set(0))
        }
    }

    func reduce(_ state: Int, _ sideEffect: SideEffect) -> Int {
        switch sideEffect {
        case .add(let number): state + number
        case .set(let number): number
        }
    }
}

private enum FormArticle {
    enum SignUpProblem: Error { case short, young, taken, offline }

    struct SignUp: ViewModel {
        struct Input { let nickname: Observable<String>, age: Observable<Int>, saveTapped: Observable<Void> }

        struct Output {
            let nicknameProblem: Driver<SignUpProblem?>, ageProblem: Driver<SignUpProblem?>
            let canSave: Driver<Bool>
            let saved: Signal<Void>, failure: Signal<any Error>
        }

        let isTaken: @Sendable (String) async throws -> Bool
        let save: @Sendable (String, Int) async throws -> Void

        func transform(_ input: Input) -> Output {
            let nickname = FormField<String, SignUpProblem>(ValidationRule(.short, unless: { $0.count >= 2 }))
                .checked(after: .milliseconds(300), repeatedAfter: { $0 == .offline }) { [isTaken] nickname in
                    do { return try await isTaken(nickname) ? .taken : nil } catch { return .offline }
                }
            let age = FormField<Int, SignUpProblem>(ValidationRule(.young, unless: { $0 >= 14 }))
            let form = FormFields(
                submitted: input.saveTapped, nickname.filled(by: input.nickname), age.filled(by: input.age))
            let outcomes = form.submissions.flatMapFirst { [save] nickname, age in
                Observable.task { try await save(nickname, age) }.materialize()
            }.share()
            return Output(
                nicknameProblem: form.fields.0.problem, ageProblem: form.fields.1.problem, canSave: form.canSubmit,
                saved: outcomes.elements().asSignal(),
                failure: outcomes.errors().asSignal())
        }
    }
}

@Suite("The article about forms", .limitedConcurrency, .nothingSurvives)
@MainActor
struct ChoosingAFormArticleTests {
    /// Each is a function from taps to counts.
    private nonisolated static let ways: [@Sendable (Observable<Tap>) -> Driver<Int>] = [
        { StreamCounter().transform(.init(taps: $0)).count },
        { LoopCounter().transform($0).state },
        { MutationCounter().transform($0).state },
    ]

    @Test("a counter counts the same in all three forms", arguments: ways.indices)
    func countsTheSame(way: Int) {
        let taps = PublishSubject<Tap>()
        let counts = Notes<Int>()
        let count = Self.ways[way](taps.asObservable())
        #expect(!taps.hasObservers)  // nothing runs before a subscription

        let subscription = count.drive(onNext: counts.add)
        for tap in [Tap.plus, .plus, .minus, .reset] { taps.onNext(tap) }
        #expect(counts.all == [0, 1, 2, 1, 0])

        subscription.dispose()
        #expect(!taps.hasObservers)
    }

    @Test("the counter loops accept actions by send")
    func stores() {
        for store in [FlowStore(LoopCounter()), FlowStore(MutationCounter())] {
            store.send(.plus)
            store.send(.plus)
            store.send(.minus)
            #expect(store.currentState == 1)
        }
    }

    @Test("the form of the article checks again after an outage, and saves again after a failure")
    func form() {
        struct Outage: Error {}
        let scheduler = TestScheduler(resolution: 0.001)
        let (checks, saves) = (Mutexed(0), Mutexed<[String]>([]))
        let taps = scheduler.createHotObservable([.next(1_000, ()), .next(2_000, ())])
        let shown = SharingScheduler.mock(scheduler: scheduler) {
            scheduler.start(disposed: 3_000) {
                let output = FormArticle.SignUp(
                    isTaken: { _ in
                        checks.change { $0 += 1 }
                        if checks.value == 1 { throw Outage() }
                        return false
                    },
                    save: { nickname, age in
                        saves.change { $0.append("\(nickname) \(age)") }
                        if saves.value.count == 1 { throw Outage() }
                    }
                ).transform(.init(nickname: .just("mina"), age: .just(20), saveTapped: taps.asObservable()))
                return Observable.merge(
                    output.saved.asObservable().map { "saved" }, output.failure.asObservable().map { "\($0)" })
            }
        }
        #expect(shown.events.map(\.value) == [.next("Outage()"), .next("saved")])
        #expect(checks.value == 2)
        #expect(saves.value == ["mina 20", "mina 20"])
    }

    @Test("each example of the article \"Choosing a form\" is in this file, word for word")
    func examples() throws {
        try Article("ChoosingAForm").expectExamples()
    }
}
