extension ObservableType {
    /// A stream with a resource of its own: `resourceFactory` makes it on subscription, `observableFactory` makes the
    /// stream from it, and it is disposed when the stream has ended or its subscription is disposed.
    ///
    /// What either function throws is the error of the stream; the resource is disposed then too.
    ///
    /// ```swift
    /// let log = BooleanDisposable()
    /// Observable.using({ log }, observableFactory: { _ in Observable.just(log.isDisposed) })    // false |
    /// ```
    @inlinable
    @preconcurrency
    public static func using<Resource: Disposable>(
        _ resourceFactory: @escaping @Sendable () throws -> Resource,
        observableFactory: @escaping @Sendable (Resource) throws -> Observable<Element>
    ) -> Observable<Element> {
        Observable(run: { sink in
            do {
                let resource = try resourceFactory()
                let chain = Chain { sink.chain.finish($0) }
                sink.chain.attach(CompositeDisposable(chain, resource))
                try observableFactory(resource).run(Sink(chain, next: sink.next))
            } catch { sink.chain.fail(error) }
        })
    }
}
