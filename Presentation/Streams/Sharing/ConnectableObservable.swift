/// A stream that subscribes to its source on ``connect()``, rather than on the first subscription.
///
/// ```swift
/// let numbers = Observable.of(1, 2).publish()
/// _ = numbers.subscribe(onNext: { print($0) })
/// _ = numbers.connect()    // prints 1 2
/// ```
@preconcurrency
public protocol ConnectableObservableType: ObservableType {
    /// Subscribes to the source, unless it is already subscribed.
    ///
    /// - Returns: A disposable that disposes the subscription to the source.
    func connect() -> any Disposable
}

/// A stream that subscribes to its source once, on ``connect()``, and multicasts the elements to its observers through
/// a subject.
///
/// ```swift
/// let numbers = Observable.of(1, 2).publish()
/// let first = numbers.subscribe(onNext: { print("a", $0) })
/// let second = numbers.subscribe(onNext: { print("b", $0) })
/// let connection = numbers.connect()    // prints a 1 b 1 a 2 b 2
/// ```
@preconcurrency
public final class ConnectableObservable<Element: Sendable>: Observable<Element>, ConnectableObservableType,
    @unchecked Sendable
{
    // `@unchecked Sendable`: restates its superclass; every property it adds is a `let` of a `Sendable` type.

    /// Creates the objects that ``reserve`` needs. Can call user code.
    let prepare: @Sendable () -> Void
    /// Reserves the connection and its stream, under one lock and without calling user code. Returns `nil` if `prepare`
    /// must be called first.
    let reserve: @Sendable () -> ReservedConnection<Element>?

    @usableFromInline
    init(
        run: @escaping @Sendable (Sink<Element>) -> Void, prepare: @escaping @Sendable () -> Void,
        reserve: @escaping @Sendable () -> ReservedConnection<Element>?
    ) {
        self.prepare = prepare
        self.reserve = reserve
        super.init(run: run)
    }

    /// Subscribes to the source, unless it is already subscribed.
    ///
    /// ```swift
    /// let shared = Observable.of(1, 2).publish()
    /// shared.subscribe(onNext: { print($0) })
    /// shared.connect()    // prints 1 2
    /// ```
    ///
    /// - Returns: A disposable that disposes the subscription to the source. After that the stream can be connected
    ///   again.
    public func connect() -> any Disposable {
        while true {
            prepare()
            guard let reservation = reserve() else { continue }  // another thread ended the connection meanwhile
            reservation.connect?()
            return reservation.connection
        }
    }
}
