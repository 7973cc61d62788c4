public import Streams

/// The engine of a flow that runs as a view model: there is one while anyone listens to an output.
@usableFromInline
final class FlowRun<F: Flow>: Sendable {
    private struct State {
        var engine: Engine<F>?
        var listeners = 0
    }

    private let state = TracedMutex(State())
    private let makeEngine: @Sendable () -> Engine<F>
    private let start: @Sendable (Engine<F>) -> any Disposable

    @usableFromInline
    init(
        _ makeEngine: @escaping @Sendable () -> Engine<F>, start: @escaping @Sendable (Engine<F>) -> any Disposable
    ) {
        self.makeEngine = makeEngine
        self.start = start
    }

    /// Adds a listener, which `subscribe` subscribes; starts the engine after that if it is the first.
    @usableFromInline
    func listen(_ subscribe: (Engine<F>) -> any Disposable) -> any Disposable {
        let (engine, isFirst) = join()
        let subscription = subscribe(engine)
        if isFirst { _ = start(engine) }
        return Disposables.create(subscription, Disposables.create { [self] in leave() })
    }

    private func join() -> (engine: Engine<F>, isFirst: Bool) {
        let found = state.withLock { state in
            if state.engine != nil { state.listeners += 1 }
            return state.engine
        }
        if let found { return (found, false) }
        // Made outside the lock, for it asks the flow for its initial state; let go if someone else was faster.
        let made = makeEngine()
        return state.withLock { state in
            state.listeners += 1
            if let engine = state.engine { return (engine, false) }
            state.engine = made
            return (made, true)
        }
    }

    private func leave() {
        let engine = state.withLock { state -> Engine<F>? in
            state.listeners -= 1
            return state.listeners == 0 ? state.engine.take() : nil
        }
        engine?.dismiss()
    }
}
