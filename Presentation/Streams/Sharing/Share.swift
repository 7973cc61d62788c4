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
    /// There is one subscription at a time: an observer that comes while another thread is disposing the previous one does
    /// not wait, and receives nothing yet; the disposing thread subscribes again when it has finished (for a ``Driver``, the
    /// main queue). An observer that comes inside the disposal, on the same thread, causes a subscription immediately.
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
    @inline(__always)
    public func share(replay: Int = 0, scope: SubjectLifetimeScope = .whileConnected) -> Observable<Element> {
        switch scope {
        case .forever:
            replay == 0
                ? multicast(PublishSubject<Element>()).refCount()
                : multicast(ReplaySubject<Element>.create(bufferSize: replay)).refCount()
        case .whileConnected: shareWhileConnected(replay: replay, onMainQueue: false)
        }
    }

    /// Shares this stream like `share(replay:scope: .whileConnected)`.
    ///
    /// - Parameter onMainQueue: Whether to subscribe to this stream on the main queue, regardless of the subscribing
    ///   thread. Then no source emits synchronously to operators and observers on another thread.
    // Inlined, so that only the code for one `replay`, nearly always a literal, is compiled.
    @inlinable
    @inline(__always)
    func shareWhileConnected(replay: Int, onMainQueue: Bool) -> Observable<Element> {
        switch replay {
        case 0:
            share(onMainQueue: onMainQueue) { share, sink, source in
                share.connect(Node(sink), to: source) {
                    SharedSubscription(of: share)
                } send: { shared in
                    { shared.send($0) }
                }
            }
        case 1:
            share(onMainQueue: onMainQueue) { share, sink, source in
                share.connect(Node(sink), to: source) {
                    LatestSubscription<Element?>(of: share)
                } send: { shared in
                    let latest = unsafeDowncast(shared, to: LatestSubscription<Element?>.self)
                    return { latest.send($0, storingIn: latest) }
                }
            }
        default:
            share(onMainQueue: onMainQueue) { share, sink, source in
                share.connect(Node(sink), to: source) {
                    BufferedSubscription<Element>(of: share, capacity: replay)
                } send: { shared in
                    let buffered = unsafeDowncast(shared, to: BufferedSubscription<Element>.self)
                    return { buffered.send($0, storingIn: buffered.store) }
                }
            }
        }
    }

    /// - Parameter connect: Connects a sink to the state of the shared stream, and the source together with the first
    ///   one.
    @inlinable
    func share(
        onMainQueue: Bool,
        _ connect: @escaping @Sendable (ShareState, Sink<Element>, _ source: Observable<Element>) -> Void
    ) -> Observable<Element> {
        Observable(
            connect: ShareState.connection(to: asObservable(), onMainQueue: onMainQueue, connect),
            name: "share(replay:scope:)")
    }
}

extension Sink where Element: Sendable {
    /// Calls `connect` with this sink, on the main queue.
    fileprivate func connectOnMainQueue(_ connect: @escaping @Sendable (Sink) -> Void) {
        VirtualWorlds.willUseMainQueue(.delivery)
        Observable(connect: connect).subscribe(on: MainScheduler.asyncInstance).connect(self)
    }
}

extension ShareState {
    /// Returns the function that connects a sink to a new shared stream.
    // Compiled once; the stream is created in the client, which needs no look-up of its metadata.
    @usableFromInline
    static func connection<Element: Sendable>(
        to source: Observable<Element>, onMainQueue: Bool,
        _ connect: @escaping @Sendable (ShareState, Sink<Element>, _ source: Observable<Element>) -> Void
    ) -> @Sendable (Sink<Element>) -> Void {
        let share = ShareState(onMainQueue: onMainQueue)
        return { sink in
            if !onMainQueue {
                connect(share, sink, source)
            } else if MainScheduler.isOnMainQueue {
                MainActorCheck.passed { connect(share, sink, source) }
            } else {
                sink.connectOnMainQueue { connect(share, $0, source) }
            }
        }
    }

    /// Connects a node, and the source together with the first one; a later one starts with the stored elements.
    ///
    /// One call of `share` owns this state, and passes the same element type and the same `replay` for every observer. So
    /// whichever observer came first, `makeSubscription` created a subscription of one type.
    ///
    /// - Parameter send: Returns the function that sends to a subscription, created where its type is known.
    // Compiled once: it is called once for each subscription.
    @usableFromInline
    func connect<Element: Sendable>(
        _ node: Node<Element>, to source: Observable<Element>, makeSubscription: () -> SharedSubscription,
        send: (SharedSubscription) -> (Element) -> Void
    ) {
        let (shared, multicast) = join(node, makeSubscription)
        if let multicast { return shared.add(node, to: multicast) }
        let sink = Sink(shared, next: send(shared))
        if shared.connectsNow {
            source.connect(sink)
            shared.endConnecting()
        } else {
            shared.connectLater(below: node.chain) { source.subscribe(sink) }
        }
    }
}
