import Dispatch

extension ObservableType {
    /// The same events, delivered on `scheduler`.
    ///
    /// Order is kept, an error does not overtake elements, and whoever sends is never made to wait. On a dispatch or
    /// operation queue one piece of work delivers everything that has come by then; on any other scheduler each event
    /// is a piece of work of its own. When the source ends it is disposed, even if its last events are still to be
    /// delivered.
    ///
    /// Compare ``subscribe(on:)``, which says where the source is subscribed.
    ///
    /// ```swift
    /// Observable.of(1, 2).observe(on: scheduler)    // 1 at 0 s, 2 at 0 s, | at 0 s
    /// ```
    @inlinable
    public func observe(on scheduler: any ImmediateSchedulerType) -> Observable<Element> {
        let source = asObservable()
        return Observable(run: { sink in
            let handover = Handover(to: sink, on: scheduler)
            let chain = Chain { handover.finish($0) }
            sink.chain.attach(CompositeDisposable(chain, handover))
            source.run(Sink(chain) { handover.send($0) })
        })
    }
}

/// Takes events on the thread that sends them, and delivers them on a scheduler.
///
/// `@unchecked Sendable`: what is mutable is behind `state`; `sink` is called by the delivering work alone, of which
/// there is one at a time.
@usableFromInline
final class Handover<Element: Sendable>: DisposeBase, @unchecked Sendable {
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
    @usableFromInline let delivery: Delivery
    @usableFromInline let state = Mutex(State())

    @inlinable
    init(to sink: Sink<Element>, on scheduler: any ImmediateSchedulerType) {
        self.sink = sink
        delivery = Delivery(on: scheduler)
    }

    /// Takes an element.
    @inlinable
    func send(_ element: Element) {
        if delivery.isThereAlready, beginDeliveringAtOnce() {
            sink.send(element)
            return endDeliveringAtOnce()
        }
        let isFirst = state.withLock { state in
            state.waiting.append(element)
            return state.beginDelivering()
        }
        if isFirst { schedule() }
    }

    /// Begins a delivery, if nothing waits.
    @usableFromInline
    func beginDeliveringAtOnce() -> Bool {
        state.withLock { state in !(state.isDelivering) && state.beginDelivering() }
    }

    @usableFromInline
    func endDeliveringAtOnce() {
        let hasMore = state.withLock { state in
            state.isDelivering = !state.waiting.isEmpty || state.end != nil
            return state.isDelivering
        }
        if hasMore { schedule() }
    }

    /// Takes the end.
    @inlinable
    func finish(_ error: (any Error)?) {
        if delivery.isThereAlready, beginDeliveringAtOnce() { return sink.chain.finish(error) }
        let isFirst = state.withLock { state in
            state.end = .some(error)
            return state.beginDelivering()
        }
        if isFirst { schedule() }
    }

    @inlinable
    func schedule() {
        delivery.schedule { [self] in delivery.isInBursts ? deliverAll() : deliverOne() }
    }

    /// Delivers everything that waits by now.
    ///
    /// - Returns: Whether more came meanwhile.
    @inlinable
    func deliverAll() -> Bool {
        var burst = state.withLock { state in
            defer { state.waiting = Queue() }
            return state.waiting
        }
        while let element = burst.popFirst() { sink.send(element) }
        let (isEmpty, end) = state.withLock { state in
            state.isDelivering = !state.waiting.isEmpty
            return (state.waiting.isEmpty, state.end)
        }
        if isEmpty, let end { sink.chain.finish(end) }
        return !isEmpty
    }

    /// Delivers the first event that waits.
    ///
    /// - Returns: Whether more wait.
    @inlinable
    func deliverOne() -> Bool {
        let (element, end) = state.withLock { state in (state.waiting.popFirst(), state.end) }
        if let element {
            sink.send(element)
        } else if let end {
            sink.chain.finish(end)
            return false
        }
        return state.withLock { state in
            state.isDelivering = !state.waiting.isEmpty || state.end != nil
            return state.isDelivering
        }
    }

    @inlinable
    override func dispose() {
        let dropped = state.withLock { state in
            defer { state.waiting = Queue() }
            return state.waiting
        }
        delivery.dispose()
        withExtendedLifetime(dropped) {}  // released after the lock
    }
}

/// The work that delivers, on its scheduler.
@usableFromInline
final class Delivery: Sendable {
    /// Whether pieces of work run on the scheduler as soon as they can, so that events which would be delivered by several
    /// of them in a row may as well be delivered by one.
    @usableFromInline let isInBursts: Bool
    /// Whether what finds nothing waiting is delivered at once on the main queue, whatever else waits there.
    private let isAtOnceOnMain: Bool
    private let scheduler: any ImmediateSchedulerType
    private let scheduled = SerialDisposable()

    @usableFromInline
    init(on scheduler: any ImmediateSchedulerType) {
        self.scheduler = scheduler
        isAtOnceOnMain = (scheduler as? MainScheduler)?.isOfSharedSequence ?? false
        isInBursts =
            scheduler is SerialDispatchQueueScheduler || scheduler is ConcurrentDispatchQueueScheduler
            || scheduler is OperationQueueScheduler
    }

    /// Whether the running thread is where events are to be delivered.
    @usableFromInline
    var isThereAlready: Bool { isAtOnceOnMain && DispatchQueue.isMain }

    /// Schedules `deliver`, and again while it returns `true`. Not to be called before the last delivery has ended.
    @usableFromInline
    func schedule(_ deliver: @escaping () -> Bool) {
        schedule(Step(run: deliver))
    }

    /// `@unchecked Sendable`: runs are scheduled by one another, so they never overlap.
    private struct Step: @unchecked Sendable {
        let run: () -> Bool
    }

    private func schedule(_ step: Step) {
        // In place before the work can run, so that it never replaces the handle of a later delivery.
        let handle = SingleAssignmentDisposable()
        scheduled.disposable = handle
        if isInBursts {
            handle.setDisposable(
                scheduler.schedule(step) { [self] step in
                    if step.run() { schedule(step) }
                    return NopDisposable.shared
                })
        } else {
            handle.setDisposable(scheduler.repeat(step.run))
        }
    }

    @usableFromInline
    func dispose() {
        scheduled.dispose()
    }
}
