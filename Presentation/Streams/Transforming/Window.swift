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
    public func window(
        timeSpan: RxTimeInterval, count: Int, scheduler: any SchedulerType
    ) -> Observable<Observable<Element>> {
        precondition(
            count > 0, "window(timeSpan:count:scheduler:) requires a count of at least 1, not \(count)")
        let source = asObservable()
        return Observable(connect: { sink in
            let above = Chain { _ in }
            let output = SerializedSink(above)
            let window = SubscriptionState<Window?>(nil)
            let elements = SubscriptionState(0)
            let chain = Chain { error in
                output.pass {
                    window.value?.multicast.finish(error)
                    sink.chain.finish(error)
                }
            }
            let shared = RefCountedSource(below: sink.chain, disposing: above)
            let open = { (timer: OperatorTimer) in
                elements.value = 0
                let subject = PublishSubject<Element>()
                window.value = Window(subject)
                sink.send(shared.stream(of: subject))
                timer.set(after: timeSpan)
            }
            let replace = { (timer: OperatorTimer) in
                window.value?.multicast.finish(nil)
                open(timer)
            }
            let timer = OperatorTimer(on: scheduler, through: output, work: replace)
            above.attach(DisposablePair(timer, chain))
            let pass = { (element: Element) in
                window.value?.multicast.send(element)
                elements.value += 1
                if elements.value == count { replace(timer) }
            }
            open(timer)
            source.connect(Sink(chain) { output.send($0, pass) })
        })
    }
}

/// The open window, without the type of its elements.
private struct Window {
    let multicast: Multicast
    /// The owner of the multicast.
    private let subject: any AnyObject & Sendable

    init<Element: Sendable>(_ subject: PublishSubject<Element>) {
        multicast = subject.multicast
        self.subject = subject
    }
}
