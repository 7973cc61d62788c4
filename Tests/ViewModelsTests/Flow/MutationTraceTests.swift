import Streams
import StreamsTesting
import TestConcurrency
import Testing
import ViewModels
import ViewModelsTesting

@Suite("Traces of mutation flows", .limitedConcurrency)
struct MutationTraceTests {
    struct Profile: MutationFlow {
        enum Action: Sendable { case renamed(String), watched, failed }
        enum SideEffect: Sendable { case named(String) }
        struct State: Sendable { var name = "" }

        let names: PublishSubject<String>
        var running = RunningFlow<State, Action>()
        var initialState: State { State() }

        func transform(_ action: Action) -> Observable<SideEffect> {
            switch action {
            case .renamed(let name): .just(.named("\(currentState.name)\(name)"))
            case .watched: names.map(SideEffect.named)
            case .failed: .error(RxError.timeout)
            }
        }

        func transform(mutations: Observable<SideEffect>) -> Observable<SideEffect> { mutations.skip(0) }

        func reduce(_ state: inout State, _ sideEffect: SideEffect) {
            if case .named(let name) = sideEffect { state.name = name }
        }
    }

    @Test("debug of a mutation flow prints actions, their side effects and the changes of the state")
    func debug() {
        let log = Log()
        let names = PublishSubject<String>()
        let store = FlowStore(Profile(names: names).debug("profile") { log.add($0) })
        store.send(.watched)
        store.send(.renamed("Mina"))
        names.onNext("Jun")
        store.dismiss()
        #expect(
            log.lines == [
                #"profile: action 1 began: watched"#,
                #"profile: action 2 began: renamed("Mina")"#,
                #"profile: side effect 1, named("Mina"), of action 2"#,
                #"profile:   name: "" → "Mina""#,
                #"profile: action 2 ended: renamed("Mina")"#,
                #"profile: side effect 2, named("Jun"), of action 1"#,
                #"profile:   name: "Mina" → "Jun""#,
                #"profile: action 1 was cancelled: watched"#,
                #"profile: dismissed"#,
            ])
    }

    @Test("traces of a mutation flow nest, and receive failures")
    func traced() {
        let log = Log()
        let flow = Profile(names: .init()).traced {
            if case .action(_, _, let change) = $0, let failure = change.failure { log.add("inner \(failure.error)") }
        }
        FlowStore(
            flow.traced {
                if case .action(_, _, let change) = $0, let failure = change.failure {
                    log.add("outer \(failure.error)")
                }
            }
        ).send(.failed)
        #expect(log.lines == ["inner \(RxError.timeout)", "outer \(RxError.timeout)"])
    }
}
