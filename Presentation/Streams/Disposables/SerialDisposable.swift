/// Holds one disposable at a time; setting a new one disposes the previous one.
///
/// ```swift
/// let request = SerialDisposable()
/// request.disposable = Disposables.create { print("first") }
/// request.disposable = Disposables.create { print("second") }    // prints first
/// request.dispose()                                              // prints second
/// ```
public final class SerialDisposable: DisposeBase, Cancelable {
    private let resource = Resources.Counted()
    private struct Contents {
        var isDisposed = false
        var current: (any Disposable)?
    }

    private let contents = Mutex(Contents())

    public init() {}

    public var isDisposed: Bool { contents.withLock { $0.isDisposed } }

    /// The current disposable. If the holder is disposed, a new one is disposed immediately.
    public var disposable: any Disposable {
        get { contents.withLock { $0.current } ?? Disposables.create() }
        set {
            let old: (any Disposable)? = contents.withLock { contents in
                if contents.isDisposed { return newValue }
                let old = contents.current
                contents.current = newValue
                return old
            }
            old?.dispose()
        }
    }

    public func dispose() {
        let old = contents.withLock { contents in
            contents.isDisposed = true
            return contents.current.take()
        }
        old?.dispose()
    }
}

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

    public init() {}

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

    public func dispose() {
        let old = contents.withLock { contents in
            contents.isDisposed = true
            return contents.current.take()
        }
        old?.dispose()
    }
}
