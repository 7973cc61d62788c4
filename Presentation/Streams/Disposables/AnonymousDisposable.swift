/// Runs an action once, on disposal.
@usableFromInline
final class AnonymousDisposable: DisposeBase, Cancelable {
    private let resource = Resources.Counted()
    private let action: Mutex<(@Sendable () -> Void)?>

    @usableFromInline
    init(_ action: @escaping @Sendable () -> Void) {
        self.action = Mutex(action)
    }

    @usableFromInline
    var isDisposed: Bool { action.withLock { $0 == nil } }

    @usableFromInline
    func dispose() {
        action.withLock { $0.take() }?()
    }
}
