extension ObservableType {
    /// Subscribes to this stream, and disposes the subscription, on `scheduler`.
    ///
    /// Only the thread of subscription and disposal changes; events arrive on the thread on which the source emits
    /// them. Compare ``observe(on:)``, which moves the events. A stream that terminates is disposed where it
    /// terminates, unless it is a custom ``ObservableType``: that is always disposed on the scheduler.
    ///
    /// ```swift
    /// Observable.of(1, 2).subscribe(on: scheduler)    // 1 at 0 s, 2 at 0 s, | at 0 s
    /// ```
    @inlinable
    public func subscribe(on scheduler: any ImmediateSchedulerType) -> Observable<Element> {
        // A custom type does not necessarily release its resources on termination, so it is disposed explicitly on the
        // scheduler.
        let isForeign = !(self is Observable<Element>)
        return Observable(subscribing: asObservable(), on: scheduler, lingering: isForeign)
    }
}

extension Observable {
    @usableFromInline
    convenience init(
        subscribing source: Observable, on scheduler: any ImmediateSchedulerType, lingering isLingering: Bool
    ) {
        self.init(
            connect: { sink in
                let chain = Chain(lingering: isLingering) { sink.chain.finish($0) }
                let subscription = ScheduledSubscription(chain, on: scheduler, lingering: isLingering)
                sink.chain.attach(subscription)
                subscription.start { source.subscribe(Sink(chain) { sink.send($0) }) }
            }, name: "subscribe(on:)")
    }
}

/// A subscription that is started on a scheduler and, after the start, also disposed on it.
///
/// `@unchecked Sendable`: mutable state is behind `state`; the start runs once, on the scheduler.
private final class ScheduledSubscription: DisposeBase, @unchecked Sendable {
    private let resource = Resources.Counted()
    private enum State {
        case waiting, started, disposed
    }

    private let chain: Chain
    private let isLingering: Bool
    private let scheduler: any ImmediateSchedulerType
    private let scheduledStart = SingleAssignmentDisposable()
    private let state = Mutex(State.waiting)

    init(_ chain: Chain, on scheduler: any ImmediateSchedulerType, lingering isLingering: Bool) {
        self.chain = chain
        self.isLingering = isLingering
        self.scheduler = scheduler
    }

    func start(_ subscribe: @escaping () -> Void) {
        let work = Gate.Work { [self] in
            let isFirst = state.withLock { state in
                guard case .waiting = state else { return false }
                state = .started
                return true
            }
            if isFirst { subscribe() }
        }
        scheduledStart.setDisposable(
            scheduler.schedule(work) { work in
                work.run()
                return NopDisposable.shared
            })
    }

    func dispose() {
        let before = state.withLock { state in
            defer { state = .disposed }
            return state
        }
        switch before {
        case .waiting: scheduledStart.dispose()
        case .started:
            // A terminated chain has released its upstream, unless it lingers.
            if chain.isLive || isLingering { ScheduledDisposable(scheduler: scheduler, disposable: chain).dispose() }
        case .disposed: break
        }
    }
}
