extension ObservableType {
    /// Returns a single of the only element of this stream, emitted when the stream completes.
    ///
    /// Fails with ``RxError/moreThanOneElement`` on a second element, and with ``RxError/noElements`` if the stream
    /// completes without one. Compare ``first()``.
    ///
    /// ```swift
    /// Observable.of(1, 2).asSingle()    // RxError.moreThanOneElement
    /// ```
    @inlinable
    public func asSingle() -> Single<Element> {
        Single(raw: only(orFailingWith: RxError.noElements))
    }

    /// Returns a maybe of the only element of this stream, if there is one, emitted when the stream completes.
    ///
    /// Fails with ``RxError/moreThanOneElement`` on a second element.
    ///
    /// ```swift
    /// Observable<Int>.empty().asMaybe()    // |
    /// ```
    @inlinable
    public func asMaybe() -> Maybe<Element> {
        Maybe(raw: only(orFailingWith: nil))
    }

    /// Returns a single of the first element of this stream, emitted on arrival, or of `nil` if the stream completes
    /// without one.
    ///
    /// ```swift
    /// Observable.of(1, 2).first()    // Optional(1) |
    /// ```
    @inlinable
    public func first() -> Single<Element?> {
        let source = asObservable()
        return Single(
            raw: Observable(run: { sink in
                let chain = Chain(above: sink.chain) { error in
                    if error == nil { sink.send(nil) }
                    sink.chain.finish(error)
                }
                let isSent = SubscriptionState(false)
                source.run(
                    Sink(chain) { element in
                        // Already `true` for an element that is sent re-entrantly during the delivery of the first one.
                        if isSent.value { return }
                        isSent.value = true
                        sink.next(element)
                        sink.chain.complete()
                    })
            }))
    }

    /// Returns a single of all elements of this stream, emitted when the stream completes.
    ///
    /// ```swift
    /// Observable.of(1, 2, 3).toArray()    // [1, 2, 3] |
    /// ```
    @inlinable
    public func toArray() -> Single<[Element]> {
        let source = asObservable()
        return Single(
            raw: Observable(run: { sink in
                let elements = SubscriptionState<[Element]>([])
                let chain = Chain(above: sink.chain) { error in
                    if error == nil { sink.send(elements.value) }
                    sink.chain.finish(error)
                }
                source.run(Sink(chain) { elements.value.append($0) })
            }))
    }

    @inlinable
    func only(orFailingWith noElements: RxError?) -> Observable<Element> {
        let source = asObservable()
        return Observable(run: { sink in
            let found = SubscriptionState<Element?>(nil)
            let chain = Chain(above: sink.chain) { error in
                if error == nil, let element = found.value { sink.send(element) }
                sink.chain.finish(error ?? (found.value == nil ? noElements : nil))
            }
            source.run(
                Sink(chain) { element in
                    if found.value == nil { found.value = element } else { chain.fail(RxError.moreThanOneElement) }
                })
        })
    }
}

extension ObservableType where Element == Never {
    /// Returns this stream, which has no elements, as a ``Completable``.
    ///
    /// ```swift
    /// Observable.of(1, 2).ignoreElements().asCompletable()    // |
    /// ```
    public func asCompletable() -> Completable {
        Completable(raw: asObservable())
    }
}
