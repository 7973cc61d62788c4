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
        let source = asObservable()
        return Observable(connect: { sink in
            let above = Chain { _ in }
            let output = SerializedSink(above)
            let window = SubscriptionState(PublishSubject<Element>())
            let elements = SubscriptionState(0)
            let chain = Chain { error in
                output.pass {
                    window.value.multicast.finish(error)
                    sink.chain.finish(error)
                }
            }
            let shared = RefCountedSource(below: sink.chain, disposing: above)
            let open = { (timer: OperatorTimer) in
                elements.value = 0
                sink.send(shared.stream(of: window.value))
                timer.set(after: timeSpan)
            }
            let replace = { (timer: OperatorTimer) in
                window.value.onCompleted()
                window.value = PublishSubject()
                open(timer)
            }
            let timer = OperatorTimer(on: scheduler, through: output, work: replace)
            above.attach(DisposablePair(timer, chain))
            let pass = { (element: Element) in
                window.value.onNext(element)
                elements.value += 1
                if elements.value == count { replace(timer) }
            }
            open(timer)
            source.connect(Sink(chain) { output.send($0, pass) })
        })
    }
}
