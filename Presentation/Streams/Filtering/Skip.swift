extension ObservableType {
    /// Skips the first `count` elements.
    ///
    /// ```swift
    /// Observable.of(1, 2, 3).skip(2)    // 3 |
    /// ```
    ///
    /// - Parameter count: The number of elements to skip. If it is not positive, no element is skipped.
    @inlinable
    public func skip(_ count: Int) -> Observable<Element> {
        .stage(below: asObservable(), counter: count) { element, context in
            if context.counter > 0 { context.counter -= 1 } else { context.send(&element) }
        }
    }

    /// Emits the elements that arrive after `duration` has passed since the subscription.
    ///
    /// ```swift
    /// Observable<Int>.interval(.seconds(2), scheduler: scheduler)
    ///     .skip(for: .seconds(5), scheduler: scheduler)    // 2 at 6 s, 3 at 8 s …
    /// ```
    @inlinable
    public func skip(for duration: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        let source = asObservable()
        return Observable(connect: { sink in
            let output = SerializedSink(sink.chain)
            let isOpen = SubscriptionState(false)
            let timer = OperatorTimer(on: scheduler, through: output) { _ in isOpen.value = true }
            let next = sink.next
            let pass = { (element: Element) in if isOpen.value { next(element) } }
            let chain = Chain { output.finish($0) }
            sink.chain.attach(DisposablePair(timer, chain))
            timer.set(after: duration)
            source.connect(Sink(chain) { output.send($0, pass) })
        })
    }

    /// The spelling of RxSwift for ``skip(for:scheduler:)``, to which it forwards.
    ///
    /// ```swift
    /// Observable<Int>.interval(.seconds(2), scheduler: scheduler)
    ///     .skip(.seconds(5), scheduler: scheduler)    // 2 at 6 s, 3 at 8 s …
    /// ```
    @inlinable
    public func skip(_ duration: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        skip(for: duration, scheduler: scheduler)
    }

    /// Skips elements while `predicate` returns `true`, and emits all elements from the first one for which it returns
    /// `false`; it is not called again after that one. Fails with the error that `predicate` throws.
    ///
    /// ```swift
    /// Observable.of(1, 2, 3, 1).skip(while: { $0 < 3 })    // 3 1 |
    /// ```
    @inlinable @preconcurrency
    public func skip(while predicate: @escaping @Sendable (Element) throws -> Bool) -> Observable<Element> {
        .stage(below: asObservable(), counter: 1) { element, context in
            do {
                // 0 from the first element that is not skipped.
                if context.counter != 0 { context.counter = try predicate(element) ? 1 : 0 }
                if context.counter == 0 { context.send(&element) }
            } catch { context.fail(error) }
        }
    }

    /// Emits the elements that arrive after the first element of `other`.
    ///
    /// This stream is subscribed first. `other` is disposed at its first element or, if it emits that element while it
    /// is being subscribed, when it has been subscribed. If `other` completes without an element, or this stream
    /// completes before `other` emits one (`other` is then disposed), the result emits no elements and never completes.
    /// Fails if this stream fails, or `other` before it is disposed.
    ///
    /// ```swift
    /// // elements:  1 at 1 s, 2 at 3 s, | at 4 s
    /// // start:     () at 2 s
    /// elements.skip(until: start)    // 2 at 3 s, | at 4 s
    /// ```
    @inlinable
    public func skip<Source: ObservableType>(until other: Source) -> Observable<Element> {
        let source = asObservable()
        let other = other.asObservable()
        return Observable(connect: { sink in
            let output = SerializedSink(sink.chain)
            let isOpen = SubscriptionState(false)
            let next = sink.next
            let pass = { (element: Element) in if isOpen.value { next(element) } }
            let otherChain = Chain { error in
                if let error { output.finish(error) }
            }
            let chain = Chain { error in
                if let error { return output.finish(error) }
                output.pass { if isOpen.value { output.chain.complete() } else { otherChain.dispose() } }
            }
            sink.chain.attach(DisposablePair(chain, otherChain))
            source.connect(Sink(chain) { output.send($0, pass) })
            let isSubscribed = SubscriptionState(false)
            other.connect(
                Sink(otherChain) { _ in
                    output.pass {
                        isOpen.value = true
                        if isSubscribed.value { otherChain.dispose() }
                    }
                })
            output.pass {
                isSubscribed.value = true
                if isOpen.value { otherChain.dispose() }
            }
        })
    }
}
