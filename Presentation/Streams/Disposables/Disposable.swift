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

/// A disposable of this module: an object, so that an existential of it has two words instead of five.
@usableFromInline
protocol DisposeBase: AnyObject, Disposable {}
