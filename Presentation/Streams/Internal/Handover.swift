import Dispatch
public import Synchronization

/// Takes events on the thread that sends them, and delivers them on a scheduler: the machinery of `observe(on:)`.
///
/// `@unchecked Sendable`: what is mutable is behind `state`; `sink` is called by the delivering work alone, of which
/// there is one at a time.
@usableFromInline
final class Handover<Element: Sendable>: Delivery, @unchecked Sendable {
    @usableFromInline
    struct State: Sendable {
        @usableFromInline var waiting = Queue<Element>()
        /// The end that follows the elements: the error, or `nil` for completion.
        @usableFromInline var end: (any Error)??
        /// Whether work is scheduled or running that will deliver what waits.
        @usableFromInline var isDelivering = false

        @inlinable
        init() {}

        /// Whether the caller is to schedule the delivery.
        @inlinable
        mutating func beginDelivering() -> Bool {
            defer { isDelivering = true }
            return !isDelivering
        }
    }

    @usableFromInline let sink: Sink<Element>
    @usableFromInline let recover: (@Sendable (any Error) -> Observable<Element>)?
    @usableFromInline let state = Mutex(State())

    /// - Parameter recover: Makes the stream that follows an error. Without it, the error is delivered.
    @inlinable
    init(
        to sink: Sink<Element>, on scheduler: any ImmediateSchedulerType,
        recover: (@Sendable (any Error) -> Observable<Element>)?
    ) {
        self.sink = sink
        self.recover = recover
        super.init(on: scheduler)
    }

    override var pendingCount: Int { state.withLock { $0.waiting.count } }

    /// Takes an element.
    @inlinable
    func send(_ element: Element) {
        if isThereAlready, beginDeliveringAtOnce() {
            sink.send(element)
            return endDeliveringAtOnce()
        }
        let isFirst = state.withLock { state in
            state.waiting.append(element)
            return state.beginDelivering()
        }
        hasQueued.store(true, ordering: .releasing)
        if isFirst { schedule() }
        #if DEBUG
            warnIfManyWait()
        #endif
    }

    /// Begins a delivery, if nothing waits.
    @usableFromInline
    func beginDeliveringAtOnce() -> Bool {
        state.withLock { state in !state.isDelivering && state.beginDelivering() }
    }

    @usableFromInline
    func endDeliveringAtOnce() {
        let hasMore = state.withLock { state in
            state.isDelivering = !state.waiting.isEmpty || state.end != nil
            return state.isDelivering
        }
        if hasMore { schedule() }
    }

    override func sourceEnded(_ error: (any Error)?) {
        if isThereAlready, beginDeliveringAtOnce() { return end(error) }
        let isFirst = state.withLock { state in
            state.end = .some(error)
            return state.beginDelivering()
        }
        if isFirst { schedule() }
    }

    override func deliver() -> Bool { isInBursts ? deliverAll() : deliverOne() }

    /// Delivers everything that waits by now.
    ///
    /// - Returns: Whether more came meanwhile.
    private func deliverAll() -> Bool {
        var burst = state.withLock { state in
            defer { state.waiting = Queue() }
            return state.waiting
        }
        while let element = burst.popFirst() { sink.send(element) }
        let (isEmpty, end) = state.withLock { state in
            state.isDelivering = !state.waiting.isEmpty
            return (state.waiting.isEmpty, state.end)
        }
        if isEmpty, let end { self.end(end) }
        return !isEmpty
    }

    /// Delivers the first event that waits.
    ///
    /// - Returns: Whether more wait.
    private func deliverOne() -> Bool {
        let (element, end) = state.withLock { state in (state.waiting.popFirst(), state.end) }
        if let element {
            sink.send(element)
        } else if let end {
            self.end(end)
            return false
        }
        return state.withLock { state in
            state.isDelivering = !state.waiting.isEmpty || state.end != nil
            return state.isDelivering
        }
    }

    /// Delivers the end, or goes on with the stream that replaces an error.
    private func end(_ error: (any Error)?) {
        guard let error, let recover, sink.chain.isLive else { return sink.chain.finish(error) }
        let replacement = recover(error)
        let chain = Chain { [sink] error in sink.chain.finish(error) }
        hold(chain)
        replacement.subscribe(Sink(chain, next: sink.next))
    }

