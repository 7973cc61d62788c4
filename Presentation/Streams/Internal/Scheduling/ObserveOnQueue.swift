import Dispatch
import Foundation
import Synchronization

/// Enqueues events on the sending thread and delivers them on a scheduler: the implementation of `observe(on:)`.
///
/// `@unchecked Sendable`: the lock of the superclass guards the variables; only the delivering work calls `sink`, and at
/// most one such work runs at a time.
@usableFromInline
final class ObserveOnQueue<Element: Sendable>: ScheduledDelivery, @unchecked Sendable {
    @usableFromInline let sink: Sink<Element>
    @usableFromInline let recover: (@Sendable (any Error) -> Observable<Element>)?
    @exclusivity(unchecked) @usableFromInline var waiting = Queue<Element>()
    /// The elements that the previous delivery has taken and left.
    @exclusivity(unchecked) private var rest = Queue<Element>()
    /// The terminal event that follows the elements: the error, or `nil` for completion.
    @exclusivity(unchecked) @usableFromInline var lastEvent: (any Error)??

    /// - Parameters:
    ///   - scheduler: If `nil`, a main scheduler like those of drivers and signals, which this creates if it needs one.
    ///   - recover: Returns the stream that replaces an error. If `nil`, the error is delivered.
    @inlinable
    init(
        to sink: Sink<Element>, on scheduler: (any ImmediateSchedulerType)?,
        recover: (@Sendable (any Error) -> Observable<Element>)?
    ) {
        self.sink = sink
        self.recover = recover
        super.init(on: scheduler)
    }

    override var pendingCount: Int { lock.withLock { _ in waiting.count + rest.count } }

    /// Delivers or enqueues an element.
    @inlinable
    func send(_ element: Element) {
        if canDeliverDirectly, delivery.begin() {
            MainActorCheck.passed { sink.send(element) }
            if !delivery.end() { schedule() }
            return
        }
        enqueue { waiting.append(element) }
    }

    override func ended(_ error: (any Error)?) {
        if canDeliverDirectly, delivery.begin() { return end(error) }
        let isFirst = lock.withLock { _ in
            lastEvent = .some(error)
            return !delivery.isDraining(elseBecome: DrainState.draining)
        }
        if isFirst { schedule() }
    }

    override func deliver() -> Bool { deliversInBatches ? deliverAll() : deliverOne() }

    /// Delivers the events that are waiting at the time of the call; on the main queue, which has other work to do, only
    /// some of many.
    ///
    /// - Returns: Whether more events are waiting.
    private func deliverAll() -> Bool {
        var batch = takeBatch()
        var remaining = batch.count > Backlog.turn && DispatchQueue.isMain ? Backlog.turn : Int.max
        let pulse = Pulse.current
        while remaining > 0, let element = batch.popFirst() {
            sink.send(element)
            countDelivery(pulse)
            remaining -= 1
        }
        let (isEmpty, end) = lock.withLock { _ in
            // A disposed queue is cleared before or after this.
            if sink.chain.isLive { swap(&rest, &batch) }
            return (endDelivery(unless: !waiting.isEmpty || !rest.isEmpty), lastEvent)
        }
        withExtendedLifetime(batch) {}  // released after the lock
        if isEmpty, let end { self.end(end) }
        return !isEmpty
    }

    /// Delivers the first waiting event.
    ///
    /// - Returns: Whether more events are waiting.
    private func deliverOne() -> Bool {
        let (element, end) = lock.withLock { _ in (waiting.popFirst(), lastEvent) }
        if let element {
            sink.send(element)
        } else if let end {
            self.end(end)
            return false
        }
        return lock.withLock { _ in !endDelivery(unless: !waiting.isEmpty || lastEvent != nil) }
    }

    /// Delivers the terminal event, or continues with the stream that replaces an error.
    private func end(_ error: (any Error)?) {
        guard let error, let recover, sink.chain.isLive else { return sink.chain.finish(error) }
        let replacement = recover(error)
        let chain = ForwardingChain(to: sink.chain)
        setReplacement(chain)
        replacement.subscribe(sink.with(chain))
    }

    override func clearQueue() {
        let dropped = lock.withLock { _ in
            defer { (waiting, rest) = (Queue(), Queue()) }
            return (waiting, rest)
        }
        withExtendedLifetime(dropped) {}  // released after the lock
    }

