extension SharedSequence {
    /// Creates a sequence that completes on subscription.
    ///
    /// ```swift
    /// Driver<Int>.empty()    // a driver that only completes
    /// ```
    @inlinable
    public static func empty() -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(raw: Observable.empty().subscribe(on: SharingStrategy.scheduler))
    }

    /// Creates a sequence that never emits an event.
    ///
    /// ```swift
    /// Driver<Int>.never()    // a driver without events
    /// ```
    @inlinable
    public static func never() -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(raw: Observable.never())
    }

    /// Creates a sequence that emits one element on subscription.
    ///
    /// ```swift
    /// Driver.just(1)    // a driver of 1
    /// ```
    @inlinable
    public static func just(_ element: Element) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(raw: Observable.just(element).subscribe(on: SharingStrategy.scheduler))
    }

    /// Creates a sequence that calls `observableFactory` for each subscription and emits the events of the returned
    /// sequence.
    ///
    /// ```swift
    /// Driver.deferred { Driver.just(Calendar.current.timeZone) }    // the time zone of the subscription
    /// ```
    @inlinable
    @preconcurrency
    public static func deferred(
        _ observableFactory: @escaping @Sendable () -> SharedSequence<SharingStrategy, Element>
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(Observable.deferred { observableFactory().asObservable() })
    }

    /// Creates a sequence of the given elements.
    ///
    /// ```swift
    /// Driver.of(1, 2)    // a driver of 1, 2
    /// ```
    @inlinable
    public static func of(_ elements: Element...) -> SharedSequence<SharingStrategy, Element> {
        from(elements)
    }

    /// Creates a sequence of the elements of an array.
    ///
    /// ```swift
    /// Driver.from([1, 2])    // a driver of 1, 2
    /// ```
    @inlinable
    public static func from(_ array: [Element]) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(raw: Observable.from(array, scheduler: SharingStrategy.scheduler))
    }

    /// Creates a shared sequence of the elements of a Swift sequence.
    ///
    /// ```swift
    /// Driver.from(1...3)    // a driver of 1, 2, 3
    /// ```
    @inlinable
    @preconcurrency
    public static func from<Elements: Sequence & Sendable>(
        _ sequence: Elements
    ) -> SharedSequence<SharingStrategy, Element> where Elements.Element == Element {
        SharedSequence(raw: Observable.from(sequence, scheduler: SharingStrategy.scheduler))
    }

    /// Creates a sequence that emits the element if it is not `nil`, and completes.
    ///
    /// ```swift
    /// Driver.from(optional: Int("x"))    // a driver that only completes
    /// ```
    @inlinable
    public static func from(optional: Element?) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(raw: Observable.from(optional: optional, scheduler: SharingStrategy.scheduler))
    }

    /// Concatenates the sequences: each one is subscribed when the previous one has completed.
    ///
    /// ```swift
    /// Driver.concat([Driver.of(1, 2), Driver.just(3)])    // a driver of 1, 2, 3
    /// ```
    @inlinable
    @preconcurrency
    public static func concat<Sequences: Sequence & Sendable>(
        _ sequence: Sequences
    ) -> SharedSequence<SharingStrategy, Element>
    where Sequences.Element == SharedSequence<SharingStrategy, Element> {
        SharedSequence(Observable.concat(sequence.map { $0.asObservable() }))
    }

    /// Emits the elements of all sequences as they arrive.
    ///
    /// ```swift
    /// Signal.merge(refreshTaps, pulls)    // every tap and every pull
    /// ```
    @inlinable
    public static func merge(
        _ sources: SharedSequence<SharingStrategy, Element>...
    ) -> SharedSequence<SharingStrategy, Element> {
        merge(sources)
    }

    /// Emits the elements of all sequences as they arrive.
    ///
    /// ```swift
    /// Signal.merge([refreshTaps, pulls])    // every tap and every pull
    /// ```
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
    /// all have emitted one. An error that `resultSelector` throws terminates the result, and is passed to
    /// ``Hooks/defaultErrorHandler``.
    ///
    /// ```swift
    /// Driver.combineLatest(fields.map(\.isValid)) { $0.allSatisfy { $0 } }    // whether all fields are valid
    /// ```
    @inlinable
    @preconcurrency
    public static func combineLatest<Sequences: Collection & Sendable, Result: Sendable>(
        _ collection: Sequences, resultSelector: @escaping @Sendable ([Element]) throws -> Result
    ) -> SharedSequence<SharingStrategy, Result>
    where Sequences.Element == SharedSequence<SharingStrategy, Element> {
        SharedSequence<SharingStrategy, Result>(
            Observable.combineLatest(collection.map { $0.asObservable() }, resultSelector: resultSelector))
    }

    /// Combines the first elements of all sequences with `resultSelector`, then the second ones, and so on. An error
    /// that `resultSelector` throws terminates the result, and is passed to ``Hooks/defaultErrorHandler``.
    ///
    /// ```swift
    /// Driver.zip([Driver.of(1, 2), Driver.of(3, 4)]) { $0.reduce(0, +) }    // a driver of 4, 6
    /// ```
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
    ///
    /// ```swift
    /// Driver.combineLatest([Driver.just(1), Driver.just(2)])    // a driver of [1, 2]
    /// ```
    @inlinable
    @preconcurrency
    public static func combineLatest<Sequences: Collection & Sendable>(
        _ collection: Sequences
    ) -> SharedSequence<SharingStrategy, [Element]>
    where Sequences.Element == SharedSequence<SharingStrategy, Element> {
        combineLatest(collection) { $0 }
    }

    /// Emits an array of the first elements of all sequences, then one of the second ones, and so on.
    ///
    /// ```swift
    /// Driver.zip([Driver.of(1, 2), Driver.of(3, 4)])    // a driver of [1, 3], [2, 4]
    /// ```
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
    ///
    /// ```swift
    /// Driver<Int>.interval(.seconds(1))    // 0, 1, 2 …, one each second
    /// ```
    @inlinable
    public static func interval(_ period: RxTimeInterval) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(Observable.interval(period, scheduler: SharingStrategy.scheduler))
    }

    /// Creates a sequence that counts from 0, first after `duration` and then every `period`.
    ///
    /// ```swift
    /// Driver<Int>.timer(.seconds(3), period: .seconds(1))    // 0 after three seconds, then 1, 2 …, one each second
    /// ```
    @inlinable
    public static func timer(
        _ duration: RxTimeInterval, period: RxTimeInterval
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(Observable.timer(duration, period: period, scheduler: SharingStrategy.scheduler))
    }
}
