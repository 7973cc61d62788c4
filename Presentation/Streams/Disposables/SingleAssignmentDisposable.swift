/// Holds one disposable that is set once, possibly after the holder is disposed.
///
/// ```swift
/// let request = SingleAssignmentDisposable()
/// request.dispose()
/// request.setDisposable(Disposables.create { print("disposed") })    // prints disposed
/// ```
public final class SingleAssignmentDisposable: DisposeBase, Cancelable {
    private let resource = Resources.Counted()
    private struct Contents {
        var isDisposed = false
        var isAssigned = false
        var current: (any Disposable)?
    }

    private let contents = Mutex(Contents())

    /// Creates a holder whose disposable is set later, at most once.
    public init() {}

    /// Whether this is disposed. Can be read on any thread.
    public var isDisposed: Bool { contents.withLock { $0.isDisposed } }

    /// Sets the disposable; disposes it immediately if the holder is disposed. Setting a second disposable is a
    /// programming error and stops the program.
    public func setDisposable(_ disposable: any Disposable) {
        let isDisposed = contents.withLock { contents in
            precondition(!contents.isAssigned, "setDisposable(_:) was called twice")
            contents.isAssigned = true
            if !contents.isDisposed { contents.current = disposable }
            return contents.isDisposed
        }
        if isDisposed { disposable.dispose() }
    }

    /// Disposes the disposable, now or when it is set.
    public func dispose() {
        let old = contents.withLock { contents in
            contents.isDisposed = true
            return contents.current.take()
        }
        old?.dispose()
    }
}