    override func dropQueue() {
        let dropped = state.withLock { state in
            defer { state.waiting = Queue() }
            return state.waiting
        }
        withExtendedLifetime(dropped) {}  // released after the lock
    }
}

/// The work that delivers what waits, on its scheduler. Nothing here depends on the type of the elements, so it is compiled
/// once.
@usableFromInline
class Delivery: SourceOwner, @unchecked Sendable {
    // `@unchecked Sendable`: restates its superclass; every property it adds is a `let` of a `Sendable` type.

    private struct Held {
        /// The chain of the source, or of the stream that has replaced it.
        var source: Chain?
        var scheduled: SingleAssignmentDisposable?
        var isDisposed = false
    }

    /// Whether pieces of work run on the scheduler as soon as they can, so that events which would be delivered by several
    /// of them in a row may as well be delivered by one.
    final let isInBursts: Bool
    /// Whether what finds nothing waiting is delivered at once on the main queue, whatever else waits there.
    private final let isAtOnceOnMain: Bool
    private final let scheduler: any ImmediateSchedulerType
    private final let held = Mutex(Held())
    /// Whether an element was ever queued: most deliveries of drivers are at once.
    @usableFromInline final let hasQueued = Atomic(false)

    @usableFromInline
    init(on scheduler: any ImmediateSchedulerType) {
        self.scheduler = scheduler
        let main = scheduler as? MainScheduler
        isAtOnceOnMain = main?.isOfSharedSequence ?? false
        isInBursts =
            main != nil || scheduler is SerialDispatchQueueScheduler || scheduler is ConcurrentDispatchQueueScheduler
            || scheduler is OperationQueueScheduler
    }

    /// The number of events that wait.
    var pendingCount: Int { 0 }

    /// Delivers what waits, or a part of it.
    ///
    /// - Returns: Whether more waits.
    func deliver() -> Bool { false }

    /// Lets go of what waits.
    func dropQueue() {}

    /// Attaches itself to `downstream`.
    ///
    /// - Returns: The chain to connect the source with.
    @usableFromInline
    final func connect(_ downstream: Chain) -> Chain {
        let chain = SourceChain(of: self)
        held.withLock { $0.source = chain }
        downstream.attach(self)
        #if DEBUG
            SubscriptionRegistry.note(downstream) { [weak self] in self?.pendingCount ?? 0 }
        #endif
        return chain
    }

    /// Takes the chain of the stream that replaces the source, before that is subscribed.
    final func hold(_ chain: Chain) {
        let (ended, isDisposed) = held.withLock { held in
            let ended = held.source.take()
            if !held.isDisposed { held.source = chain }
            return (ended, held.isDisposed)
        }
        withExtendedLifetime(ended) {}  // released after the lock
        if isDisposed { chain.dispose() }
    }

    /// Whether the running thread is where events are to be delivered.
    @usableFromInline
    final var isThereAlready: Bool { isAtOnceOnMain && DispatchQueue.isMain }

    /// Schedules the delivery, and again while more waits. Not to be called before the last delivery has ended.
    @usableFromInline
    final func schedule() {
        // In place before the work can run, so that it never replaces the handle of a later delivery.
        let handle = SingleAssignmentDisposable()
        let (before, isDisposed) = held.withLock { held in
            let before = held.scheduled.take()
            if !held.isDisposed { held.scheduled = handle }
            return (before, held.isDisposed)
        }
        withExtendedLifetime(before) {}  // released after the lock
        if isDisposed { return }
        if isInBursts {
            handle.setDisposable(
                scheduler.schedule(()) { [self] in
                    if deliver() { schedule() }
                    return NopDisposable.shared
                })
        } else {
            handle.setDisposable(scheduler.repeat { [self] in deliver() })
        }
    }

    #if DEBUG
        /// To be called when an event was added to those that wait.
        @usableFromInline
        final func warnIfManyWait() {
            if pendingCount == Hooks.pendingCountToWarnOf {
                Hooks.warn("\(Hooks.pendingCountToWarnOf) events wait for the scheduler of `observe(on:)`")
            }
        }
    #endif

    @usableFromInline
    override func dispose() {
        let (source, scheduled) = held.withLock { held in
            held.isDisposed = true
            return (held.source.take(), held.scheduled.take())
        }
        source?.dispose()
        if hasQueued.load(ordering: .acquiring) { dropQueue() }
        scheduled?.dispose()
    }
}
