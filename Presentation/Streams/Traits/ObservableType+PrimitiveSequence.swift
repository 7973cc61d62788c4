extension ObservableType {
    /// The only element of the stream, sent when that has completed.
    ///
    /// Fails with ``RxError/moreThanOneElement`` when a second element comes, and with ``RxError/noElements`` when the
    /// stream completes without one. Compare ``first()``.
    ///
    /// ```swift
    /// Observable.of(1, 2).asSingle()    // RxError.moreThanOneElement
    /// ```
    @inlinable
    public func asSingle() -> Single<Element> {
        Single(raw: only(orFailingWith: RxError.noElements))
    }

    /// The only element of the stream, if there is one, sent when that has completed.
    ///
    /// Fails with ``RxError/moreThanOneElement`` when a second element comes.
    ///
    /// ```swift
    /// Observable<Int>.empty().asMaybe()    // |
    /// ```
    @inlinable
    public func asMaybe() -> Maybe<Element> {
        Maybe(raw: only(orFailingWith: nil))
    }

    /// The first element of the stream, sent when it comes; `nil` if the stream completes without one.
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
                        // Sent already for an element that comes from within the delivery of the first.
                        if isSent.value { return }
                        isSent.value = true
                        sink.next(element)
                        sink.chain.complete()
                    })
            }))
    }

    /// All elements of the stream, when it has completed.
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
    /// A stream without elements, as a completable.
    ///
    /// ```swift
    /// Observable.of(1, 2).ignoreElements().asCompletable()    // |
    /// ```
    public func asCompletable() -> Completable {
        Completable(raw: asObservable())
    }
}
