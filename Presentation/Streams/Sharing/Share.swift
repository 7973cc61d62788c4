/// How long the elements of a shared stream are kept.
public enum SubjectLifetimeScope: Sendable {
    /// While anyone listens: who comes after the last has left, or after the end, makes a new subscription and finds
    /// no elements.
    ///
    /// What one wants for a request: if it fails, subscribing again makes a new one.
    case whileConnected
    /// For ever: whoever comes later finds the last elements, and the end if that was reached.
    case forever
}

extension ObservableType {
    /// One subscription to this stream for all who listen, with its last `replay` elements for those who come later.
    ///
    /// The first subscription subscribes to this stream; when the last one leaves, that is disposed.
    ///
    /// Elements are delivered by the thread on which this stream sends them, never by one that only subscribes or
    /// disposes; what is replayed to a new observer, by the thread that subscribes. See ``PublishSubject``.
    ///
    /// ```swift
    /// // request:  1 at 1 s, | at 2 s
    /// let page = request.share(replay: 1)
    /// Observable.merge(page, page)    // 1 at 1 s, 1 at 1 s, | at 2 s
    /// ```
    ///
    /// - Parameters:
    ///   - replay: The number of elements to keep.
    ///   - scope: How long they are kept.
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
            return Observable(run: { share.subscribe(to: source, replay, $0) })
        }
    }

    /// As `share(replay:scope: .whileConnected)`, subscribed on the main queue wherever it is subscribed: so what operators
    /// do to its elements, and its observers, never meet a source that sends at once on another thread.
    @inlinable
    func shareOnMainQueue(replay: Int) -> Observable<Element> {
        let share = ShareState()
        let source = asObservable()
        return Observable(
            run: { sink in
                if MainScheduler.isOnMainQueue { return share.subscribe(to: source, replay, sink) }
                Observable(run: { share.subscribe(to: source, replay, $0) })
                    .subscribe(on: MainScheduler.asyncInstance).run(sink)
            }, name: "share(replay:scope:)")
    }
}

extension ShareState {
    /// Connects a sink, and with the first one the source.
    @inlinable
    func subscribe<Element: Sendable>(to source: Observable<Element>, _ replay: Int, _ sink: Sink<Element>) {
        switch replay {
        case 0:
            let (shared, chain) = join { nil }
            let multicast = shared.multicast
            multicast.add(Node(sink, in: multicast, disposing: shared))
            if let chain { source.run(Sink(chain) { multicast.send($0) }) }
        case 1: subscribe(to: source, sink) { LastElement() }
        default: subscribe(to: source, sink) { ReplayBuffer(capacity: replay) }
        }
    }

    @inlinable
    func subscribe<Store: ElementStore & Sendable>(
        to source: Observable<Store.Element>, _ sink: Sink<Store.Element>, makeStore: () -> Store
    ) {
        let (shared, chain) = join(makeStore: makeStore)
        let multicast = shared.multicast
        let store = unsafeDowncast(shared.store.unsafelyUnwrapped, to: Store.self)
        multicast.add(Node(sink, in: multicast, disposing: shared), replaying: store)
        if let chain { source.run(Sink(chain) { multicast.send($0, storingIn: store) }) }
    }
}
