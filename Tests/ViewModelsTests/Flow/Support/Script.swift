import Streams
import ViewModels

/// A flow made of functions.
struct Script<State: Sendable, Action: Sendable>: Flow {
    let makeState: @Sendable () -> State
    let step: @Sendable (inout State, Action) -> Next<String, String>
    let work: @Sendable (String) -> Observable<Action>

    init(
        _ initialState: @escaping @Sendable @autoclosure () -> State, of action: Action.Type = Action.self,
        work: @escaping @Sendable (String) -> Observable<Action> = { _ in .empty() },
        _ step: @escaping @Sendable (inout State, Action) -> Next<String, String>
    ) {
        makeState = initialState
        self.step = step
        self.work = work
    }

    var initialState: State { makeState() }

    func reduce(_ state: inout State, _ action: Action) -> Next<String, String> { step(&state, action) }

    func perform(_ sideEffect: String) -> Observable<Action> { work(sideEffect) }
}