    /// Removes and returns the elements that are next.
    private func takeBatch() -> Queue<Element> {
        let (batch, resumed) = lock.withLock { _ -> (Queue<Element>, [WaitingSender]) in
            var batch = Queue<Element>()
            swap(&batch, &rest)
            if !batch.isEmpty { return (batch, []) }
            swap(&batch, &waiting)
            return (batch, releaseSenders())
        }
        for sender in resumed { sender.resume() }
        return batch
    }
}

/// The part of `observe(on:)` that schedules deliveries. It does not depend on the element type, so it is compiled
/// once.
@usableFromInline
class ScheduledDelivery: Chain, @unchecked Sendable {
    // `@unchecked Sendable`: `lock` guards the variables; every other property that it adds is a `let` of a `Sendable`
    // type. The subclass documents how it guards its own.

    private struct Handles {
        /// The chain of the stream that replaced the source.
        var replacement: Chain?
        var scheduled: SingleAssignmentDisposable?
        /// The scheduler of a delivery that was created without one: most drivers deliver immediately and need none.
        var mainScheduler: MainScheduler?
        var isDisposed = false
    }

    /// Whether one scheduled work delivers all waiting events. True for schedulers that run work as soon as possible,
    /// where a work item for each event would only add overhead.
    final let deliversInBatches: Bool
    /// Whether an event that arrives on the main queue is delivered immediately if no event of this operator is
    /// waiting, regardless of other work on that queue.
    private final let deliversDirectlyOnMain: Bool
    private final let scheduler: (any ImmediateSchedulerType)?
    private final let handles = Mutex(Handles())
    /// Whether an event is being delivered, or its delivery is scheduled. Not in the generic subclass, whose methods are
    /// not specialised where the compiler sees no element type.
    @usableFromInline final let delivery = DrainState()
    /// Whether an element was ever enqueued: drivers deliver most elements immediately.
    private final let hasQueued = Atomic(false)
    private final let drainer = DrainingThread()
    // The lock does not hold what it guards: releasing a lock around a generic type looks up metadata.
    final let lock = Mutex(())
    /// The senders that wait because many events are enqueued; created for the first one. Guarded by `lock`.
    @exclusivity(unchecked) private final var congestion: Congestion?
    /// The number of elements that no delivery has taken. Guarded by `lock`; here, because it is read for each element.
    @exclusivity(unchecked) private final var enqueuedCount = 0

    @usableFromInline
    init(on scheduler: (any ImmediateSchedulerType)?) {
        self.scheduler = scheduler
        if let scheduler {
            deliversDirectlyOnMain = scheduler.asMainScheduler?.isOfSharedSequence ?? false
            deliversInBatches = scheduler.isOnDispatchQueue || scheduler is OperationQueueScheduler
        } else {
            deliversDirectlyOnMain = true
            deliversInBatches = true
        }
        super.init(isOuter: true)
    }

    /// The number of waiting events.
    var pendingCount: Int { 0 }

    /// Delivers all or some of the waiting events.
    ///
    /// - Returns: Whether more events are waiting.
    func deliver() -> Bool { false }

    /// Releases the waiting events.
    func clearQueue() {}

    @usableFromInline
    final func attach(to downstream: Chain) {
        downstream.attach(self)
        #if DEBUG
        SubscriptionRegistry.record(downstream) { [weak self] in self?.pendingCount ?? 0 }
        #endif
    }

    /// Calls `append`, which enqueues an element, under the lock, and schedules a delivery if there is none.
    @usableFromInline
    final func enqueue(_ append: () -> Void) {
        let (isFirst, mayWait) = lock.withLock { _ in
            append()
            enqueuedCount += 1
            let mayWait = asksSenders
            if !mayWait, congestion?.isExempt == true { congestion?.useExemption() }
            return (!delivery.isDraining(elseBecome: DrainState.draining), mayWait)
        }
        hasQueued.store(true, ordering: .releasing)
        if isFirst { schedule() }
        #if DEBUG
        warnIfQueueIsLong()
        #endif
        if mayWait { waitForDelivery() }
    }

    /// Whether senders that may wait do so. With other schedulers than queues the delivery may have to wait for the sender.
    private final var asksSenders: Bool {
        deliversInBatches && enqueuedCount > Backlog.limit
            && congestion?.isExempt != true
    }

