extension SharedSequence {
    @inlinable
    public static func empty() -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(raw: Observable.empty().subscribe(on: SharingStrategy.scheduler))
    }

    @inlinable
    public static func never() -> SharedSequence<SharingStrategy, Element> { SharedSequence(raw: Observable.never()) }

    @inlinable
    public static func just(_ element: Element) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(raw: Observable.just(element).subscribe(on: SharingStrategy.scheduler))
    }

    @inlinable @preconcurrency
    public static func deferred(
        _ observableFactory: @escaping @Sendable () -> SharedSequence<SharingStrategy, Element>
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(Observable.deferred { observableFactory().asObservable() })
    }

    @inlinable
    public static func of(_ elements: Element...) -> SharedSequence<SharingStrategy, Element> { from(elements) }

    @inlinable
    public static func from(_ array: [Element]) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(raw: Observable.from(array, scheduler: SharingStrategy.scheduler))
    }

    @inlinable @preconcurrency
    public static func from<Elements: Sequence & Sendable>(
        _ sequence: Elements
    ) -> SharedSequence<SharingStrategy, Element> where Elements.Element == Element {
        SharedSequence(raw: Observable.from(sequence, scheduler: SharingStrategy.scheduler))
    }

    @inlinable
    public static func from(optional: Element?) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(raw: Observable.from(optional: optional, scheduler: SharingStrategy.scheduler))
    }

    @inlinable @preconcurrency
    public static func concat<Sequences: Sequence & Sendable>(
        _ sequence: Sequences
    ) -> SharedSequence<SharingStrategy, Element> where Sequences.Element == SharedSequence<SharingStrategy, Element> {
        SharedSequence(Observable.concat(sequence.map { $0.asObservable() }))
    }

    @inlinable
    public static func merge(
        _ sources: SharedSequence<SharingStrategy, Element>...
    ) -> SharedSequence<SharingStrategy, Element> { merge(sources) }

    @inlinable
    public static func merge(
        _ sources: [SharedSequence<SharingStrategy, Element>]
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(Observable.merge(sources.map { $0.asObservable() }))
    }

    @inlinable @preconcurrency
    public static func merge<Sequences: Collection & Sendable>(
        _ sources: Sequences
    ) -> SharedSequence<SharingStrategy, Element> where Sequences.Element == SharedSequence<SharingStrategy, Element> {
        SharedSequence(Observable.merge(sources.map { $0.asObservable() }))
    }

    @inlinable @preconcurrency
    public static func combineLatest<Sequences: Collection & Sendable, Result: Sendable>(
        _ collection: Sequences, resultSelector: @escaping @Sendable ([Element]) throws -> Result
    ) -> SharedSequence<SharingStrategy, Result> where Sequences.Element == SharedSequence<SharingStrategy, Element> {
        SharedSequence<SharingStrategy, Result>(
            Observable.combineLatest(collection.map { $0.asObservable() }, resultSelector: resultSelector))
    }

    @inlinable @preconcurrency
    public static func zip<Sequences: Collection & Sendable, Result: Sendable>(
        _ collection: Sequences, resultSelector: @escaping @Sendable ([Element]) throws -> Result
    ) -> SharedSequence<SharingStrategy, Result> where Sequences.Element == SharedSequence<SharingStrategy, Element> {
        SharedSequence<SharingStrategy, Result>(
            Observable.zip(collection.map { $0.asObservable() }, resultSelector: resultSelector))
    }
}

extension SharedSequence {
    @inlinable @preconcurrency
    public static func combineLatest<Sequences: Collection & Sendable>(
        _ collection: Sequences
    ) -> SharedSequence<SharingStrategy, [Element]>
    where Sequences.Element == SharedSequence<SharingStrategy, Element> { combineLatest(collection) { $0 } }

    @inlinable @preconcurrency
    public static func zip<Sequences: Collection & Sendable>(
        _ collection: Sequences
    ) -> SharedSequence<SharingStrategy, [Element]>
    where Sequences.Element == SharedSequence<SharingStrategy, Element> { zip(collection) { $0 } }
}

extension SharedSequence where Element: FixedWidthInteger {
    @inlinable
    public static func interval(_ period: RxTimeInterval) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(Observable.interval(period, scheduler: SharingStrategy.scheduler))
    }

    @inlinable
    public static func timer(
        _ duration: RxTimeInterval, period: RxTimeInterval
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(Observable.timer(duration, period: period, scheduler: SharingStrategy.scheduler))
    }
}
