extension ObservableType {
    /// The elements in streams of their own, one after the other: the next begins when the one before has `count`
    /// elements, or after `timeSpan`.
    ///
    /// What comes while nobody listens to a window is not kept. An end is the end of the window that is open, and then
    /// of the result. The source stays subscribed while anyone listens to the result or to a window.
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
        let source = asObservable()
        return Observable(run: { sink in
            let above = Chain { _ in }
            let confluence = Confluence(above)
            let window = Box(PublishSubject<Element>())
            let elements = Box(0)
            let chain = Chain { error in
                confluence.pass {
                    window.value.multicast.finish(error)
                    sink.chain.finish(error)
                }
            }
            let branching = Branching(below: sink.chain, disposing: above)
            let open = { (alarm: Alarm) in
                elements.value = 0
                sink.send(branching.branch(of: window.value))
                alarm.set(after: timeSpan)
            }
            let replace = { (alarm: Alarm) in
                window.value.onCompleted()
                window.value = PublishSubject()
                open(alarm)
            }
            let alarm = Alarm(on: scheduler, through: confluence, work: replace)
            above.attach(CompositeDisposable(alarm, chain))
            let pass = { (element: Element) in
                window.value.onNext(element)
                elements.value += 1
                if elements.value == count { replace(alarm) }
            }
            open(alarm)
            source.run(Sink(chain) { confluence.send($0, pass) })
        })
    }
}
