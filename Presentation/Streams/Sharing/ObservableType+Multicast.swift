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
    where Subject.Observer.Element == Element {
        multicast { subject }
    }

    /// Returns a connectable stream that multicasts the elements through a new subject for each connection.
    ///
    /// ```swift
    /// Observable.of(1, 2).multicast(makeSubject: { AsyncSubject<Int>() }).refCount()    // 2 |
    /// ```
    @inlinable
    @preconcurrency
    public func multicast<Subject: SubjectType>(
        makeSubject: @escaping @Sendable () -> Subject
    ) -> ConnectableObservable<Subject.Element> where Subject.Observer.Element == Element {
        let source = asObservable()
        let state = ConnectableState(makeSubject: makeSubject)
        return ConnectableObservable(
            run: { state.subject.asObservable().run($0) },
            prepare: { _ = state.subject },
            reserve: {
                guard let (subject, connection, isNew) = state.reserve() else { return nil }
                let connect = { @Sendable in
                    if connection.isDisposed { return }
                    let observer = subject.asObserver()
                    source.subscribe(Sink(connection.makeChain { observer.onEnd($0) }) { observer.onNext($0) })
                }
                return ReservedConnection(
                    stream: { subject.asObservable() }, connection: connection, connect: isNew ? connect : nil)
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
    @inlinable
    @preconcurrency
    public func multicast<Subject: SubjectType, Result: Sendable>(
        _ subjectSelector: @escaping @Sendable () throws -> Subject,
        selector: @escaping @Sendable (Observable<Subject.Element>) throws -> Observable<Result>
    ) -> Observable<Result> where Subject.Observer.Element == Element {
        let source = asObservable()
        return Observable(run: { sink in
            do {
                let subject = try subjectSelector()
                let connectable = source.multicast(subject)
                let result = try selector(connectable)
                let upstreams = Upstreams(of: sink.chain)
                let chain = Chain { sink.chain.finish($0) }
                upstreams.add(chain)
                result.run(Sink(chain, next: sink.next))
                upstreams.add(connectable.connect())
            } catch { sink.chain.fail(error) }
        })
    }
}
