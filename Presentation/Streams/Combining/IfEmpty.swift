extension ObservableType {
    /// Emits the elements of this stream, or `default` if it completes without one.
    ///
    /// ```swift
    /// Observable<Int>.empty().ifEmpty(default: 0)    // 0 |
    /// ```
    @inlinable
    public func ifEmpty(default: Element) -> Observable<Element> {
        let source = asObservable()
        return Observable(run: { sink in
            let isEmpty = SubscriptionState(true)
            let chain = Chain(above: sink.chain) { error in
                if error == nil, isEmpty.value { sink.send(`default`) }
                sink.chain.finish(error)
            }
            source.run(
                Sink(chain) { element in
                    isEmpty.value = false
                    sink.next(element)
                })
        })
    }

    /// Emits the events of this stream, or those of `other` if this stream completes without an element. `other` is
    /// subscribed when this stream has been released.
    ///
    /// ```swift
    /// Observable<Int>.empty().ifEmpty(switchTo: .of(1, 2))    // 1 2 |
    /// ```
    @inlinable
    public func ifEmpty(switchTo other: Observable<Element>) -> Observable<Element> {
        let source = asObservable()
        return Observable(run: { sink in
            let (isFirst, isEmpty) = (SubscriptionState(true), SubscriptionState(true))
            SequentialSubscriptions(into: sink.chain) { subscriptions in
                guard isFirst.value else {
                    let chain = subscriptions.makeChain { sink.chain.finish($0) }
                    return other.subscribe(Sink(chain, next: sink.next))
                }
                isFirst.value = false
                let chain = subscriptions.makeChain { error in
                    if error == nil, isEmpty.value { subscriptions.advance() } else { sink.chain.finish(error) }
                }
                source.subscribe(
                    Sink(chain) { element in
                        isEmpty.value = false
                        sink.next(element)
                    })
            }.advance()
        })
    }
}
