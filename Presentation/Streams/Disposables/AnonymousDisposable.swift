import Synchronization

/// An action that disposing runs, once.
final class AnonymousDisposable: DisposeBase, Cancelable, @unchecked Sendable {
    private let action: Mutex<(@Sendable () -> Void)?>

    init(_ action: @escaping @Sendable () -> Void) {
        self.action = Mutex(action)
    }

    var isDisposed: Bool { action.withLock { $0 == nil } }

    override func dispose() {
        action.withLock { $0.take() }?()
    }
}
