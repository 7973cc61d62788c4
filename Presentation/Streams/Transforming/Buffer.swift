extension ObservableType {
    /// Emits the elements in arrays of `count`, in order.
    ///
    /// When the stream completes, the collected elements are emitted, if there are any; when it fails, they are
    /// dropped. Compare `buffer(timeSpan:count:scheduler:)`, which limits the waiting time.
    ///
    /// ```swift
    /// Observable.of(1, 2, 3).buffer(count: 2)    // [1, 2] [3] |
    /// ```
    ///
    /// - Parameter count: The number of elements in each array; at least one.
    @inlinable
    public func buffer(count: Int) -> Observable<[Element]> {
        precondition(count > 0, "buffer(count:) requires a count of at least 1, not \(count)")
        let source = asObservable()
        return Observable(connect: { sink in
            let collected = SubscriptionState<[Element]>([])
            let chain = Chain(above: sink.chain) { error in
                if error == nil, !collected.value.isEmpty { sink.send(collected.value) }
                sink.chain.finish(error)
            }
            source.connect(
                Sink(chain) { element in
                    collected.value.append(element)
                    if collected.value.count < count { return }
                    let elements = collected.value
                    collected.value = []
                    sink.send(elements)
                })
        })
    }

    /// Emits the elements in arrays: one array when `count` elements have arrived, or when `timeSpan` has passed since
    /// the previous array.
    ///
    /// If no element arrived in that time, the array is empty. When the stream completes, the collected elements are
    /// emitted, even if there are none; when it fails, they are dropped.
    ///
    /// ```swift
    /// // taps:  1 at 0.2 s, 2 at 0.4 s, | at 1.5 s
    /// taps.buffer(timeSpan: .seconds(1), count: 3, scheduler: scheduler)    // [1, 2] at 1 s, [] at 1.5 s, | at 1.5 s
    /// ```
    @inlinable
    public func buffer(
        timeSpan: RxTimeInterval, count: Int, scheduler: any SchedulerType
    ) -> Observable<[Element]> {
        precondition(
            count > 0, "buffer(timeSpan:count:scheduler:) requires a count of at least 1, not \(count)")
        return .timed(
            asObservable(), on: scheduler, startsImmediately: true, name: "buffer(timeSpan:count:scheduler:)"
        ) { sink in
            let buffer = TimedBuffer(to: sink, timeSpan, count)
            return (buffer, { buffer.receive($0) }, { buffer.flush() })
        }
    }
}

/// One subscription to `buffer(timeSpan:count:scheduler:)`: the chain of its source, and the collected elements.
///
/// `@unchecked Sendable`: `elements` is accessed only inside the gate of `output`.
@usableFromInline
final class TimedBuffer<Element: Sendable>: TimedChain, @unchecked Sendable {
    @usableFromInline let next: ([Element]) -> Void
    @usableFromInline let count: Int
    @exclusivity(unchecked) @usableFromInline var elements: [Element] = []

    @inlinable
    init(to sink: Sink<[Element]>, _ timeSpan: RxTimeInterval, _ count: Int) {
        next = sink.next
        self.count = count
        super.init(below: sink.chain, delay: timeSpan)
    }

    @inlinable
    func receive(_ element: Element) {
        if output.gate.enter() {
            if output.chain.isLive { collect(element) }
            output.gate.leave()
        } else {
            receiveLater(element)
        }
    }

    @usableFromInline
    func receiveLater(_ element: Element) { output.pass { [self] in collect(element) } }

    @inlinable
    func collect(_ element: Element) {
        elements.append(element)
        if elements.count == count { flush() }
    }

    /// Emits the collected elements. Called inside the gate.
    @inlinable
    func flush() {
        let collected = elements
        elements = []
        next(collected)
        setTimer()
    }

    override func sendRest() { next(elements) }
}
