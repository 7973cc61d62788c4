extension SharedSequence {
    /// A sequence that is complete at once.
    @inlinable
    public static func empty() -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(raw: Observable.empty().subscribe(on: SharingStrategy.scheduler))
    }

    /// A sequence that says nothing, ever.
    @inlinable
    public static func never() -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(raw: Observable.never())
    }

    /// A sequence of one element.
    @inlinable
    public static func just(_ element: Element) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(raw: Observable.just(element).subscribe(on: SharingStrategy.scheduler))
    }

    /// A sequence that `observableFactory` makes anew for each subscription.
    @inlinable
    @preconcurrency
    public static func deferred(
        _ observableFactory: @escaping @Sendable () -> SharedSequence<SharingStrategy, Element>
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(Observable.deferred { observableFactory().asObservable() })
    }

    /// A sequence of these elements.
    @inlinable
    public static func of(_ elements: Element...) -> SharedSequence<SharingStrategy, Element> {
        from(elements)
    }

    /// A sequence of the elements of an array.
    @inlinable
    public static func from(_ array: [Element]) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(raw: Observable.from(array, scheduler: SharingStrategy.scheduler))
    }

    /// A sequence of the elements of a sequence.
    @inlinable
    @preconcurrency
    public static func from<Elements: Sequence & Sendable>(
        _ sequence: Elements
    ) -> SharedSequence<SharingStrategy, Element> where Elements.Element == Element {
        SharedSequence(raw: Observable.from(sequence, scheduler: SharingStrategy.scheduler))
    }

    /// A sequence of the element, if there is one.
    @inlinable
    public static func from(optional: Element?) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(raw: Observable.from(optional: optional, scheduler: SharingStrategy.scheduler))
    }

    /// The elements of the sequences, one sequence after the other.
    @inlinable
    @preconcurrency
    public static func concat<Sequences: Sequence & Sendable>(
        _ sequence: Sequences
    ) -> SharedSequence<SharingStrategy, Element>
    where Sequences.Element == SharedSequence<SharingStrategy, Element> {
        SharedSequence(Observable.concat(sequence.map { $0.asObservable() }))
    }

    /// The elements of all sequences, as they come.
    @inlinable
    public static func merge(
        _ sources: SharedSequence<SharingStrategy, Element>...
    ) -> SharedSequence<SharingStrategy, Element> {
        merge(sources)
    }

    /// The elements of all sequences, as they come.
    @inlinable
    public static func merge(
        _ sources: [SharedSequence<SharingStrategy, Element>]
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(Observable.merge(sources.map { $0.asObservable() }))
    }

    /// The elements of all sequences of the collection, as they come.
    @inlinable
    @preconcurrency
    public static func merge<Sequences: Collection & Sendable>(
        _ sources: Sequences
    ) -> SharedSequence<SharingStrategy, Element>
    where Sequences.Element == SharedSequence<SharingStrategy, Element> {
        SharedSequence(Observable.merge(sources.map { $0.asObservable() }))
    }

    /// The latest elements of all sequences, whenever one of them has a new one.
    @inlinable
    @preconcurrency
    public static func combineLatest<Sequences: Collection & Sendable, Result: Sendable>(
        _ collection: Sequences, resultSelector: @escaping @Sendable ([Element]) throws -> Result
    ) -> SharedSequence<SharingStrategy, Result>
    where Sequences.Element == SharedSequence<SharingStrategy, Element> {
        SharedSequence<SharingStrategy, Result>(
            Observable.combineLatest(collection.map { $0.asObservable() }, resultSelector: resultSelector))
    }

    /// The elements of all sequences that have the same number, once all are there.
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
    /// The latest elements of all sequences, in an array, whenever one of them has a new one.
    @inlinable
    @preconcurrency
    public static func combineLatest<Sequences: Collection & Sendable>(
        _ collection: Sequences
    ) -> SharedSequence<SharingStrategy, [Element]>
    where Sequences.Element == SharedSequence<SharingStrategy, Element> {
        combineLatest(collection) { $0 }
    }

    /// The elements of all sequences that have the same number, in an array, once all are there.
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
    /// Counts up from 0, once every `period`.
    @inlinable
    public static func interval(_ period: RxTimeInterval) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(Observable.interval(period, scheduler: SharingStrategy.scheduler))
    }

    /// Counts up from 0, first after `duration` and then once every `period`.
    @inlinable
    public static func timer(
        _ duration: RxTimeInterval, period: RxTimeInterval
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(Observable.timer(duration, period: period, scheduler: SharingStrategy.scheduler))
    }
}
