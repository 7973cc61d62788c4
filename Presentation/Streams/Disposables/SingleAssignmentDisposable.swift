/// Holds the one disposable it is given, perhaps after it was disposed itself.
public final class SingleAssignmentDisposable: DisposeBase, Cancelable, @unchecked Sendable {
    // `@unchecked Sendable`: restates its superclass; every property it adds is a `let` of a `Sendable` type.

    private struct Contents {
        var isDisposed = false
        var isAssigned = false
        var current: (any Disposable)?
    }

    private let contents = Mutex(Contents())

    /// Without a disposable.
    public override init() {}

    /// Whether it was disposed.
    public var isDisposed: Bool { contents.withLock { $0.isDisposed } }

    /// Takes the disposable; disposes it at once when this was disposed. To be called once: a second disposable is
    /// a mistake in the program and stops it.
    public func setDisposable(_ disposable: any Disposable) {
        let isDisposed = contents.withLock { contents in
            precondition(!contents.isAssigned, "a single-assignment disposable was assigned twice")
            contents.isAssigned = true
            if !contents.isDisposed { contents.current = disposable }
            return contents.isDisposed
        }
        if isDisposed { disposable.dispose() }
    }

    /// Disposes what it holds, or will hold.
    public override func dispose() {
        let old = contents.withLock { contents in
            contents.isDisposed = true
            return contents.current.take()
        }
        old?.dispose()
    }
}
