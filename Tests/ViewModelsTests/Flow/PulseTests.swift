import Testing
import ViewModels
import ViewModelsTesting

@Suite("Pulse", .nothingSurvives)
@MainActor
struct PulseTests {
    private struct Screen: Equatable, Sendable {
        @Pulse var toast: String?
        var other = 0
    }

    private enum Action: Sendable {
        case toast(String?), other, reset(String?)
    }

    private func makeStore() -> FlowStore<Screen, Action, String> {
        FlowStore(
            Script(Screen()) { state, action in
                switch action {
                case .toast(let text): state.toast = text
                case .other: state.other += 1
                case .reset(let text):
                    state = Screen()
                    state.toast = text
                }
                return .none
            })
    }

    @Test("a pulse emits for every assignment, equal or not, and not for other changes")
    func everyAssignment() {
        let store = makeStore()
        let received = Received(store.state.pulse(\.$toast))
        for action in [Action.toast("a"), .toast("a"), .other, .toast(nil), .other] { store.send(action) }
        #expect(received.elements == [nil, "a", "a", nil])
    }

    @Test("a pulse emits for an assignment even if the state was replaced")
    func replaced() {
        let store = makeStore()
        let received = Received(store.state.pulse(\.$toast))
        store.send(.toast("a"))
        store.send(.reset("a"))
        store.send(.reset("a"))
        #expect(received.elements == [nil, "a", "a", "a"])
    }

    @Test("a pulse emits once for several assignments by one action")
    func onceAnAction() {
        let store = FlowStore(
            Script(Screen()) { state, text in
                state.toast = "first"
                state.toast = text
                return .none
            })
        let received = Received(store.state.pulse(\.$toast))
        store.send("last")
        #expect(received.elements == [nil, "last"])
    }

    @Test("two pulses are equal if their values are and they were assigned equally often")
    func equality() {
        var (one, other) = (Screen(), Screen())
        #expect(one == other)
        one.toast = "a"
        #expect(one != other)
        other.toast = "a"
        #expect(one == other)
        one.toast = "a"
        #expect(one != other)
        #expect("\(one.$toast)" == #""a" (assigned 2 times)"#)
    }
}
