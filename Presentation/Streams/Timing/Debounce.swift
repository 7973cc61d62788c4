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
        .timed(asObservable(), on: scheduler, name: "debounce(_:scheduler:)") { sink in
            let debounce = Debounce<Element?>(to: sink, dueTime)
            return (debounce, { debounce.receive($0) }, { debounce.sendPending() })
        }
    }
}

/// One subscription to `debounce`: the chain of its source, and the pending element.
///
/// `@unchecked Sendable`: `pending` is accessed only inside the gate of `output`.
@usableFromInline
final class Debounce<Pending: OptionalElement>: TimedChain, @unchecked Sendable where Pending.Wrapped: Sendable {
    @usableFromInline typealias Element = Pending.Wrapped

    @usableFromInline let next: (Element) -> Void
    @exclusivity(unchecked) @usableFromInline var pending: Pending = nil

    @inlinable
    init(to sink: Sink<Element>, _ dueTime: RxTimeInterval) {
        next = sink.next
        super.init(below: sink.chain, delay: dueTime)
    }

    @inlinable
    func receive(_ element: Element) {
        if output.gate.enter() {
            if output.chain.isLive { store(element) }
            output.gate.leave()
        } else {
            receiveLater(element)
        }
    }

    @usableFromInline
    func receiveLater(_ element: Element) { output.pass { [self] in store(element) } }

    @inlinable
    func store(_ element: Element) {
        pending.optional = element
        setTimer()
    }

    @inlinable
    func sendPending() { if let element = pending.optional.take() { next(element) } }

    override func sendRest() { sendPending() }
}

/// The chain of the source of an operator with one timer. It goes on when the source has completed: until its downstream
/// disposes it, it and the timer retain each other.
///
/// `@unchecked Sendable`: `timer` is set before another thread can reach this.
@usableFromInline
class TimedChain: Chain, @unchecked Sendable {
    @usableFromInline final let output: SerializedSink
    private final let delay: RxTimeInterval
    @exclusivity(unchecked) fileprivate final var timer: OperatorTimer?

    @usableFromInline
    init(below downstream: Chain, delay: RxTimeInterval) {
        output = SerializedSink(downstream)
        self.delay = delay
        super.init(isOuter: true)
    }

    @usableFromInline
    final func setTimer() { timer?.set(after: delay) }

    /// Sends what remains when the source has completed. Called inside the gate.
    func sendRest() {}

    final override func ended(_ error: (any Error)?) {
        if let error { return output.finish(error) }
        output.pass { [self] in
            sendRest()
            output.chain.complete()
        }
    }

    final override func disposed() { timer?.dispose() }
}

extension Observable {
    /// Creates the stream of an operator with one timer.
    ///
    /// - Parameter make: Returns, for one subscription, the chain of the source and the functions for an element and for the
    ///   due time, created where the types are known.
    @usableFromInline
    static func timed<Input: Sendable>(
        _ source: Observable<Input>, on scheduler: any SchedulerType, startsImmediately: Bool = false,
        name: StaticString,
        _ make:
            @escaping @Sendable (Sink<Element>) -> (
                chain: TimedChain, receive: (Input) -> Void, timerFires: () -> Void
            )
    ) -> Observable {
        Observable(
            connect: { sink in
                let (chain, receive, timerFires) = make(sink)
                chain.timer = OperatorTimer(on: scheduler, through: chain.output) { _ in timerFires() }
                sink.chain.attach(chain)
                if startsImmediately { chain.setTimer() }
                source.connect(Sink(chain, next: receive))
            }, name: name)
    }
}
