extension ObservableType {
    /// Emits the elements in consecutive streams: a new window opens when the previous one has `count` elements, or
    /// after `timeSpan`.
    ///
    /// Elements of a window without observers are dropped. Termination terminates the open window and then the result.
    /// The source stays subscribed while the result or a window has an observer.
    ///
    /// ```swift
    /// // taps:  1 at 0.2 s, 2 at 0.4 s, | at 1.5 s
    /// taps.window(timeSpan: .seconds(1), count: 3, scheduler: scheduler).flatMap { $0.toArray() }
    ///     // [1, 2] at 1 s, [] at 1.5 s, | at 1.5 s
    /// ```
    @inlinable
    public func window(
        timeSpan: RxTimeInterval, count: Int, scheduler: any SchedulerType
    ) -> Observable<Observable<Element>> {
        precondition(
            count > 0, "window(timeSpan:count:scheduler:) requires a count of at least 1, not \(count)")
        return .windows(of: asObservable(), timeSpan, count, scheduler) {
            PublishSubject()
        } receive: { window, replace in
            { window.receive($0, replace) }
        }
    }
}

extension Observable {
    /// Creates the stream of `window`.
    ///
    /// - Parameters:
    ///   - makeSubject: Creates the subject of a window, where its type is known.
    ///   - receive: Returns the function for the elements of one subscription, which calls ``OpenWindow/receive(_:_:)``.
    @usableFromInline
    static func windows<Input: Sendable>(
        of source: Observable<Input>, _ timeSpan: RxTimeInterval, _ count: Int, _ scheduler: any SchedulerType,
        _ makeSubject: @escaping @Sendable () -> PublishSubject<Input>,
        receive: @escaping @Sendable (OpenWindow<Input>, _ replace: @escaping () -> Void) -> (Input) -> Void
    ) -> Observable where Element == Observable<Input> {
        Observable(
            connect: { sink in
                let above = Chain { _ in }
                let output = SerializedSink(above)
                let window = OpenWindow<Input>(output, count)
                let chain = Chain { error in
                    output.pass {
                        window.subject?.multicast.finish(error)
                        sink.chain.finish(error)
                    }
                }
                let shared = RefCountedSource(below: sink.chain, disposing: above)
                let open = { (timer: OperatorTimer) in
                    let subject = makeSubject()
                    window.open(subject)
                    sink.send(shared.stream(of: subject))
                    timer.set(after: timeSpan)
                }
                let replace = { (timer: OperatorTimer) in
                    window.subject?.multicast.finish(nil)
                    open(timer)
                }
                let timer = OperatorTimer(on: scheduler, through: output, work: replace)
                above.attach(DisposablePair(timer, chain))
                open(timer)
                source.connect(Sink(chain, next: receive(window, { replace(timer) })))
            }, name: "window(timeSpan:count:scheduler:)")
    }
}

/// The open window of one subscription. Accessed only inside the gate of `output`.
@usableFromInline
final class OpenWindow<Element: Sendable> {
    @usableFromInline let output: SerializedSink
    /// The number of elements that still fit.
    @exclusivity(unchecked) @usableFromInline var remaining = 0
    @exclusivity(unchecked) @usableFromInline var subject: PublishSubject<Element>?
    private let count: Int

    fileprivate init(_ output: SerializedSink, _ count: Int) {
        self.output = output
        self.count = count
    }

    fileprivate func open(_ subject: PublishSubject<Element>) {
        remaining = count
        self.subject = subject
    }

    /// Sends an element, and replaces a window that is full.
    @inlinable
    func receive(_ element: Element, _ replace: @escaping () -> Void) {
        if output.gate.enter() {
            if output.chain.isLive { send(element, replace) }
            output.gate.leave()
        } else {
            receiveLater(element, replace)
        }
    }

    @usableFromInline
    func receiveLater(_ element: Element, _ replace: @escaping () -> Void) {
        output.pass { [self] in send(element, replace) }
    }

    @inlinable
    func send(_ element: Element, _ replace: () -> Void) {
        subject?.multicast.send(element)
        remaining -= 1
        if remaining == 0 { replace() }
    }
}
