public import Streams

/// The reference-counted engine of a flow that runs as a view model: it exists while an output has a subscriber.
@usableFromInline
final class SharedEngine<F: Flow>: Sendable {
    private struct State {
        var engine: Engine<F>?
        var subscriptionCount = 0
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

    /// Adds a subscriber by calling `subscribe`, and then starts the engine if the subscriber is the first.
    @usableFromInline
    func subscribe(_ subscribe: (Engine<F>) -> any Disposable) -> any Disposable {
        let (engine, isFirst) = retain()
        let subscription = subscribe(engine)
        if isFirst { _ = start(engine) }
        return Disposables.create(subscription, Disposables.create { [self] in release() })
    }

    private func retain() -> (engine: Engine<F>, isFirst: Bool) {
        let found = state.withLock { state in
            if state.engine != nil { state.subscriptionCount += 1 }
            return state.engine
        }
        if let found { return (found, false) }
        // Created outside the lock, because it calls `initialState` of the flow; released if another thread was faster.
        let made = makeEngine()
        return state.withLock { state in
            state.subscriptionCount += 1
            if let engine = state.engine { return (engine, false) }
            state.engine = made
            return (made, true)
        }
    }

    private func release() {
        let engine = state.withLock { state -> Engine<F>? in
            state.subscriptionCount -= 1
            return state.subscriptionCount == 0 ? state.engine.take() : nil
        }
        engine?.dismiss()
    }
}
