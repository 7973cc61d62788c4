/// Something that can be given up: a subscription, a timer, a piece of scheduled work.
@preconcurrency
public protocol Disposable: Sendable {
    /// Gives it up. Disposing twice is the same as once; it may be called from any thread.
    func dispose()
}

/// A disposable that can tell whether it was disposed.
@preconcurrency
public protocol Cancelable: Disposable {
    /// Whether it was disposed.
    var isDisposed: Bool { get }
}

/// The class that this module's disposables share, so that they can be kept without a box.
public class DisposeBase: Disposable, @unchecked Sendable {
    // `@unchecked Sendable`: it has no state; a subclass answers for what it adds.

    #if DEBUG
        @usableFromInline
        init() {
            Resources.incrementTotal()
        }

        deinit {
            Resources.decrementTotal()
        }
    #else
        @usableFromInline
        init() {}
    #endif

    /// Gives it up.
    public func dispose() {}
}
