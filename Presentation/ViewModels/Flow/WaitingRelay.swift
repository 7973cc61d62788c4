public import Streams

/// A relay that buffers elements while it has no observer, and delivers them to the first that subscribes: each element
/// is delivered once, in order, to the observers at that time.
///
/// The events of a flow go through one. Use it as the input of a view model if elements may arrive before the view
/// model is bound.
///
/// ```swift
/// let actions = WaitingRelay<Search.Action>()
/// actions.accept(.typed("Jeju"))                        // buffered: there is no observer yet
/// let output = Search().transform(actions.asObservable())
/// output.state.drive(onNext: render).disposed(by: bag)  // begins with `.typed("Jeju")`
/// ```
///
/// Elements are delivered on the thread that calls ``accept(_:)``; of several threads that call it concurrently, one
/// delivers for all, in one order. Buffered elements are delivered on the thread that subscribes first, and so are the
/// elements accepted meanwhile.
///
/// Without a `limit`, the buffer may grow without bound. With one, only the newest elements stay in it, and
/// ``droppedCount`` counts the others.
public final class WaitingRelay<Element: Sendable>: ObservableType {
    @usableFromInline let state = TracedMutex(RelayState<Element>())
    @usableFromInline let subject = PublishSubject<Element>()
    @usableFromInline let scheduler: (any SchedulerType)?
    @usableFromInline let limit: Int

    /// Creates an empty relay that delivers on the thread that calls ``accept(_:)``.
    ///
    /// - Parameter limit: The capacity of the buffer, at least 1; the oldest elements are dropped first. By default
    ///   there is no limit.
    public convenience init(limit: Int = .max) {
        self.init(on: nil, limit: limit)
    }

    /// Creates a relay that delivers on a scheduler.
    @inlinable
    init(on scheduler: (any SchedulerType)?, limit: Int) {
        self.scheduler = scheduler
        self.limit = Swift.max(limit, 1)
    }

    /// The number of elements that were dropped because the buffer was full.
    public var droppedCount: Int { state.withLock { $0.droppedCount } }

    /// Delivers an element to all observers; without one, buffers it for the first that subscribes.
    @inlinable
    public func accept(_ element: Element) {
        #if DEBUG
        SubscriptionLog.countSend()
        #endif
        let dropped = state.withLock { state -> Element? in
            if state.isFinished { return nil }
            state.waiting.append(element)
            if state.waiting.count <= limit || state.observerCount > 0 { return nil }
            state.droppedCount += 1
            return state.removeFirst()
        }
        withExtendedLifetime(dropped) {}  // release outside the lock
        drainIfNeeded()
    }

    /// Delivers the buffered elements to `observer`, and those that are accepted from now on.
    public func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
    where Observer.Element == Element {
        asObservable().subscribe(observer)
    }

    /// The accepted elements as a stream: first the buffered ones, if its observer is the first.
    @inlinable
    public func asObservable() -> Observable<Element> {
        Observable.create { [self] observer in add(observer) }
    }

    @usableFromInline
    func add(_ observer: AnyObserver<Element>) -> any Disposable {
        let subscription = subject.subscribe(observer)
        let hasWaiting = state.withLock { state in
            state.observerCount += 1
            return !state.waiting.isEmpty
        }
        if hasWaiting {
            // Delivery begins when the subscription is complete, so that disposing it during the delivery takes effect.
            _ = CurrentThreadScheduler.instance.schedule(()) { [self] _ in
                drainIfNeeded()
                return Disposables.create()
            }
        }
        return Disposables.create { [self] in
            state.withLock { $0.observerCount -= 1 }
            subscription.dispose()
        }
    }

    /// Completes all present and future observers; drops the buffered elements.
    @usableFromInline
    func finish() {
        let (dropped, hasObservers) = state.withLock { state in
            state.isFinished = true
            defer { state.waiting = [] }
            return (state.waiting, state.observerCount > 0)
        }
        withExtendedLifetime(dropped) {}  // release outside the lock
        if hasObservers { run { [subject] in subject.onCompleted() } } else { subject.onCompleted() }
    }

    @inlinable
    func drainIfNeeded() {
        let isFirst = state.withLock { state in
            if state.isDraining || state.observerCount == 0 || state.waiting.isEmpty { return false }
            state.isDraining = true
            return true
        }
        if isFirst { run { [self] in drain() } }
    }

    @inlinable
    func run(_ work: @escaping @Sendable () -> Void) {
        guard let scheduler else { return work() }
        _ = scheduler.schedule(()) { _ in
            work()
            return Disposables.create()
        }
    }

    @inlinable
    func drain() {
        while let element = takeFirst() { subject.onNext(element) }
    }

    @inlinable
    func takeFirst() -> Element? {
        state.withLock { state in
            if state.observerCount > 0, !state.waiting.isEmpty { return state.removeFirst() }
            state.isDraining = false
            return nil
        }
    }
}

@usableFromInline
struct RelayState<Element: Sendable>: Sendable {
    /// A removed element leaves `nil` behind, because a slice retains what was removed from it.
    @usableFromInline var waiting: ArraySlice<Element?> = []
    @usableFromInline var observerCount = 0
    /// Whether a thread delivers the buffered elements, or is about to.
    @usableFromInline var isDraining = false
    @usableFromInline var isFinished = false
    @usableFromInline var droppedCount = 0

    @usableFromInline
    init() {}

    @inlinable
    mutating func removeFirst() -> Element? {
        let first = waiting[waiting.startIndex].take()
        waiting.removeFirst()
        if waiting.isEmpty { waiting = [] }
        return first
    }
}
