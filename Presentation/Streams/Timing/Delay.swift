extension ObservableType {
    /// Delays the elements and completion by `dueTime`. An error is not delayed, and drops the pending events.
    ///
    /// Each event is emitted in a separate work item on `scheduler`.
    ///
    /// ```swift
    /// // ticks:  1 at 0 s, | at 2 s
    /// ticks.delay(.seconds(1), scheduler: scheduler)    // 1 at 1 s, | at 3 s
    /// ```
    @inlinable
    public func delay(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        let source = asObservable()
        return Observable(connect: { sink in
            let queue = DelayQueue(dueTime, scheduler, into: sink)
            let timer = OperatorTimer(on: scheduler, through: queue.output) { queue.sendFirst($0) }
            let chain = Chain { error in
                if let error { queue.output.finish(error) } else { queue.add(nil, timer) }
            }
            sink.chain.attach(DisposablePair(chain, timer))
            source.connect(Sink(chain) { queue.add($0, timer) })
        })
    }
}

/// The pending events of a `delay`. Accessed only inside the gate.
@usableFromInline
final class DelayQueue<Element> {
    /// An element, or `nil` for completion, and its time of arrival.
    @usableFromInline typealias Arrival = (element: Element?, time: RxTime)

    @usableFromInline let dueTime: RxTimeInterval
    @usableFromInline let scheduler: any SchedulerType
    @usableFromInline let sink: Sink<Element>
    @usableFromInline let output: SerializedSink
    @usableFromInline var waiting = Queue<Arrival>()

    @inlinable
    init(_ dueTime: RxTimeInterval, _ scheduler: any SchedulerType, into sink: Sink<Element>) {
        self.dueTime = dueTime
        self.scheduler = scheduler
        self.sink = sink
        output = SerializedSink(sink.chain)
    }

    @inlinable
    func add(_ element: Element?, _ timer: OperatorTimer) {
        output.send((element, scheduler.now)) { [self] arrival in
            waiting.append(arrival)
            if waiting.count == 1 { set(timer, for: arrival) }
        }
    }

    @inlinable
    func set(_ timer: OperatorTimer, for arrival: Arrival) {
        let remaining = dueTime.remaining(since: arrival.time, at: scheduler.now)
        timer.set(after: remaining ?? RxTimeInterval.zero)
    }

    @inlinable
    func sendFirst(_ timer: OperatorTimer) {
        guard let first = waiting.popFirst() else { return }
        guard let element = first.element else { return sink.chain.complete() }
        sink.next(element)
        if let first = waiting.first { set(timer, for: first) }
    }
}

extension ObservableType {
    /// Subscribes to this stream after `dueTime`, on `scheduler`. The events are not delayed; see
    /// `delay(_:scheduler:)` for that.
    ///
    /// ```swift
    /// Observable.of(1, 2).delaySubscription(.seconds(1), scheduler: scheduler)    // 1 at 1 s, 2 at 1 s, | at 1 s
    /// ```
    @inlinable
    public func delaySubscription(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        let source = asObservable()
        return Observable(connect: { sink in
            let chain = ForwardingChain(to: sink.chain)
            let start = scheduler.scheduleRelative((), dueTime: dueTime) { _ in
                source.subscribe(sink.with(chain))
                return Disposables.create()
            }
            sink.chain.attach(DisposablePair(chain, start))
        })
    }
}
