/// A subject that accepts elements only, so it never terminates.
@preconcurrency
public protocol RelayType<Element>: ObservableType {
    /// Sends an element to the current observers.
    func accept(_ event: Element)
}

extension RelayType {
    /// Returns the elements as an ``Infallible``, because a relay does not fail.
    public func asInfallible() -> Infallible<Element> { Infallible(asObservable()) }

    /// Returns the elements as a driver, because a relay does not fail.
    ///
    /// ```swift
    /// BehaviorRelay(value: 1).asDriver()    // a driver of 1, and of the values that are accepted later
    /// ```
    @inlinable
    public func asDriver() -> Driver<Element> { Driver(asObservable().observe(for: DriverSharingStrategy.self)) }
}

/// A ``PublishSubject`` that never terminates: it accepts elements only. Order and threads are those of the subject.
///
/// ```swift
/// let taps = PublishRelay<Int>()
/// taps.accept(1)                                           // no observer: dropped
/// let subscription = taps.subscribe(onNext: { print($0) })
/// taps.accept(2)    // prints 2
/// ```
@preconcurrency
public final class PublishRelay<Element: Sendable>: RelayType {
    @usableFromInline let subject = PublishSubject<Element>()

    /// Creates a relay without observers. Elements that it accepts before one subscribes are dropped.
    public init() {}

    @inlinable
    public func accept(_ event: Element) { subject.onNext(event) }

    public func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
    where Observer.Element == Element { subject.subscribe(observer) }

    public func asObservable() -> Observable<Element> { subject }

    public var hasObservers: Bool { subject.hasObservers }
}

/// A ``BehaviorSubject`` that never terminates: it always has a value, and accepts new ones.
///
/// Order and threads are those of ``BehaviorSubject``.
///
/// ```swift
/// let count = BehaviorRelay(value: 0)
/// count.accept(count.value + 1)
/// print(count.value)               // prints 1
/// ```
@preconcurrency
public final class BehaviorRelay<Element: Sendable>: RelayType {
    @usableFromInline let subject: BehaviorSubject<Element>

    /// Creates a relay with the initial value `value`.
    public init(value: Element) { subject = BehaviorSubject(value: value) }

    /// The value that was accepted last, even while an earlier one is being delivered. Can be read on any thread.
    public var value: Element { subject.lastElement }

    @inlinable
    public func accept(_ event: Element) { subject.onNext(event) }

    public func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
    where Observer.Element == Element { subject.subscribe(observer) }

    public func asObservable() -> Observable<Element> { subject }

    public var hasObservers: Bool { subject.hasObservers }
}

/// A ``ReplaySubject`` that never terminates: it accepts elements only. Order and threads are those of the subject.
///
/// ```swift
/// let relay = ReplayRelay<Int>.create(bufferSize: 2)
/// for number in 1...3 { relay.accept(number) }
/// let subscription = relay.subscribe(onNext: { print($0) })    // prints 2 3
/// ```
@preconcurrency
public final class ReplayRelay<Element: Sendable>: RelayType {
    @usableFromInline let subject: ReplaySubject<Element>

    private init(subject: ReplaySubject<Element>) { self.subject = subject }

    /// Creates a relay that replays the last `bufferSize` elements.
    public static func create(bufferSize: Int) -> ReplayRelay<Element> {
        ReplayRelay(subject: .create(bufferSize: bufferSize))
    }

    /// Creates a relay that replays all its elements. It stores all of them, so its memory grows without limit.
    public static func createUnbound() -> ReplayRelay<Element> {
        ReplayRelay(subject: .createUnbounded())
    }

    @inlinable
    public func accept(_ event: Element) { subject.onNext(event) }

    public func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
    where Observer.Element == Element { subject.subscribe(observer) }

    public func asObservable() -> Observable<Element> { subject }

    public var hasObservers: Bool { subject.hasObservers }
}
