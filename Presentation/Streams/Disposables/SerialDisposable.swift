/// Holds one disposable at a time; setting the next disposes the one before.
public final class SerialDisposable: DisposeBase, Cancelable, @unchecked Sendable {
    // `@unchecked Sendable`: restates its superclass; every property it adds is a `let` of a `Sendable` type.

    private struct Contents {
        var isDisposed = false
        var current: (any Disposable)?
    }

    private let contents = Mutex(Contents())

    /// Without a disposable.
    public override init() {}

    /// Whether it was disposed.
    public var isDisposed: Bool { contents.withLock { $0.isDisposed } }

    /// The disposable it holds. A new one is disposed at once when this was disposed.
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

    /// Disposes what it holds, and from now on whatever it is given.
    public override func dispose() {
        let old = contents.withLock { contents in
            contents.isDisposed = true
            return contents.current.take()
        }
        old?.dispose()
    }
}
