extension ObservableType {
    /// Emits the latest element whenever `sampler` emits an element or completes, if there is a new one since the last
    /// sample; otherwise emits `defaultValue`, if it is not `nil`.
    ///
    /// This stream is subscribed first. After it has completed, the result completes at the next event of `sampler`.
    /// Fails if either stream fails.
    ///
    /// ```swift
    /// // positions:  1 at 1 s, 2 at 2 s, 3 at 3 s
    /// // ticks:      () at 2.5 s, () at 3.5 s, () at 4.5 s
    /// positions.sample(ticks)                      // 2 at 2.5 s, 3 at 3.5 s
    /// positions.sample(ticks, defaultValue: 0)     // 2 at 2.5 s, 3 at 3.5 s, 0 at 4.5 s
    /// ```
    @inlinable
    public func sample<Source: ObservableType>(
        _ sampler: Source, defaultValue: Element? = nil
    ) -> Observable<Element> {
        let source = asObservable()
        let sampler = sampler.asObservable()
        return Observable(connect: { sink in
            let output = SerializedSink(sink.chain)
            let newest = SubscriptionState<Element?>(nil)
            let isOver = SubscriptionState(false)
            let keep = { (element: Element) in newest.value = element }
            let sample = {
                if let element = newest.value.take() ?? defaultValue { sink.next(element) }
                if isOver.value { sink.chain.complete() }
            }
            let chain = Chain { error in
                if let error { return output.finish(error) }
                output.pass { isOver.value = true }
            }
            let samplerChain = Chain { error in
                if let error { output.finish(error) } else { output.pass(sample) }
            }
            sink.chain.attach(DisposablePair(chain, samplerChain))
            source.connect(Sink(chain) { output.send($0, keep) })
            sampler.connect(Sink(samplerChain) { _ in output.pass(sample) })
        })
    }
}
