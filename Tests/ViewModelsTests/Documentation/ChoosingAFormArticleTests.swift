import Streams
import StreamsTesting
import TestTurns
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

@Suite("The article about forms", .takesTurns, .nothingSurvives)
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

    @Test("each example of the article \"Choosing a form\" is in this file, word for word")
    func examples() throws {
        try Article("ChoosingAForm").expectExamples()
    }
}
