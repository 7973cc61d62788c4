extension ObservableType {
    /// Emits the events of the stream as elements, including the terminal event, and then completes.
    ///
    /// ```swift
    /// Observable.of(1, 2).materialize()    // next(1) next(2) completed |
    /// ```
    @inlinable
    public func materialize() -> Observable<Event<Element>> {
        let source = asObservable()
        return Observable(connect: { sink in
            let next = sink.next
            let chain = Chain(above: sink.chain) { error in
                next(error.map { .error($0) } ?? .completed)
                sink.chain.complete()
            }
            source.connect(Sink(chain) { next(.next($0)) })
        })
    }
}

extension ObservableType where Element: EventConvertible, Element.Element: Sendable {
    /// Emits the events that the elements represent: the inverse of ``ObservableType/materialize()``.
    ///
    /// ```swift
    /// Observable.of(Event.next(1), .next(2), .completed, .next(3)).dematerialize()    // 1 2 |
    /// ```
    @inlinable
    public func dematerialize() -> Observable<Element.Element> {
        .stage(below: asObservable()) { element, context in
            switch element.event {
            case .next(var element): context.send(&element)
            case .error(let error): context.fail(error)
            case .completed: context.complete()
            }
        }
    }
}
