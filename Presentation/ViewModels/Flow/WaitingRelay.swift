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
public final class WaitingRelay<Element: Sendable>: ObservableType, @unchecked Sendable {
    // `@unchecked Sendable`: `waiting` is accessed only under the lock of `state`; the rest is constant.

    @usableFromInline let state = TracedMutex(RelayState())
    /// A removed element leaves `nil` behind, because a slice retains what was removed from it.
    @exclusivity(unchecked) @usableFromInline var waiting: ArraySlice<Element?> = []
    @usableFromInline let scheduler: DeliveryScheduler
    @usableFromInline let limit: Int

    /// Creates an empty relay that delivers on the thread that calls ``accept(_:)``.
    ///
    /// - Parameter limit: The capacity of the buffer, at least 1; the oldest elements are dropped first. By default
    ///   there is no limit.
    public convenience init(limit: Int = .max) {
        self.init(on: .immediate, limit: limit)
    }

    /// Creates a relay that delivers on a scheduler.
    @inlinable
    init(on scheduler: DeliveryScheduler, limit: Int) {
        self.scheduler = scheduler
        self.limit = Swift.max(limit, 1)
    }

    /// The number of elements that were dropped because the buffer was full.
    public var droppedCount: Int { state.withLock { $0.dropped } }

    /// Delivers an element to all observers; without one, buffers it for the first that subscribes.
    ///
    /// ```swift
    /// let events = WaitingRelay<Int>()
    /// events.accept(1)
    /// events.asObservable().subscribe(onNext: { print($0) })    // prints 1
    /// ```
    @inlinable
    public func accept(_ element: Element) { accept(element, isOnMainQueue: false) }

    /// - Parameter isOnMainQueue: Whether this is known to be called on the main queue.
    @inlinable
    func accept(_ element: Element, isOnMainQueue: Bool) {
        #if DEBUG
        SubscriptionLog.countSend()
        #endif
        if deliverNow(element, isOnMainQueue) { return }
        let dropped = state.withLock { state -> Element? in
            if state.isFinished { return nil }
            waiting.append(element)
            if waiting.count <= limit || !state.observers.isEmpty { return nil }
            state.dropped += 1
            return removeFirst()
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
        Observable(connect: { [self] in connect($0) }, name: "events")
    }

    /// Completes all present and future observers; drops the buffered elements.
    @inlinable
    func finish() {
        let (dropped, observers) = state.withLock { state in
            defer {
                waiting = []
                (state.observers, state.isFinished) = ([], true)
            }
            return (waiting, state.observers)
        }
        withExtendedLifetime(dropped) {}  // release outside the lock
        if observers.isEmpty { return }
        scheduler.run {
            for observer in observers { observer.chain.complete() }
        }
    }

    @inlinable
    func connect(_ sink: Sink<Element>) {
        let (isFinished, hasWaiting) = state.withLock { state in
            if !state.isFinished { state.observers.append(ErasedSink(sink)) }
            return (state.isFinished, !waiting.isEmpty)
        }
        sink.chain.attach(self)
        if isFinished { scheduler.run { sink.chain.complete() } }
        if hasWaiting {
            // Delivery begins when the subscription is complete, so that disposing it during the delivery takes effect.
            CurrentThreadScheduler.instance.run { [self] in drainIfNeeded() }
        }
    }

    /// Delivers an element without buffering it, if it is next and may be delivered before this returns.
    @inlinable
    func deliverNow(_ element: Element, _ isOnMainQueue: Bool) -> Bool {
        var isDelivered = false
        _ = scheduler.runNow(isOnMainQueue: isOnMainQueue) {
            guard let observers = beginDelivery() else { return }
            deliver(element, to: observers)
            drain()
            isDelivered = true
        }
        return isDelivered
    }

    /// Begins a delivery, if there are observers, and no element is buffered or being delivered.
    @inlinable
    func beginDelivery() -> [ErasedSink]? {
        state.withLock { state in
            if state.isDraining || state.observers.isEmpty || !waiting.isEmpty { return nil }
            state.isDraining = true
            return state.observers
        }
    }

    @inlinable
    func drainIfNeeded() {
        let isFirst = state.withLock { state in
            if state.isDraining || state.observers.isEmpty || waiting.isEmpty { return false }
            state.isDraining = true
            return true
        }
        if isFirst { scheduler.run { [self] in drain() } }
    }

    @inlinable
    func drain() {
        while let (element, observers) = takeFirst() { deliver(element, to: observers) }
    }

    @inlinable
    func deliver(_ element: Element, to observers: [ErasedSink]) {
        var isDelivered = false
        for index in observers.indices where observers[index].chain.isLive {
            observers[index].next(for: Element.self)(element)
            // It may have been disposed on another thread at that moment.
            if !observers[index].chain.hasDropped { isDelivered = true }
        }
        if !isDelivered { putBack(element) }
    }

    @inlinable
    func takeFirst() -> (Element, [ErasedSink])? {
        state.withLock { state in
            if state.observers.isEmpty || waiting.isEmpty {
                state.isDraining = false
                return nil
            }
            return removeFirst().map { ($0, state.observers) }
        }
    }

    /// Removes the first buffered element; under the lock.
    @inlinable
    func removeFirst() -> Element? {
        let first = waiting[waiting.startIndex].take()
        waiting.removeFirst()
        if waiting.isEmpty { waiting = [] }
        return first
    }

    /// Buffers again an element whose observers all cancelled before it was delivered.
    @inlinable
    func putBack(_ element: Element) {
        let gone = state.withLock { state in
            defer { state.observers.removeAll { !$0.chain.isLive } }
            if !state.isFinished { waiting.insert(element, at: waiting.startIndex) }
            return state.observers.filter { !$0.chain.isLive }
        }
        withExtendedLifetime(gone) {}  // release outside the lock
    }
}

extension WaitingRelay: Upstream {
    @usableFromInline
    package func disconnect(_ chain: Chain) {
        let removed = state.withLock { state in
            state.observers.firstIndex { $0.chain === chain }.map { state.observers.remove(at: $0) }
        }
        withExtendedLifetime(removed) {}  // release outside the lock
    }
}

/// The state of a ``WaitingRelay`` besides its elements.
@usableFromInline
struct RelayState: Sendable {
    @usableFromInline var observers: [ErasedSink] = []
    /// Whether a thread delivers the buffered elements, or is about to.
    @usableFromInline var isDraining = false
    @usableFromInline var isFinished = false
    @usableFromInline var dropped = 0

    @usableFromInline
    init() {}
}
