import Streams
import StreamsTesting
import TestTurns
import Testing
import ViewModels
import ViewModelsTesting

/// A checkout: a toast that may be repeated, and a receipt that is opened once.
private struct Checkout: Flow {
    struct State: Equatable, Sendable {
        var quantity = 0
        /// Each assignment is a toast, even with the same text.
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

@Suite("Pattern: one-time and repeated notifications", .takesTurns, .nothingSurvives)
@MainActor
struct NotificationsTests {
    @Test("the checkout shows an equal toast twice, and an equal state once")
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

    @Test("a navigation of the checkout without a view is buffered, and happens once")
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

    @Test("FlowSpec compares the toasts and navigations of the checkout by equality")
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
