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
            let (period, isFirst) = counter.join()
            let chain = Chain { error in
                counter.end(period)
                sink.chain.finish(error)
            }
            sink.chain.attach(SubscriptionCounter.Lease(of: period, by: counter, chain))
            period.reservation.stream().run(Sink(chain, next: sink.next))
            if isFirst { period.reservation.connect?() }
        })
    }
}

/// Counts the subscriptions to a connectable stream, and keeps its connection while there are any.
private final class SubscriptionCounter<Element: Sendable>: Sendable {
    /// The time from a first subscription to the end of the last, and the connection made for it.
    ///
    /// `@unchecked Sendable`: `count` is guarded by the lock of the counter.
    final class Period: @unchecked Sendable {
        let reservation: Reservation<Element>
        fileprivate var count = 1

        fileprivate init(_ reservation: Reservation<Element>) {
            self.reservation = reservation
        }
    }

    /// One subscription.
    final class Lease: DisposeBase, @unchecked Sendable {
        // `@unchecked Sendable`: restates its superclass; every property it adds is a `let` of a `Sendable` type.

        private let period: Period
        private let counter: SubscriptionCounter
        private let chain: Chain

        init(of period: Period, by counter: SubscriptionCounter, _ chain: Chain) {
            self.period = period
            self.counter = counter
            self.chain = chain
        }

        override func dispose() {
            chain.dispose()
            counter.leave(period)
        }
    }

    private let current = Mutex<Period?>(nil)
    /// As in ``ConnectableObservable``.
    private let prepare: @Sendable () -> Void
    private let reserve: @Sendable () -> Reservation<Element>?

    init<Source: ConnectableObservableType>(connectable: Source) where Source.Element == Element {
        if let connectable = connectable as? ConnectableObservable<Element> {
            prepare = connectable.prepare
            reserve = connectable.reserve
        } else {
            prepare = {}
            reserve = {
                let connection = Connection()
                return Reservation(stream: connectable.asObservable, connection: connection) {
                    if !connection.isDisposed { connection.set(connectable.connect()) }
                }
            }
        }
    }

    /// Counts a subscription.
    ///
    /// - Returns: The period it belongs to, and whether it is to connect the stream once it is subscribed.
    func join() -> (Period, isFirst: Bool) {
        while true {
            let joined = current.withLock { current -> (Period, isFirst: Bool)? in
                if let current {
                    current.count += 1
                    return (current, false)
                }
                guard let reservation = reserve() else { return nil }
                let period = Period(reservation)
                current = period
                return (period, true)
            }
            if let joined { return joined }
            prepare()
        }
    }

    /// The stream has ended, for all subscriptions of the period.
    func end(_ period: Period) {
        close(period) { _ in true }
    }

    /// A subscription has ended.
    func leave(_ period: Period) {
        close(period) { period in
            period.count -= 1
            return period.count == 0
        }
    }

    /// Ends the period, and its connection, if `condition` says so; in one step.
    private func close(_ period: Period, if condition: (Period) -> Bool) {
        let (isClosed, released) = current.withLock { current -> (Bool, (any Sendable)?) in
            guard condition(period) else { return (false, nil) }
            if current === period { current = nil }
            return (true, period.reservation.connection.forget())
        }
        if isClosed { period.reservation.connection.dispose() }
        withExtendedLifetime(released) {}  // released after the lock
    }
}
