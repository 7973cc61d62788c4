extension ObservableType {
    /// Creates a stream of the given elements.
    ///
    /// ```swift
    /// Observable.of(1, 2, 3)    // 1 2 3 |
    /// ```
    @inlinable
    public static func of(
        _ elements: Element..., scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Observable<Element> { from(elements, scheduler: scheduler) }

    /// Creates a stream of the elements of an array.
    ///
    /// Each element is scheduled separately, so that several such streams interleave.
    ///
    /// ```swift
    /// Observable.from([1, 2])    // 1 2 |
    /// ```
    @inlinable
    public static func from(
        _ array: [Element], scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Observable<Element> {
        if type(of: scheduler) != CurrentThreadScheduler.self { return .scheduled(array, on: scheduler) }
        // Captures the array alone, whose reference is then the context of the closure.
        return Observable(connect: { sink in
            let (next, chain) = (sink.next, sink.chain)
            CurrentThreadScheduler.instance.repeat(on: chain) { index in
                guard index < array.count else {
                    chain.complete()
                    return false
                }
                next(array[index])
                return true
            }
        })
    }

    /// Creates a stream of the elements of a sequence.
    ///
    /// ```swift
    /// Observable.from(1...3)    // 1 2 3 |
    /// ```
    @inlinable @preconcurrency
    public static func from<Elements: Sequence & Sendable>(
        _ sequence: Elements, scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Observable<Element> where Elements.Element == Element {
        from(sequence: sequence, scheduler)
    }

    /// Creates a stream that emits the element if it is not `nil`, and completes.
    ///
    /// ```swift
    /// Observable.from(optional: Int("x"))    // |
    /// ```
    @inlinable
    public static func from(optional: Element?) -> Observable<Element> {
        optional.map { .just($0) } ?? .empty()
    }

    /// Creates a stream that emits the element on `scheduler` if it is not `nil`, and completes.
    ///
    /// ```swift
    /// Observable.from(optional: 1, scheduler: scheduler)    // 1 at 0 s, | at 0 s
    /// ```
    @inlinable
    public static func from(
        optional: Element?, scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Observable<Element> {
        from(sequence: CollectionOfOne(optional).compactMap { $0 }, scheduler)
    }

    @inlinable
    static func from(
        sequence: some Sequence<Element> & Sendable, _ scheduler: any ImmediateSchedulerType
    ) -> Observable<Element> {
        Observable(connect: { sink in
            var iterator = sequence.makeIterator()
            scheduler.repeat(on: sink.chain) { _ in
                guard let element = iterator.next() else {
                    sink.chain.complete()
                    return false
                }
                sink.next(element)
                return true
            }
        })
    }
}

extension Observable {
    // Compiled once: scheduling an element takes longer than reading it from the array.
    @usableFromInline
    static func scheduled(_ array: [Element], on scheduler: any ImmediateSchedulerType) -> Observable {
        scheduled(sequence: array, scheduler)
    }

    // Private, so that the one above is not inlined in clients.
    private static func scheduled(sequence: [Element], _ scheduler: any ImmediateSchedulerType) -> Observable {
        from(sequence: sequence, scheduler)
    }
}
