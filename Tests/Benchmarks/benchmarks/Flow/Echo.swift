import Streams
import Synchronization
import ViewModels

/// A screen whose actions are answered by side effects.
struct Echo: Flow {
    struct State: Sendable {
        var asked = 0
        var answered = 0
    }
    enum Action: Sendable { case ask(Int), askLatest(Int), answer(Int) }
    enum SideEffect: Sendable { case answer(Int) }

    var initialState: State { State() }

    func reduce(_ state: inout State, _ action: Action) -> Next<SideEffect, Never> {
        switch action {
        case .ask(let number):
            state.asked += 1
            return .run(.answer(number))
        case .askLatest(let number):
            state.asked += 1
            return .latest(.answer(number), id: 1)
        case .answer(let number):
            state.answered += number
            return .none
        }
    }

    func perform(_ sideEffect: SideEffect) -> Observable<Action> {
        switch sideEffect {
        case .answer(let number): .just(.answer(number))
        }
    }
}

/// The same screen in the style of ReactorKit: an action makes two changes.
struct MutationEcho: MutationFlow {
    enum SideEffect: Sendable { case asked, answered(Int) }

    var initialState: Echo.State { Echo.State() }

    func transform(_ number: Int) -> Observable<SideEffect> { .of(.asked, .answered(number)) }

    func reduce(_ state: inout Echo.State, _ sideEffect: SideEffect) {
        switch sideEffect {
        case .asked: state.asked += 1
        case .answered(let number): state.answered += number
        }
    }
}

/// The same screen by hand: a locked state, and closures that are called outside the lock.
///
/// `@unchecked Sendable`: the closures are called by one thread at a time in these benchmarks.
final class HandEcho: @unchecked Sendable {
    private let state = Mutex(Echo.State())
    @exclusivity(unchecked) private var listeners: [(Echo.State) -> Void] = []

    func onState(_ next: @escaping (Echo.State) -> Void) { listeners.append(next) }

    func ask(_ number: Int) {
        change { $0.asked += 1 }
        change { $0.answered += number }
    }

    private func change(_ body: (inout sending Echo.State) -> Void) {
        let state = state.withLock { state in
            body(&state)
            return state
        }
        for next in listeners { next(state) }
    }
}
