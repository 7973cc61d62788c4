/// Runs an action once, on disposal.
@usableFromInline
final class AnonymousDisposable: DisposeBase, Cancelable, @unchecked Sendable {
    // `@unchecked Sendable`: restates its superclass; every property it adds is a `let` of a `Sendable` type.

    private let action: Mutex<(@Sendable () -> Void)?>

    @usableFromInline
    init(_ action: @escaping @Sendable () -> Void) {
        self.action = Mutex(action)
    }

    @usableFromInline
    var isDisposed: Bool { action.withLock { $0 == nil } }

    @usableFromInline
    override func dispose() {
        action.withLock { $0.take() }?()
    }
}
