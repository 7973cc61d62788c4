extension SharedSequence {
    /// Creates a sequence that completes on subscription.
    @inlinable
    public static func empty() -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(raw: Observable.empty().subscribe(on: SharingStrategy.scheduler))
    }

    /// Creates a sequence that never emits an event.
    @inlinable
    public static func never() -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(raw: Observable.never())
    }

    /// Creates a sequence that emits one element on subscription.
    @inlinable
    public static func just(_ element: Element) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(raw: Observable.just(element).subscribe(on: SharingStrategy.scheduler))
    }

    /// Creates a sequence that calls `observableFactory` for each subscription and emits the events of the returned
    /// sequence.
    @inlinable
    @preconcurrency
    public static func deferred(
        _ observableFactory: @escaping @Sendable () -> SharedSequence<SharingStrategy, Element>
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(Observable.deferred { observableFactory().asObservable() })
    }

    /// Creates a sequence of the given elements.
    @inlinable
    public static func of(_ elements: Element...) -> SharedSequence<SharingStrategy, Element> {
        from(elements)
    }

    /// Creates a sequence of the elements of an array.
    @inlinable
    public static func from(_ array: [Element]) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(raw: Observable.from(array, scheduler: SharingStrategy.scheduler))
    }

    /// Creates a shared sequence of the elements of a Swift sequence.
    @inlinable
    @preconcurrency
    public static func from<Elements: Sequence & Sendable>(
        _ sequence: Elements
    ) -> SharedSequence<SharingStrategy, Element> where Elements.Element == Element {
        SharedSequence(raw: Observable.from(sequence, scheduler: SharingStrategy.scheduler))
    }

    /// Creates a sequence that emits the element if it is not `nil`, and completes.
    @inlinable
    public static func from(optional: Element?) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(raw: Observable.from(optional: optional, scheduler: SharingStrategy.scheduler))
    }

    /// Concatenates the sequences: each one is subscribed when the previous one has completed.
    @inlinable
    @preconcurrency
    public static func concat<Sequences: Sequence & Sendable>(
        _ sequence: Sequences
    ) -> SharedSequence<SharingStrategy, Element>
    where Sequences.Element == SharedSequence<SharingStrategy, Element> {
        SharedSequence(Observable.concat(sequence.map { $0.asObservable() }))
    }

    /// Emits the elements of all sequences as they arrive.
    @inlinable
    public static func merge(
        _ sources: SharedSequence<SharingStrategy, Element>...
    ) -> SharedSequence<SharingStrategy, Element> {
        merge(sources)
    }

    /// Emits the elements of all sequences as they arrive.
    @inlinable
    public static func merge(
        _ sources: [SharedSequence<SharingStrategy, Element>]
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(Observable.merge(sources.map { $0.asObservable() }))
    }

    /// Emits the elements of all sequences of the collection as they arrive.
    @inlinable
    @preconcurrency
    public static func merge<Sequences: Collection & Sendable>(
        _ sources: Sequences
    ) -> SharedSequence<SharingStrategy, Element>
    where Sequences.Element == SharedSequence<SharingStrategy, Element> {
        SharedSequence(Observable.merge(sources.map { $0.asObservable() }))
    }

    /// Combines the latest elements of all sequences with `resultSelector`, whenever one of them emits an element and
    /// all have emitted one.
    @inlinable
    @preconcurrency
    public static func combineLatest<Sequences: Collection & Sendable, Result: Sendable>(
        _ collection: Sequences, resultSelector: @escaping @Sendable ([Element]) throws -> Result
    ) -> SharedSequence<SharingStrategy, Result>
    where Sequences.Element == SharedSequence<SharingStrategy, Element> {
        SharedSequence<SharingStrategy, Result>(
            Observable.combineLatest(collection.map { $0.asObservable() }, resultSelector: resultSelector))
    }

    /// Combines the first elements of all sequences with `resultSelector`, then the second ones, and so on.
    @inlinable
    @preconcurrency
    public static func zip<Sequences: Collection & Sendable, Result: Sendable>(
        _ collection: Sequences, resultSelector: @escaping @Sendable ([Element]) throws -> Result
    ) -> SharedSequence<SharingStrategy, Result>
    where Sequences.Element == SharedSequence<SharingStrategy, Element> {
        SharedSequence<SharingStrategy, Result>(
            Observable.zip(collection.map { $0.asObservable() }, resultSelector: resultSelector))
    }
}

extension SharedSequence {
    /// Emits an array of the latest elements of all sequences, whenever one of them emits an element and all have
    /// emitted one.
    @inlinable
    @preconcurrency
    public static func combineLatest<Sequences: Collection & Sendable>(
        _ collection: Sequences
    ) -> SharedSequence<SharingStrategy, [Element]>
    where Sequences.Element == SharedSequence<SharingStrategy, Element> {
        combineLatest(collection) { $0 }
    }

    /// Emits an array of the first elements of all sequences, then one of the second ones, and so on.
    @inlinable
    @preconcurrency
    public static func zip<Sequences: Collection & Sendable>(
        _ collection: Sequences
    ) -> SharedSequence<SharingStrategy, [Element]>
    where Sequences.Element == SharedSequence<SharingStrategy, Element> {
        zip(collection) { $0 }
    }
}

extension SharedSequence where Element: FixedWidthInteger {
    /// Creates a sequence that counts from 0 every `period`.
    @inlinable
    public static func interval(_ period: RxTimeInterval) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(Observable.interval(period, scheduler: SharingStrategy.scheduler))
    }

    /// Creates a sequence that counts from 0, first after `duration` and then every `period`.
    @inlinable
    public static func timer(
        _ duration: RxTimeInterval, period: RxTimeInterval
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(Observable.timer(duration, period: period, scheduler: SharingStrategy.scheduler))
    }
}
