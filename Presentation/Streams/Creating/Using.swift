extension ObservableType {
    /// Creates a stream that owns a resource for each subscription: `resourceFactory` creates the resource,
    /// `observableFactory` creates the stream from it, and the resource is disposed when the stream terminates or the
    /// subscription is disposed.
    ///
    /// The stream fails with the error that either function throws; the resource is disposed in that case too.
    ///
    /// ```swift
    /// let log = BooleanDisposable()
    /// Observable.using({ log }, observableFactory: { _ in Observable.just(log.isDisposed) })    // false |
    /// ```
    @inlinable @preconcurrency
    public static func using<Resource: Disposable>(
        _ resourceFactory: @escaping @Sendable () throws -> Resource,
        observableFactory: @escaping @Sendable (Resource) throws -> Observable<Element>
    ) -> Observable<Element> {
        Observable(connect: { sink in
            do {
                let resource = try resourceFactory()
                let chain = ResourceChain(to: sink.chain, resource.asObject)
                sink.chain.attach(chain)
                try observableFactory(resource).connect(sink.with(chain))
            } catch { sink.chain.fail(error) }
        })
    }
}

/// A chain that disposes a resource after the upstream.
@usableFromInline
package final class ResourceChain: ForwardingChain, @unchecked Sendable {
    // `@unchecked Sendable`: restates its superclass; the property it adds is a `let` of a `Sendable` type.

    private let resource: any DisposeBase

    @usableFromInline
    package init(to downstream: Chain, _ resource: any DisposeBase) {
        self.resource = resource
        super.init(to: downstream)
    }

    override func disposed() { resource.dispose() }
}
