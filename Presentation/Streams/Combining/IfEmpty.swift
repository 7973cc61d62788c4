extension ObservableType {
    /// Emits the elements of this stream, or `default` if it completes without one.
    ///
    /// ```swift
    /// Observable<Int>.empty().ifEmpty(default: 0)    // 0 |
    /// ```
    @inlinable
    public func ifEmpty(default: Element) -> Observable<Element> {
        let source = asObservable()
        return Observable(connect: { sink in
            let isEmpty = SubscriptionState(true)
            let chain = Chain(above: sink.chain) { error in
                if error == nil, isEmpty.value { sink.send(`default`) }
                sink.chain.finish(error)
            }
            source.connect(
                Sink(chain) { element in
                    isEmpty.value = false
                    sink.next(element)
                })
        })
    }

    /// Emits the events of this stream, or those of `other` if this stream completes without an element. `other` is
    /// subscribed when this stream has been released. Completes when the last of them has been released.
    ///
    /// ```swift
    /// Observable<Int>.empty().ifEmpty(switchTo: .of(1, 2))    // 1 2 |
    /// ```
    @inlinable
    public func ifEmpty(switchTo other: Observable<Element>) -> Observable<Element> {
        let source = asObservable()
        return Observable(connect: { sink in
            let (rest, isEmpty) = (SubscriptionState([other, source]), SubscriptionState(true))
            SequentialSubscriptions(into: sink.chain) { subscriptions in
                guard isEmpty.value, let stream = rest.value.popLast() else { return subscriptions.finish(nil) }
                stream.subscribe(
                    Sink(subscriptions.makeChain()) { element in
                        isEmpty.value = false
                        sink.next(element)
                    })
            }.advance()
        })
    }
}
