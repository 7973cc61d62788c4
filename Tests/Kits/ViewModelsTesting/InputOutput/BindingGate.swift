import Streams
import Synchronization

/// Keeps inputs silent until all outputs are bound: a screen binds before anything happens on it, and an input that ends
/// at once would otherwise be over before the second output listens.
final class BindingGate: Sendable {
    /// What waits for the gate; `nil` once it is open.
    private let waiting = Mutex<[@Sendable () -> Void]?>([])

    /// `source`, which is subscribed to when the gate opens.
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

    /// Lets all inputs speak, in the order in which they were subscribed to.
    func open() {
        for begin in waiting.withLock({ $0.take() }) ?? [] { begin() }
    }
}
