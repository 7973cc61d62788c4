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

    /// Emits the events of this stream, or those of `other` if this stream completes without an element.
    ///
    /// ```swift
    /// Observable<Int>.empty().ifEmpty(switchTo: .of(1, 2))    // 1 2 |
    /// ```
    @inlinable
    public func ifEmpty(switchTo other: Observable<Element>) -> Observable<Element> {
        let source = asObservable()
        return Observable(run: { sink in
            let chains = SerialChain(into: sink.chain)
            let isEmpty = SubscriptionState(true)
            let first = Chain { error in
                guard error == nil, isEmpty.value else { return sink.chain.finish(error) }
                let second = Chain { sink.chain.finish($0) }
                chains.set(second)
                other.subscribe(Sink(second, next: sink.next))
            }
            chains.set(first)
            source.run(
                Sink(first) { element in
                    isEmpty.value = false
                    sink.next(element)
                })
        })
    }
}
