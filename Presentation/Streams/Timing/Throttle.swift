extension ObservableType {
    /// Emits at most one element in each `dueTime`: the first one immediately and then, if `latest` is set, the latest
    /// of those that arrived meanwhile when the time has passed.
    ///
    /// If an element is pending when the stream completes, it is emitted at its time, followed by completion; the
    /// source is disposed immediately. An error is emitted immediately. Compare `debounce(_:scheduler:)`, which waits
    /// until no more elements arrive.
    ///
    /// ```swift
    /// // taps:  1 at 0 s, 2 at 0.2 s, 3 at 0.5 s
    /// taps.throttle(.seconds(1), scheduler: scheduler)                    // 1 at 0 s, 3 at 1 s
    /// taps.throttle(.seconds(1), latest: false, scheduler: scheduler)     // 1 at 0 s
    /// ```
    @inlinable
    public func throttle(
        _ dueTime: RxTimeInterval, latest: Bool = true, scheduler: any SchedulerType
    ) -> Observable<Element> {
        let source = asObservable()
        return Observable(connect: { sink in
            let next = sink.next
            let output = SerializedSink(sink.chain)
            let waiting = SubscriptionState<Element?>(nil)
            let lastSent = SubscriptionState<RxTime?>(nil)
            let isEnding = SubscriptionState(false)
            let send = { (element: Element) in
                waiting.value = nil
                next(element)
                lastSent.value = scheduler.now  // after the delivery: a slow observer gets its pause too
            }
            let sendWaiting = {
                if let element = waiting.value { send(element) }
                if isEnding.value { output.chain.complete() }
            }
            let timer = OperatorTimer(on: scheduler, through: output) { _ in sendWaiting() }
            let throttle = { (element: Element) in
                guard let start = lastSent.value, let remaining = dueTime.remaining(since: start, at: scheduler.now)
                else { return send(element) }
                if !latest { return }
                let isWaiting = waiting.value != nil
                waiting.value = element
                if !isWaiting { timer.set(after: remaining) }
            }
            let chain = Chain { error in
                if let error { return output.finish(error) }
                output.pass {
                    isEnding.value = true
                    if waiting.value == nil { sendWaiting() }
                }
            }
            sink.chain.attach(DisposablePair(chain, timer))
            source.connect(Sink(chain) { output.send($0, throttle) })
        })
    }
}
