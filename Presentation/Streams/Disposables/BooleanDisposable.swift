import Synchronization

/// Remembers whether it was disposed, and nothing else.
public final class BooleanDisposable: DisposeBase, Cancelable, @unchecked Sendable {
    // `@unchecked Sendable`: restates its superclass; every property it adds is a `let` of a `Sendable` type.

    private let flag: Atomic<Bool>

    /// One that was not disposed yet.
    public override convenience init() {
        self.init(isDisposed: false)
    }

    /// One that perhaps was disposed already.
    public init(isDisposed: Bool) {
        flag = Atomic(isDisposed)
    }

    /// Whether it was disposed.
    public var isDisposed: Bool { flag.load(ordering: .acquiring) }

    /// Marks it as disposed.
    public override func dispose() {
        flag.store(true, ordering: .releasing)
    }
}
