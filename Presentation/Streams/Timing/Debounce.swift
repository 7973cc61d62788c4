extension ObservableType {
    /// Emits an element when `dueTime` has passed without another one.
    ///
    /// When the stream completes, the pending element is emitted immediately; when it fails, that element is dropped.
    /// Compare `throttle(_:latest:scheduler:)`, which keeps emitting while elements keep arriving.
    ///
    /// ```swift
    /// // text:  a at 0 s, ab at 0.1 s, abc at 0.6 s
    /// text.debounce(.milliseconds(300), scheduler: scheduler)    // ab at 0.4 s, abc at 0.9 s
    /// ```
    @inlinable
    public func debounce(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        let source = asObservable()
        return Observable(connect: { sink in
            let debounce = Debounce<Element?>(to: sink, dueTime, on: scheduler)
            source.connect(Sink(debounce) { debounce.receive($0) })
        })
    }
}

/// One subscription to `debounce`: the chain of its source, and the pending element.
///
/// `@unchecked Sendable`: `pending` is accessed only inside the gate of `output`; `timer` is set before another thread
/// can reach this.
@usableFromInline
final class Debounce<Pending: OptionalElement>: Chain, @unchecked Sendable where Pending.Wrapped: Sendable {
    @usableFromInline typealias Element = Pending.Wrapped

    @usableFromInline let next: (Element) -> Void
    @usableFromInline let output: SerializedSink
    @usableFromInline let dueTime: RxTimeInterval
    @exclusivity(unchecked) @usableFromInline var timer: OperatorTimer?
    @exclusivity(unchecked) @usableFromInline var pending: Pending = nil

    @inlinable
    init(to sink: Sink<Element>, _ dueTime: RxTimeInterval, on scheduler: any SchedulerType) {
        next = sink.next
        output = SerializedSink(sink.chain)
        self.dueTime = dueTime
        super.init(isOuter: true)
        // Until it is disposed, the timer and this retain each other.
        timer = OperatorTimer(on: scheduler, through: output) { [self] _ in sendPending() }
        sink.chain.attach(self)
    }

    @inlinable
    func receive(_ element: Element) {
        output.send(element) { [self] element in
            pending.optional = element
            timer.unsafelyUnwrapped.set(after: dueTime)
        }
    }

    @inlinable
    func sendPending() { if let element = pending.optional.take() { next(element) } }

    override func ended(_ error: (any Error)?) {
        if let error { return output.finish(error) }
        output.pass { [self] in
            sendPending()
            output.chain.complete()
        }
    }

    override func disposed() { timer?.dispose() }
}
