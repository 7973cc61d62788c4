import Streams

/// The work that one action has led to: its own reduction, the side effects it asked for, and those that their actions
/// asked for in turn.
@usableFromInline
package final class EffectGroup: Sendable {
    private struct State {
        var work = 1
        var isCancelled = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = TracedMutex(State())

    /// A group with one piece of work: the action itself.
    @usableFromInline
    init() {}

    /// Whether there is no work left.
    @usableFromInline
    package var isFinished: Bool { state.withLock { $0.work == 0 } }

    /// Whether no more side effects are to be started.
    @usableFromInline
    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// One more piece of work.
    @usableFromInline
    func enter() {
        state.withLock { $0.work += 1 }
    }

    /// One less; with the last, those who wait go on.
    @usableFromInline
    func leave() {
        let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            state.work -= 1
            if state.work > 0 { return [] }
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// From now on, no side effect is started.
    @usableFromInline
    func close() {
        state.withLock { $0.isCancelled = true }
    }

    /// Waits until there is no work left.
    package func wait() async {
        await withCheckedContinuation { continuation in
            let isFinished = state.withLock { state in
                if state.work > 0 { state.waiting.append(continuation) }
                return state.work == 0
            }
            if isFinished { continuation.resume() }
        }
    }
}
