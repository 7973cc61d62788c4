import Streams
import Synchronization

/// Delays the inputs until all outputs are bound: a screen binds its outputs before its inputs emit, and an input that
/// completes synchronously would otherwise complete before the second output subscribes.
final class BindingGate: Sendable {
    /// The delayed subscriptions; `nil` once the gate is open.
    private let waiting = Mutex<[@Sendable () -> Void]?>([])

    /// `source`, subscribed to when the gate opens.
    func hold<Element: Sendable>(_ source: Observable<Element>) -> Observable<Element> {
        Observable.create { [self] observer in
            let subscription = SingleAssignmentDisposable()
            let begin = { @Sendable in
                if !subscription.isDisposed { subscription.setDisposable(source.subscribe(observer)) }
            }
            let isOpen = waiting.withLock { waiting in
                waiting?.append(begin)
                return waiting == nil
            }
            if isOpen { begin() }
            return subscription
        }
    }

    /// Subscribes to all inputs, in the order of their subscriptions.
    func open() {
        for begin in waiting.withLock({ $0.take() }) ?? [] { begin() }
    }
}
