extension ConnectableObservableType {
    /// A stream that is connected while it has a subscription: the first subscription connects it, the end of the last
    /// one disposes the connection.
    ///
    /// Whether a subscription is the last, and with it the connection, is decided in one step: one that arrives while the
    /// last leaves either keeps the connection or makes a new one. A new connection may then be made while the one before
    /// is still being disposed.
    ///
    /// ```swift
    /// Observable.of(1, 2).publish().refCount()    // 1 2 |
    /// ```
    public func refCount() -> Observable<Element> {
        let counter = SubscriptionCounter(connectable: self)
        return Observable(run: { sink in
            let (counted, isFirst) = counter.addSubscription()
            let chain = Chain { error in
                counter.terminate(counted)
                sink.chain.finish(error)
            }
            sink.chain.attach(SubscriptionCounter.Subscription(of: counted, by: counter, chain))
            counted.reservation.stream().run(Sink(chain, next: sink.next))
            if isFirst { counted.reservation.connect?() }
        })
    }
}

/// Counts the subscriptions to a connectable stream, and keeps its connection while there are any.
private final class SubscriptionCounter<Element: Sendable>: Sendable {
    /// The time from a first subscription to the end of the last, and the connection made for it.
    ///
    /// `@unchecked Sendable`: `count` is guarded by the lock of the counter.
    final class CountedConnection: @unchecked Sendable {
        let reservation: ReservedConnection<Element>
        fileprivate var count = 1

        fileprivate init(_ reservation: ReservedConnection<Element>) {
            self.reservation = reservation
        }
    }

    /// One subscription.
    final class Subscription: DisposeBase, @unchecked Sendable {
        // `@unchecked Sendable`: restates its superclass; every property it adds is a `let` of a `Sendable` type.

        private let counted: CountedConnection
        private let counter: SubscriptionCounter
        private let chain: Chain

        init(of counted: CountedConnection, by counter: SubscriptionCounter, _ chain: Chain) {
            self.counted = counted
            self.counter = counter
            self.chain = chain
        }

        override func dispose() {
            chain.dispose()
            counter.removeSubscription(counted)
        }
    }

    private let current = Mutex<CountedConnection?>(nil)
    /// As in ``ConnectableObservable``.
    private let prepare: @Sendable () -> Void
    private let reserve: @Sendable () -> ReservedConnection<Element>?

    init<Source: ConnectableObservableType>(connectable: Source) where Source.Element == Element {
        if let connectable = connectable as? ConnectableObservable<Element> {
            prepare = connectable.prepare
            reserve = connectable.reserve
        } else {
            prepare = {}
            reserve = {
                let connection = Connection()
                return ReservedConnection(stream: connectable.asObservable, connection: connection) {
                    if !connection.isDisposed { connection.set(connectable.connect()) }
                }
            }
        }
    }

    /// Counts a subscription.
    ///
    /// - Returns: The counted it belongs to, and whether it is to connect the stream once it is subscribed.
    func addSubscription() -> (CountedConnection, isFirst: Bool) {
        while true {
            let joined = current.withLock { current -> (CountedConnection, isFirst: Bool)? in
                if let current {
                    current.count += 1
                    return (current, false)
                }
                guard let reservation = reserve() else { return nil }
                let counted = CountedConnection(reservation)
                current = counted
                return (counted, true)
            }
            if let joined { return joined }
            prepare()
        }
    }

    /// The stream has ended, for all subscriptions of the counted.
    func terminate(_ counted: CountedConnection) {
        release(counted) { _ in true }
    }

    /// A subscription has ended.
    func removeSubscription(_ counted: CountedConnection) {
        release(counted) { counted in
            counted.count -= 1
            return counted.count == 0
        }
    }

    /// Ends the counted, and its connection, if `condition` says so; in one step.
    private func release(_ counted: CountedConnection, if condition: (CountedConnection) -> Bool) {
        let (isReleased, released) = current.withLock { current -> (Bool, (any Sendable)?) in
            guard condition(counted) else { return (false, nil) }
            if current === counted { current = nil }
            return (true, counted.reservation.connection.remove())
        }
        if isReleased { counted.reservation.connection.dispose() }
        withExtendedLifetime(released) {}  // released after the lock
    }
}
