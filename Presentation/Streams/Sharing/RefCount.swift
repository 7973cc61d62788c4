extension ConnectableObservableType {
    /// A stream that is connected while anyone listens: the first subscription connects it, the end of the last one
    /// disposes the connection.
    ///
    /// ```swift
    /// Observable.of(1, 2).publish().refCount()    // 1 2 |
    /// ```
    @inlinable
    public func refCount() -> Observable<Element> {
        let counter = SubscriptionCounter()
        return Observable(run: { [self] sink in
            let lease = SubscriptionCounter.Lease(of: counter)
            let chain = Chain { error in
                counter.end(lease)
                sink.chain.finish(error)
            }
            lease.chain = chain
            sink.chain.attach(lease)
            asObservable().run(Sink(chain, next: sink.next))
            counter.begin(lease, connect: connect)
        })
    }
}

/// Counts those who listen to a connectable stream, and keeps its connection while there are any.
@usableFromInline
final class SubscriptionCounter: Sendable {
    /// One who listens.
    ///
    /// `@unchecked Sendable`: `chain` is set before the lease is shared; the rest is behind the lock of the counter.
    @usableFromInline
    final class Lease: DisposeBase, @unchecked Sendable {
        @usableFromInline var chain: Chain?
        fileprivate let counter: SubscriptionCounter
        /// Which connection it counts for, while it does.
        fileprivate var connection: Int?
        fileprivate var isOver = false

        @usableFromInline
        init(of counter: SubscriptionCounter) {
            self.counter = counter
        }

        @usableFromInline
        override func dispose() {
            chain?.dispose()
            counter.leave(self)
        }
    }

    private struct State {
        var count = 0
        /// Grows with each end of the stream, so that leases of an ended connection do not count for the next.
        var number = 0
        var connection: (any Disposable)?
    }

    private let state = Mutex(State())

    @usableFromInline
    init() {}

    /// Someone listens from now on.
    @usableFromInline
    func begin(_ lease: Lease, connect: () -> any Disposable) {
        let isFirst = state.withLock { state in
            if lease.isOver { return false }
            state.count += 1
            lease.connection = state.number
            return state.count == 1
        }
        guard isFirst else { return }
        let connection = connect()
        let isOver = state.withLock { state in
            if state.count == 0 || lease.connection != state.number { return true }
            state.connection = connection
            return false
        }
        if isOver { connection.dispose() }
    }

    /// The stream has ended, for all who listen.
    @usableFromInline
    func end(_ lease: Lease) {
        let connection = state.withLock { state -> (any Disposable)? in
            defer { lease.isOver = true }
            guard lease.connection == state.number else { return nil }
            state.number += 1
            state.count = 0
            return state.connection.take()
        }
        connection?.dispose()
    }

    fileprivate func leave(_ lease: Lease) {
        let connection = state.withLock { state -> (any Disposable)? in
            if lease.isOver { return nil }
            lease.isOver = true
            guard lease.connection == state.number else { return nil }
            state.count -= 1
            return state.count == 0 ? state.connection.take() : nil
        }
        connection?.dispose()
    }
}
