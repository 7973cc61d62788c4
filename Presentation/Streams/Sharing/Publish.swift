extension ObservableType {
    /// Returns a connectable stream: all observers share one subscription to the source.
    ///
    /// ```swift
    /// let numbers = Observable.of(1, 2).publish()
    /// let subscription = numbers.subscribe(onNext: { print($0) })
    /// let connection = numbers.connect()    // prints 1 2
    /// ```
    @inlinable
    public func publish() -> ConnectableObservable<Element> {
        multicast { PublishSubject<Element>() }
    }

    /// Returns a connectable stream that replays its last `bufferSize` elements to later observers.
    ///
    /// ```swift
    /// // ticks:  1 at 1 s, 2 at 2 s, 3 at 3 s
    /// let replayed = ticks.replay(1)
    /// let connection = replayed.connect()
    /// replayed.delaySubscription(.milliseconds(2500), scheduler: scheduler)    // 2 at 2.5 s, 3 at 3 s
    /// ```
    @inlinable
    public func replay(_ bufferSize: Int) -> ConnectableObservable<Element> {
        multicast { ReplaySubject<Element>.create(bufferSize: bufferSize) }
    }

    /// Returns a connectable stream that replays all its elements to later observers.
    ///
    /// ```swift
    /// // ticks:  1 at 1 s, 2 at 2 s, 3 at 3 s
    /// let replayed = ticks.replayAll()
    /// let connection = replayed.connect()
    /// replayed.delaySubscription(.milliseconds(2500), scheduler: scheduler)    // 1 at 2.5 s, 2 at 2.5 s, 3 at 3 s
    /// ```
    @inlinable
    public func replayAll() -> ConnectableObservable<Element> {
        multicast { ReplaySubject<Element>.createUnbounded() }
    }
}

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

    let state: ConnectableState

    @usableFromInline
    init(_ state: ConnectableState) {
        self.state = state
        super.init(connect: { (state.stream.restored() as Observable).connect($0) }, name: "multicast")
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
            _ = state.stream
            guard let reservation = state.reserve() else { continue }  // another thread ended the connection meanwhile
            reservation.connect()
            return reservation.connection
        }
    }
}

extension ObservableType {
    /// Returns a connectable stream that multicasts the elements through `subject`.
    ///
    /// All connections share the subject: once it has terminated, so has the stream.
    ///
    /// ```swift
    /// let numbers = Observable.of(1, 2).multicast(ReplaySubject<Int>.create(bufferSize: 1))
    /// let connection = numbers.connect()
    /// numbers    // 2 |
    /// ```
    @inlinable
    public func multicast<Subject: SubjectType>(_ subject: Subject) -> ConnectableObservable<Subject.Element>
    where Subject.Observer.Element == Element { multicast { subject } }

    /// Returns a connectable stream that multicasts the elements through a new subject for each connection.
    ///
    /// ```swift
    /// Observable.of(1, 2).multicast(makeSubject: { AsyncSubject<Int>() }).refCount()    // 2 |
    /// ```
    @inlinable @preconcurrency
    public func multicast<Subject: SubjectType>(
        makeSubject: @escaping @Sendable () -> Subject
    ) -> ConnectableObservable<Subject.Element> where Subject.Observer.Element == Element {
        let source = asObservable()
        return ConnectableObservable(
            ConnectableState {
                let subject = makeSubject()
                return ConnectableState.Subject(stream: subject.asObservable().erasedStream) { connection in
                    let observer = subject.asObserver()
                    source.subscribe(Sink(connection.makeChain { observer.onEnd($0) }) { observer.onNext($0) })
                }
            })
    }

    /// Emits the events of the stream that `selector` creates from a multicast of this stream. The selector can
    /// subscribe to the multicast several times; the source is subscribed once. Fails with the error that either
    /// function throws.
    ///
    /// ```swift
    /// // ticks:  1 at 1 s, 2 at 2 s, 3 at 3 s
    /// ticks.multicast({ PublishSubject<Int>() }) { ticks in Observable.zip(ticks, ticks.skip(1)) }
    ///     // (1, 2) at 2 s, (2, 3) at 3 s
    /// ```
    @inlinable @preconcurrency
    public func multicast<Subject: SubjectType, Result: Sendable>(
        _ subjectSelector: @escaping @Sendable () throws -> Subject,
        selector: @escaping @Sendable (Observable<Subject.Element>) throws -> Observable<Result>
    ) -> Observable<Result> where Subject.Observer.Element == Element {
        let source = asObservable()
        return Observable(connect: { sink in
            do {
                let subject = try subjectSelector()
                let connectable = source.multicast(subject)
                let result = try selector(connectable)
                let upstreams = Upstreams(of: sink.chain)
                let chain = ForwardingChain(to: sink.chain)
                upstreams.add(chain)
                result.connect(sink.with(chain))
                upstreams.add(connectable.connect())
            } catch { sink.chain.fail(error) }
        })
    }
}
