/// A reference-counted disposable: it disposes the underlying disposable after ``dispose()`` was called and every
/// retaining disposable is disposed.
///
/// ```swift
/// let shared = RefCountDisposable(disposable: connection)
/// let one = shared.retain()
/// shared.dispose()    // nothing yet: `one` still retains the connection
/// one.dispose()       // disposes the connection
/// ```
public final class RefCountDisposable: DisposeBase, Cancelable {
    private let resource = Resources.Counted()
    private struct Contents {
        /// `nil` once disposed.
        var disposable: (any Disposable)?
        var count = 0
        var isPrimaryDisposed = false

        /// Removes and returns the disposable if nothing retains it any more.
        mutating func release() -> (any Disposable)? {
            isPrimaryDisposed && count == 0 ? disposable.take() : nil
        }
    }

    private let contents: Mutex<Contents>

    /// Creates a reference-counted disposable, which disposes `disposable` after itself and all retaining disposables.
    public init(disposable: any Disposable) { contents = Mutex(Contents(disposable: disposable)) }

    public var isDisposed: Bool { contents.withLock { $0.disposable == nil } }

    /// Retains the underlying disposable until the returned one is disposed. If it is disposed already, the returned
    /// disposable does nothing.
    public func retain() -> any Disposable {
        let isRetained = contents.withLock { contents in
            if contents.disposable == nil { return false }
            contents.count += 1
            return true
        }
        return isRetained ? AnonymousDisposable { [self] in release() } : NopDisposable.shared
    }

    /// Disposes the underlying disposable as soon as every retaining disposable is disposed.
    public func dispose() {
        let disposable = contents.withLock { contents in
            contents.isPrimaryDisposed = true
            return contents.release()
        }
        disposable?.dispose()
    }

    private func release() {
        let disposable = contents.withLock { contents in
            contents.count -= 1
            return contents.release()
        }
        disposable?.dispose()
    }
}
