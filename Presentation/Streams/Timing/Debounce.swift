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
            let next = sink.next
            let output = SerializedSink(sink.chain)
            let waiting = SubscriptionState<Element?>(nil)
            let sendWaiting = { (_: OperatorTimer) in if let element = waiting.value.take() { next(element) } }
            let timer = OperatorTimer(on: scheduler, through: output, work: sendWaiting)
            let wait = { (element: Element) in
                waiting.value = element
                timer.set(after: dueTime)
            }
            let chain = Chain { error in
                if let error { return output.finish(error) }
                output.pass {
                    sendWaiting(timer)
                    output.chain.complete()
                }
            }
            sink.chain.attach(DisposablePair(chain, timer))
            source.connect(Sink(chain) { output.send($0, wait) })
        })
    }
}
