/// The lifetime of the elements that a shared stream stores.
///
/// ```swift
/// // request:  1 at 1 s, | at 2 s
/// let repeated = request.share(replay: 1, scope: .whileConnected)
/// let kept = request.share(replay: 1, scope: .forever)
/// repeated.concat(repeated)    // 1 at 1 s, 1 at 3 s, | at 4 s
/// kept.concat(kept)            // 1 at 1 s, 1 at 2 s, | at 2 s
/// ```
public enum SubjectLifetimeScope: Sendable {
    /// While there is an observer. An observer that subscribes after the last one has unsubscribed, or after
    /// termination, causes a new subscription to the source and receives no stored elements.
    ///
    /// Suitable for a request: after a failure, subscribing again repeats it.
    case whileConnected
    /// Forever. A later observer receives the stored elements, and the terminal event if the source has terminated.
    case forever
}

extension ObservableType {
    /// Shares one subscription to this stream among all observers, and replays the last `replay` elements to later
    /// ones.
    ///
    /// The first observer causes the subscription to this stream; it is disposed when the last observer unsubscribes.
    ///
    /// The thread on which this stream emits delivers the elements, never a thread that only subscribes or disposes;
    /// the subscribing thread delivers the replayed elements. See ``PublishSubject``.
    ///
    /// ```swift
    /// // request:  1 at 1 s, | at 2 s
    /// let page = request.share(replay: 1)
    /// Observable.merge(page, page)    // 1 at 1 s, 1 at 1 s, | at 2 s
    /// ```
    ///
    /// - Parameters:
    ///   - replay: The number of elements to store.
    ///   - scope: The lifetime of the stored elements.
    @inlinable
    public func share(replay: Int = 0, scope: SubjectLifetimeScope = .whileConnected) -> Observable<Element> {
        switch scope {
        case .forever:
            return replay == 0
                ? multicast(PublishSubject<Element>()).refCount()
                : multicast(ReplaySubject<Element>.create(bufferSize: replay)).refCount()
        case .whileConnected:
            let share = ShareState()
            let source = asObservable()
            return Observable(connect: { share.subscribe(to: source, replay, $0) })
        }
    }

    /// Shares this stream like `share(replay:scope: .whileConnected)`, and subscribes to it on the main queue,
    /// regardless of the subscribing thread. Therefore no source emits synchronously to operators and observers on
    /// another thread.
    @inlinable
    func shareOnMainQueue(replay: Int) -> Observable<Element> {
        let share = ShareState()
        let source = asObservable()
        return Observable(
            connect: { sink in
                if MainScheduler.isOnMainQueue { return share.subscribe(to: source, replay, sink) }
                Observable(connect: { share.subscribe(to: source, replay, $0) })
                    .subscribe(on: MainScheduler.asyncInstance).connect(sink)
            }, name: "share(replay:scope:)")
    }
}

extension ShareState {
    /// Connects a sink, and the source together with the first one.
    @inlinable
    func subscribe<Element: Sendable>(to source: Observable<Element>, _ replay: Int, _ sink: Sink<Element>) {
        switch replay {
        case 0:
            let (shared, multicast) = join({ SharedSubscription(of: self) }, first: { Node(sink, of: $0) })
            if let multicast {
                multicast.add(Node(sink, of: shared))
            } else {
                source.connect(Sink(shared) { shared.send($0) })
            }
        case 1: subscribe(to: source, sink) { LatestSubscription<Element?>(of: self) }
        default: subscribe(to: source, sink) { BufferedSubscription(of: self, capacity: replay) }
        }
    }

    @inlinable
    func subscribe<Subscription: StoringSubscription>(
        to source: Observable<Subscription.Store.Element>, _ sink: Sink<Subscription.Store.Element>,
        makeSubscription: () -> Subscription
    ) {
        let (shared, multicast) = join(makeSubscription, first: { Node(sink, of: $0) })
        // One call of `share` owns this state, and passes the same element type and the same `replay` for every
        // observer. So whichever observer came first, `makeSubscription` created a `Subscription`.
        let subscription = unsafeDowncast(shared, to: Subscription.self)
        if let multicast {
            multicast.add(Node(sink, of: shared), replaying: subscription.store)
        } else {
            source.connect(Sink(shared) { subscription.send($0, storingIn: subscription.store) })
        }
    }
}
