/// Work that a queue runs once. Disposing it prevents the run and disposes the disposable that the run returned.
final class ScheduledWork: VirtualTimeItem, DisposeBase, Cancelable, @unchecked Sendable {
    // `@unchecked Sendable`: restates its superclass; every property it adds is a `let` of a `Sendable` type.

    private let resource = Resources.Counted()
    private let action: Mutex<(@Sendable () -> any Disposable)?>
    private let chain = Chain { _ in }

    init(_ action: @escaping @Sendable () -> any Disposable) {
        self.action = Mutex(action)
    }

    convenience init<State: Sendable>(_ state: State, _ action: @escaping @Sendable (State) -> any Disposable) {
        self.init { action(state) }
    }

    var isDisposed: Bool { chain.isDisposed }

    /// Runs the work, unless it has already run or is disposed.
    func run() {
        if let action = action.withLock({ $0.take() }) { chain.attach(any: action()) }
    }

    override func isCancelled(_ token: UInt64) -> Bool { isDisposed }

    override func run(_ token: UInt64) { run() }

    func dispose() {
        let released = action.withLock { $0.take() }
        chain.dispose()
        withExtendedLifetime(released) {}  // its captures are released after the lock
    }
}
