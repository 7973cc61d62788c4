/// A resource that can be cancelled or released: a subscription, a timer, scheduled work.
///
/// ```swift
/// let subscription = Observable<Int>.never().subscribe(onDisposed: { print("disposed") })
/// subscription.dispose()    // prints disposed
/// subscription.dispose()    // nothing happens
/// ```
@preconcurrency
public protocol Disposable: Sendable {
    /// Cancels or releases the resource. Idempotent, and callable from any thread.
    func dispose()
}

/// A disposable that reports whether it is disposed.
///
/// ```swift
/// let disposable = Disposables.create {}
/// print(disposable.isDisposed)    // prints false
/// disposable.dispose()
/// print(disposable.isDisposed)    // prints true
/// ```
@preconcurrency
public protocol Cancelable: Disposable {
    /// Whether this is disposed.
    var isDisposed: Bool { get }
}

/// The base class of this module's disposables, so that they can be stored without an existential container.
public class DisposeBase: Disposable, @unchecked Sendable {
    // `@unchecked Sendable`: it has no state; each subclass documents how its state is guarded.

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

    /// Disposes the resource. Subclasses override this method.
    public func dispose() {}
}
