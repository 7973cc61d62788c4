import Testing
import ViewModels
import ViewModelsTesting

@Suite("Assignments to parts of a state", .nothingSurvives, .timeLimit(.minutes(1)))
struct AssignmentTests {
    @Test("an assignment sets its part and no other")
    func sets() {
        var state = Form.State()
        let assignment = Assignment(\Form.State.title, "Busan")
        assignment.apply(to: &state)
        #expect(state == Form.State(title: "Busan"))
        #expect(assignment.sets(\.title) && !assignment.sets(\.subtitle))
    }

    @Test("assignments are equal if they set the same part to equal values")
    func equality() {
        let assignment = Assignment(\Form.State.title, "Busan")
        #expect(assignment == Assignment(\.title, "Busan"))
        #expect(assignment != Assignment(\.title, "Jeju"))
        #expect(assignment != Assignment(\.subtitle, "Busan"))
        #expect(assignment != Assignment(\.isPublic, true))
    }

    @Test("a flow tester compares actions that set a part")
    func flow() {
        let tester = FlowTester(Form())
        tester.send(.set(\.title, "Busan")) { ($0.title, $0.changes) = ("Busan", 1) }
        tester.send(.reset) { $0 = Form.State() }
        tester.finish()
    }

    @Test("setting a property of an observed store sends an action, unless the value is equal")
    @MainActor
    func observedStore() {
        let store = ObservedStore(Form())
        store.title = "Busan"
        store.isPublic = true
        #expect(store.title == "Busan")
        #expect(store.store.currentState == Form.State(title: "Busan", isPublic: true, changes: 2))
        store.title = "Busan"
        #expect(store.changes == 2)
    }
}

private struct Form: Flow {
    struct State: Equatable, Sendable {
        var title = "", subtitle = "", isPublic = false
        var changes = 0
    }

    enum Action: AssigningAction, Equatable {
        case set(Assignment<State>), reset
    }

    var initialState: State { State() }

    func reduce(_ state: inout State, _ action: Action) -> Next<Never, Never> {
        switch action {
        case .set(let assignment):
            assignment.apply(to: &state)
            if !assignment.sets(\.changes) { state.changes += 1 }
        case .reset: state = State()
        }
        return .none
    }
}
