import Synchronization

/// Remembers whether it was disposed, and nothing else.
public final class BooleanDisposable: DisposeBase, Cancelable, @unchecked Sendable {
    private let flag = Atomic(false)

    /// One that was not disposed yet.
    public override init() {}

    /// Whether it was disposed.
    public var isDisposed: Bool { flag.load(ordering: .acquiring) }

    /// Marks it as disposed.
    public override func dispose() {
        flag.store(true, ordering: .releasing)
    }
}