    /// Waits until a delivery takes the waiting events, if this thread may wait.
    private final func waitForDelivery() {
        guard case .waits = SendingThread.role(for: drainer), !isOnScheduler else { return }
        let sender = lock.withLock { _ -> WaitingSender? in
            if !asksSenders { return nil }
            let congestion = self.congestion ?? Congestion()
            self.congestion = congestion
            return congestion.add()
        }
        guard let sender else { return }
        let isStuck = sender.wait(for: drainer)
        let resumed = lock.withLock { _ -> [WaitingSender] in
            guard case .waits = sender.state, let congestion else { return [] }
            return congestion.remove(sender, isStuck: isStuck, drainer.delivered.load(ordering: .relaxed))
        }
        for sender in resumed { sender.resume() }
    }

    /// Whether no delivery can begin before this thread returns.
    private final var isOnScheduler: Bool {
        switch scheduler {
        case let scheduler as SerialDispatchQueueScheduler: scheduler.isCurrent
        case let scheduler as OperationQueueScheduler: OperationQueue.current === scheduler.operationQueue
        default: false
        }
    }

    /// Lets the waiting senders return, because their events are taken. Called under the lock.
    ///
    /// - Returns: The senders to resume.
    final func releaseSenders() -> [WaitingSender] {
        enqueuedCount = 0
        return congestion?.release() ?? []
    }

    /// Counts a delivered element. Called by the delivery.
    final func countDelivery(_ pulse: Pulse) {
        drainer.countDelivery()
        pulse.beat()
    }

    /// Stores the chain of the stream that replaces the source. Called before that stream is subscribed.
    final func setReplacement(_ chain: Chain) {
        let isDisposed = handles.withLock { handles in
            if !handles.isDisposed { handles.replacement = chain }
            return handles.isDisposed
        }
        if isDisposed { chain.dispose() }
    }

    /// Ends the delivery, unless events are waiting. Called under the lock of the queue.
    ///
    /// - Returns: Whether the delivery has ended.
    final func endDelivery(unless isBusy: Bool) -> Bool {
        drainer.becomeUnknown()
        if isBusy {
            delivery.continueDraining()
        } else {
            congestion?.endExemption()
            delivery.becomeIdle()
        }
        return !isBusy
    }

    /// Whether the current thread may deliver events directly.
    @usableFromInline
    final var canDeliverDirectly: Bool { deliversDirectlyOnMain && DispatchQueue.isMain }

    /// Schedules a delivery, and another one as long as events are waiting. Must not be called before the previous
    /// delivery has ended.
    @usableFromInline
    final func schedule() {
        // Stored before the work can run, so that it never replaces the handle of a later delivery.
        let handle = SingleAssignmentDisposable()
        let (before, mainScheduler, isDisposed) = handles.withLock { handles in
            let before = handles.scheduled.take()
            if !handles.isDisposed {
                handles.scheduled = handle
                if scheduler == nil, handles.mainScheduler == nil {
                    handles.mainScheduler = MainScheduler(isOfSharedSequence: true)
                }
            }
            return (before, handles.mainScheduler, handles.isDisposed)
        }
        withExtendedLifetime(before) {}  // released after the lock
        guard let scheduler = scheduler ?? mainScheduler, !isDisposed else { return }
        if deliversInBatches {
            handle.setDisposable(
                scheduler.schedule(()) { [self] in
                    drainer.becomeCurrent()
                    if deliver() { schedule() }
                    return NopDisposable.shared
                })
        } else {
            handle.setDisposable(scheduler.repeat { [self] _ in deliver() })
        }
    }

    #if DEBUG
    /// Called after an event was enqueued.
    private final func warnIfQueueIsLong() {
        if pendingCount == Hooks.pendingCountWarningThreshold {
            Hooks.warn("\(Hooks.pendingCountWarningThreshold) events are pending in `observe(on:)`")
        }
    }
    #endif

    override func disposed() {
        let (replacement, scheduled) = handles.withLock { handles in
            handles.isDisposed = true
            return (handles.replacement.take(), handles.scheduled.take())
        }
        replacement?.dispose()
        if hasQueued.load(ordering: .acquiring) {
            clearQueue()
            let resumed = lock.withLock { _ in releaseSenders() }
            for sender in resumed { sender.resume() }
        }
        scheduled?.dispose()
    }
}
