extension ObservableType {
    /// Fails with ``RxError/timeout`` if `dueTime` passes without an element, after the subscription or after the
    /// previous element.
    ///
    /// ```swift
    /// Observable<Int>.never().timeout(.seconds(3), scheduler: scheduler)    // RxError.timeout at 3 s
    /// ```
    @inlinable
    public func timeout(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        timeout(dueTime, other: Observable.error(RxError.timeout), scheduler: scheduler)
    }

    /// Replaces this stream by `other` if `dueTime` passes without an element, after the subscription or after the
    /// previous element. `other` has no time limit.
    ///
    /// `other` is subscribed before this stream is disposed, so a shared source of both stays connected.
    ///
    /// ```swift
    /// // fresh:  1 at 5 s
    /// fresh.timeout(.seconds(3), other: Observable.just(0), scheduler: scheduler)    // 0 at 3 s, | at 3 s
    /// ```
    @inlinable
    public func timeout<Source: ObservableConvertibleType>(
        _ dueTime: RxTimeInterval, other: Source, scheduler: any SchedulerType
    ) -> Observable<Element> where Source.Element == Element {
        let source = asObservable()
        let other = other.asObservable()
        return Observable(connect: { sink in
            let output = SerializedSink(sink.chain)
            let isLate = SubscriptionState(false)
            let chain = Chain { error in
                output.pass { if !isLate.value { sink.chain.finish(error) } }
            }
            let otherChain = ForwardingChain(to: sink.chain)
            let timer = OperatorTimer(on: scheduler, through: output) { _ in
                // From now on no event of this stream passes, so `other` can bypass the gate.
                isLate.value = true
                other.subscribe(sink.with(otherChain))
                chain.dispose()
            }
            sink.chain.attach(CompositeDisposable(chain, timer, otherChain))
            let pass = { (element: Element) in
                if isLate.value { return }
                sink.next(element)
                timer.set(after: dueTime)
            }
            timer.set(after: dueTime)
            source.connect(Sink(chain) { output.send($0, pass) })
        })
    }
}
