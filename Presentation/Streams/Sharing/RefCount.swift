extension ConnectableObservableType {
    /// Returns a stream that is connected while it has subscriptions: the first subscription connects it, the end of
    /// the last one disposes the connection.
    ///
    /// Whether a subscription is the last one is decided atomically: a subscription that starts while the last one
    /// ends either keeps the connection or creates a new one. In the latter case the thread that disposes the previous
    /// connection makes the new one afterwards. A connection is not disposed before it is complete, so a source that emits
    /// synchronously runs to its end, even if its only observer leaves at the first element.
    ///
    /// ```swift
    /// Observable.of(1, 2).publish().refCount()    // 1 2 |
    /// ```
    public func refCount() -> Observable<Element> {
        let counter = SubscriptionCounter(connectable: self)
        return Observable(connect: { sink in
            let (counted, isFirst) = counter.addSubscription()
            let chain = Chain { error in
                counter.terminate(counted)
                sink.chain.finish(error)
            }
            sink.chain.attach(SubscriptionCounter.Subscription(of: counted, by: counter, chain))
            (counted.reservation.stream.restored() as Observable).connect(sink.with(chain))
            if isFirst { counter.connect(counted) }
        })
    }
}

/// Counts the subscriptions to a connectable stream, and keeps its connection as long as there is one.
///
/// Compiled once: it does not depend on the type of the elements.
private final class SubscriptionCounter: Sendable {
    /// A connection and the number of its subscriptions.
    ///
    /// `@unchecked Sendable`: the lock of the counter guards `count`.
    final class CountedConnection: @unchecked Sendable {
        let reservation: ReservedConnection
        fileprivate var count = 1

        fileprivate init(_ reservation: ReservedConnection) {
            self.reservation = reservation
        }
    }

    final class Subscription: DisposeBase {
        private let resource = Resources.Counted()
        private let counted: CountedConnection
        private let counter: SubscriptionCounter
        private let chain: Chain

        init(of counted: CountedConnection, by counter: SubscriptionCounter, _ chain: Chain) {
            self.counted = counted
            self.counter = counter
            self.chain = chain
        }

        func dispose() {
            chain.dispose()
            counter.removeSubscription(counted)
        }
    }

    private let current = Mutex<CountedConnection?>(nil)
    /// Creates the objects that ``reserve`` needs. Can call user code.
    private let prepare: @Sendable () -> Void
    /// Reserves the connection and its stream, under one lock and without calling user code. Returns `nil` if `prepare`
    /// must be called first.
    private let reserve: @Sendable () -> ReservedConnection?

    init<Source: ConnectableObservableType>(connectable: Source) {
        if let connectable = connectable as? ConnectableObservable<Source.Element> {
            prepare = { [state = connectable.state] in _ = state.stream }
            reserve = connectable.state.reserve
        } else {
            let turns = SourceTurns()
            let stream = connectable.asObservable().erasedStream
            prepare = {}
            reserve = {
                ReservedConnection(stream: stream, connection: Connection(by: turns)) { $0.set(connectable.connect()) }
            }
        }
    }

    /// Counts a subscription.
    ///
    /// - Returns: The connection of the subscription, and whether the caller must connect it after subscribing.
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

    /// Connects, unless every subscription has ended. Meanwhile the connection is counted as one more subscription.
    func connect(_ counted: CountedConnection) {
        guard counted.reservation.isNew else { return }
        counted.reservation.connection.connect { [self] in
            let isNeeded = current.withLock { _ in
                if counted.count == 0 { return false }
                counted.count += 1
                return true
            }
            guard isNeeded else { return }
            counted.reservation.connect()
            removeSubscription(counted)
        }
    }

    /// Handles the termination of the stream, for all subscriptions of the connection.
    func terminate(_ counted: CountedConnection) { release(counted) { _ in true } }

    func removeSubscription(_ counted: CountedConnection) {
        release(counted) { counted in
            counted.count -= 1
            return counted.count == 0
        }
    }

    /// Disposes the connection if `condition` returns `true`; both happen atomically.
    private func release(_ counted: CountedConnection, if condition: (CountedConnection) -> Bool) {
        let connection = counted.reservation.connection
        var hasEntered = false
        let (isReleased, released) = current.withLock { current -> (Bool, (any Sendable)?) in
            guard condition(counted) else { return (false, nil) }
            hasEntered = connection.turns.enter()  // first: the next connection must find this thread at the source
            if current === counted { current = nil }
            return (true, connection.remove())
        }
        if isReleased { connection.dispose() }
        withExtendedLifetime(released) {}  // released after the lock
        if hasEntered { connection.turns.leave() }
    }
}
