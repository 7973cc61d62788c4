/// A stream that begins when it is told to, rather than when someone subscribes.
@preconcurrency
public protocol ConnectableObservableType: ObservableType {
    /// Subscribes to the source, unless that is done already.
    ///
    /// - Returns: Disposes the subscription to the source.
    func connect() -> any Disposable
}

/// A stream whose source is subscribed once, by ``connect()``, for all who listen to it through a subject.
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

    /// Makes what ``reserve`` needs; may call user code.
    let prepare: @Sendable () -> Void
    /// Reserves the connection and its stream, under one lock and without calling user code; `nil` when it has to be
    /// prepared first.
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

    /// Subscribes to the source, unless that is done already.
    ///
    /// - Returns: Disposes the subscription to the source, after which it may be connected again.
    public func connect() -> any Disposable {
        while true {
            prepare()
            guard let reservation = reserve() else { continue }  // another thread ended the connection meanwhile
            reservation.connect?()
            return reservation.connection
        }
    }
}
