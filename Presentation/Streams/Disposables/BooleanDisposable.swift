import Synchronization

/// A disposable that only records whether it is disposed.
///
/// ```swift
/// let flag = BooleanDisposable()
/// flag.dispose()
/// print(flag.isDisposed)    // prints true
/// ```
public final class BooleanDisposable: DisposeBase, Cancelable {
    private let resource = Resources.Counted()
    private let flag: Atomic<Bool>

    /// Creates a disposable that is not disposed.
    public convenience init() {
        self.init(isDisposed: false)
    }

    /// Creates a disposable with the given state.
    public init(isDisposed: Bool) {
        flag = Atomic(isDisposed)
    }

    /// Whether this is disposed. Can be read on any thread.
    public var isDisposed: Bool { flag.load(ordering: .acquiring) }

    /// Marks this as disposed. Nothing else happens; further calls have no effect.
    public func dispose() {
        flag.store(true, ordering: .releasing)
    }
}
