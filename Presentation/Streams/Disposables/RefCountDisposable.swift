/// A disposable that others depend on: it is disposed once it was told to and none of those who retained it is left.
///
/// ```swift
/// let shared = RefCountDisposable(disposable: connection)
/// let one = shared.retain()
/// shared.dispose()    // the connection stays, for one
/// one.dispose()       // now it goes
/// ```
public final class RefCountDisposable: DisposeBase, Cancelable, @unchecked Sendable {
    // `@unchecked Sendable`: restates its superclass; every property it adds is a `let` of a `Sendable` type.

    private struct Contents {
        /// `nil` once disposed.
        var disposable: (any Disposable)?
        var count = 0
        var isPrimaryDisposed = false

        /// The disposable, when nothing holds it any more.
        mutating func release() -> (any Disposable)? {
            isPrimaryDisposed && count == 0 ? disposable.take() : nil
        }
    }

    private let contents: Mutex<Contents>

    /// Holds `disposable`.
    public init(disposable: any Disposable) {
        contents = Mutex(Contents(disposable: disposable))
    }

    /// Whether what it held was disposed.
    public var isDisposed: Bool { contents.withLock { $0.disposable == nil } }

    /// Keeps what it holds until the result is disposed. When that is too late, the result does nothing.
    public func retain() -> any Disposable {
        let isRetained = contents.withLock { contents in
            if contents.disposable == nil { return false }
            contents.count += 1
            return true
        }
        return isRetained ? AnonymousDisposable { [self] in release() } : NopDisposable.shared
    }

    /// Disposes what it holds, as soon as everything that retained it is disposed.
    public override func dispose() {
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
