import Streams
import StreamsTesting
import TestTurns
import Testing
import ViewModels
import ViewModelsTesting

/// A checkout: a toast that may come twice, and a receipt that is opened once.
private struct Checkout: Flow {
    struct State: Equatable, Sendable {
        var quantity = 0
        /// Each assignment is a toast, be the text the same or not.
        @Pulse var toast: String?
    }

    enum Action: Equatable, Sendable {
        case added, paid(receipt: Int)
    }

    enum Event: Equatable, Sendable {
        case openReceipt(Int)
    }

    var initialState: State { State() }

    func reduce(_ state: inout State, _ action: Action) -> Next<Never, Event> {
        switch action {
        case .added:
            state.quantity += 1
            state.toast = "Added"
            return .none
        case .paid(let receipt):
            return .event(.openReceipt(receipt))
        }
    }
}

@Suite("Pattern: what happens once, and what happens again", .takesTurns, .nothingSurvives)
@MainActor
struct HappeningsTests {
    @Test("the same toast twice is shown twice; the same state twice, once")
    func toasts() {
        let store = FlowStore(Checkout())
        let bag = DisposeBag()
        let toasts = Notes<String>()
        let texts = Notes<String?>()
        store.state.pulse(\.$toast).compactMap { $0 }.drive(onNext: toasts.add).disposed(by: bag)
        store.state.select(\.toast).drive(onNext: texts.add).disposed(by: bag)

        store.send(.added)
        store.send(.added)
        store.send(.paid(receipt: 1))

        #expect(toasts.all == ["Added", "Added"])
        #expect(texts.all == [nil, "Added"])
    }

    @Test("a navigation that is asked for while no view listens waits, and happens once")
    func navigation() {
        let store = FlowStore(Checkout())
        let bag = DisposeBag()
        let first = Notes<Checkout.Event>()
        let second = Notes<Checkout.Event>()

        store.send(.paid(receipt: 7))
        store.events.emit(onNext: first.add).disposed(by: bag)
        store.events.emit(onNext: second.add).disposed(by: bag)
        #expect(first.all == [.openReceipt(7)])
        #expect(second.all == [])

        store.send(.paid(receipt: 8))
        #expect(first.all == [.openReceipt(7), .openReceipt(8)])
        #expect(second.all == [.openReceipt(8)])
    }

    @Test("both are plain equalities to a specification")
    func specification() {
        FlowSpec(Checkout())
            .when(.added, .added)
            .then {
                $0.quantity = 2
                $0.toast = "Added"
                $0.toast = "Added"
            }
            .when(.paid(receipt: 7))
            .then(.event(.openReceipt(7)))
    }
}
