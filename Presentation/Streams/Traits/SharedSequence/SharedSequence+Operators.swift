// The operators of shared sequences: those of `Observable` that neither fail nor leave the scheduler.

extension SharedSequenceConvertibleType {
    @inlinable @preconcurrency
    public func map<Result: Sendable>(
        _ selector: @escaping @Sendable (Element) -> Result
    ) -> SharedSequence<SharingStrategy, Result> { SharedSequence(asObservable().map(selector)) }

    @inlinable @preconcurrency
    public func compactMap<Result: Sendable>(
        _ selector: @escaping @Sendable (Element) -> Result?
    ) -> SharedSequence<SharingStrategy, Result> { SharedSequence(asObservable().compactMap(selector)) }

    @inlinable @preconcurrency
    public func filter(_ predicate: @escaping @Sendable (Element) -> Bool) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().filter(predicate))
    }

    @inlinable @preconcurrency
    public func flatMapLatest<Strategy: SharingStrategyProtocol, Result: Sendable>(
        _ selector: @escaping @Sendable (Element) -> SharedSequence<Strategy, Result>
    ) -> SharedSequence<Strategy, Result> { SharedSequence<Strategy, Result>(asObservable().flatMapLatest(selector)) }

    @inlinable @preconcurrency
    public func flatMapFirst<Strategy: SharingStrategyProtocol, Result: Sendable>(
        _ selector: @escaping @Sendable (Element) -> SharedSequence<Strategy, Result>
    ) -> SharedSequence<Strategy, Result> { SharedSequence<Strategy, Result>(asObservable().flatMapFirst(selector)) }

    @inlinable @preconcurrency
    public func flatMap<Strategy: SharingStrategyProtocol, Result: Sendable>(
        _ selector: @escaping @Sendable (Element) -> SharedSequence<Strategy, Result>
    ) -> SharedSequence<Strategy, Result> { SharedSequence<Strategy, Result>(asObservable().flatMap(selector)) }

    /// Calls functions at the events of this sequence, and forwards the events unchanged.
    ///
    /// For custom strategies. The overload for ``Driver`` and ``Signal`` takes main-actor functions.
    @inlinable @_disfavoredOverload @preconcurrency
    public func `do`(
        onNext: (@Sendable (Element) -> Void)? = nil, afterNext: (@Sendable (Element) -> Void)? = nil,
        onCompleted: (@Sendable () -> Void)? = nil, afterCompleted: (@Sendable () -> Void)? = nil,
        onSubscribe: (@Sendable () -> Void)? = nil, onSubscribed: (@Sendable () -> Void)? = nil,
        onDispose: (@Sendable () -> Void)? = nil
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(
            asObservable().do(
                onNext: onNext, afterNext: afterNext, onCompleted: onCompleted, afterCompleted: afterCompleted,
                onSubscribe: onSubscribe, onSubscribed: onSubscribed, onDispose: onDispose))
    }

    @inlinable
    public func debug(
        _ identifier: String? = nil, trimOutput: Bool = false, file: String = #fileID, line: UInt = #line,
        function: String = #function
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(
            asObservable().debug(identifier, trimOutput: trimOutput, file: file, line: line, function: function))
    }

    @inlinable @preconcurrency
    public func scan<Accumulated: Sendable>(
        _ seed: Accumulated, accumulator: @escaping @Sendable (Accumulated, Element) -> Accumulated
    ) -> SharedSequence<SharingStrategy, Accumulated> {
        SharedSequence<SharingStrategy, Accumulated>(asObservable().scan(seed, accumulator: accumulator))
    }

    @inlinable
    public func startWith(_ element: Element) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().startWith(element))
    }

    @inlinable
    public func skip(_ count: Int) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().skip(count))
    }

    @inlinable
    public func delay(_ dueTime: RxTimeInterval) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().delay(dueTime, scheduler: SharingStrategy.scheduler))
    }

    @inlinable
    public func throttle(_ dueTime: RxTimeInterval, latest: Bool = true) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().throttle(dueTime, latest: latest, scheduler: SharingStrategy.scheduler))
    }

    @inlinable
    public func debounce(_ dueTime: RxTimeInterval) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().debounce(dueTime, scheduler: SharingStrategy.scheduler))
    }

    @inlinable @preconcurrency
    public func distinctUntilChanged<Key: Equatable & Sendable>(
        _ keySelector: @escaping @Sendable (Element) -> Key
    ) -> SharedSequence<SharingStrategy, Element> { SharedSequence(asObservable().distinctUntilChanged(keySelector)) }

    @inlinable @preconcurrency
    public func distinctUntilChanged(
        _ comparer: @escaping @Sendable (_ lhs: Element, _ rhs: Element) -> Bool
    ) -> SharedSequence<SharingStrategy, Element> { SharedSequence(asObservable().distinctUntilChanged(comparer)) }

    @inlinable @preconcurrency
    public func distinctUntilChanged<Key: Sendable>(
        _ keySelector: @escaping @Sendable (Element) -> Key,
        comparer: @escaping @Sendable (_ lhs: Key, _ rhs: Key) -> Bool
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().distinctUntilChanged(keySelector, comparer: comparer))
    }

    @inlinable @preconcurrency
    public func withUnretained<Object: AnyObject & Sendable, Result: Sendable>(
        _ object: Object, resultSelector: @escaping @Sendable (Object, Element) -> Result
    ) -> SharedSequence<SharingStrategy, Result> {
        SharedSequence<SharingStrategy, Result>(
            asObservable().withUnretained(object, resultSelector: resultSelector))
    }

    @inlinable @preconcurrency
    public func withUnretained<Object: AnyObject & Sendable>(
        _ object: Object
    ) -> SharedSequence<SharingStrategy, (Object, Element)> { withUnretained(object) { ($0, $1) } }

    @inlinable @preconcurrency
    public func withLatestFrom<Second: SharedSequenceConvertibleType, Result: Sendable>(
        _ second: Second, resultSelector: @escaping @Sendable (Element, Second.Element) -> Result
    ) -> SharedSequence<SharingStrategy, Result> {
        SharedSequence<SharingStrategy, Result>(
            asObservable().withLatestFrom(second.asObservable(), resultSelector: resultSelector))
    }

    @inlinable
    public func withLatestFrom<Second: SharedSequenceConvertibleType>(
        _ second: Second
    ) -> SharedSequence<SharingStrategy, Second.Element> {
        SharedSequence<SharingStrategy, Second.Element>(asObservable().withLatestFrom(second.asObservable()))
    }
}

extension SharedSequenceConvertibleType where SharingStrategy: MainActorSharingStrategyProtocol {
    /// Calls main-actor functions at the events of this sequence, and forwards the events unchanged.
    ///
    /// All observers of a shared sequence share one subscription to its source, so each function is called once for
    /// each event, not once for each observer.
    ///
    /// ```swift
    /// let page = titles.asDriver(onErrorJustReturn: "?")
    ///     .do(onNext: { title in label.text = title })    // `label` may be main-actor isolated
    /// ```
    ///
    /// - Parameters:
    ///   - onNext: Called with each element before it is forwarded.
    ///   - afterNext: Called with each element after it was forwarded.
    ///   - onCompleted: Called before completion is forwarded.
    ///   - afterCompleted: Called after completion was forwarded.
    ///   - onSubscribe: Called before the subscription to the source, on the subscribing thread.
    ///   - onSubscribed: Called after the subscription to the source, on the subscribing thread.
    ///   - onDispose: Called once, after the subscription to the source was disposed, on the disposing thread.
    @inlinable @preconcurrency
    public func `do`(
        onNext: (@MainActor @Sendable (Element) -> Void)? = nil,
        afterNext: (@MainActor @Sendable (Element) -> Void)? = nil,
        onCompleted: (@MainActor @Sendable () -> Void)? = nil, afterCompleted: (@MainActor @Sendable () -> Void)? = nil,
        onSubscribe: (@Sendable () -> Void)? = nil, onSubscribed: (@Sendable () -> Void)? = nil,
        onDispose: (@Sendable () -> Void)? = nil
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(
            asObservable().do(
                onNext: onNext.map(onMainActor), afterNext: afterNext.map(onMainActor),
                onCompleted: onCompleted.map(onMainActor), afterCompleted: afterCompleted.map(onMainActor),
                onSubscribe: onSubscribe, onSubscribed: onSubscribed, onDispose: onDispose))
    }
}

extension SharedSequenceConvertibleType {
    @inlinable
    public func asInfallible() -> Infallible<Element> { Infallible(asObservable()) }
}

extension SharedSequenceConvertibleType where Element: Equatable {
    @inlinable
    public func distinctUntilChanged() -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().distinctUntilChanged())
    }
}

extension SharedSequenceConvertibleType where Element: SharedSequenceConvertibleType {
    @inlinable
    public func switchLatest() -> SharedSequence<Element.SharingStrategy, Element.Element> {
        SharedSequence<Element.SharingStrategy, Element.Element>(
            asObservable().map { $0.asObservable() }.switchLatest())
    }

    @inlinable
    public func merge() -> SharedSequence<Element.SharingStrategy, Element.Element> {
        SharedSequence<Element.SharingStrategy, Element.Element>(asObservable().map { $0.asObservable() }.merge())
    }

    @inlinable
    public func merge(maxConcurrent: Int) -> SharedSequence<Element.SharingStrategy, Element.Element> {
        SharedSequence<Element.SharingStrategy, Element.Element>(
            asObservable().map { $0.asObservable() }.merge(maxConcurrent: maxConcurrent))
    }
}

extension SharedSequence {
    @inlinable
    public static func empty() -> SharedSequence {
        SharedSequence(raw: Observable.empty().subscribe(on: SharingStrategy.scheduler))
    }

    @inlinable
    public static func never() -> SharedSequence { SharedSequence(raw: Observable.never()) }

    @inlinable
    public static func just(_ element: Element) -> SharedSequence {
        SharedSequence(raw: Observable.just(element).subscribe(on: SharingStrategy.scheduler))
    }

    @inlinable @preconcurrency
    public static func deferred(_ observableFactory: @escaping @Sendable () -> SharedSequence) -> SharedSequence {
        SharedSequence(Observable.deferred { observableFactory().asObservable() })
    }

    @inlinable
    public static func of(_ elements: Element...) -> SharedSequence { from(elements) }

    @inlinable
    public static func from(_ array: [Element]) -> SharedSequence {
        SharedSequence(raw: Observable.from(array, scheduler: SharingStrategy.scheduler))
    }

    @inlinable @preconcurrency
    public static func from<Elements: Sequence & Sendable>(
        _ sequence: Elements
    ) -> SharedSequence where Elements.Element == Element {
        SharedSequence(raw: Observable.from(sequence, scheduler: SharingStrategy.scheduler))
    }

    @inlinable
    public static func from(optional: Element?) -> SharedSequence {
        SharedSequence(raw: Observable.from(optional: optional, scheduler: SharingStrategy.scheduler))
    }

    @inlinable @preconcurrency
    public static func concat<Sequences: Sequence & Sendable>(
        _ sequence: Sequences
    ) -> SharedSequence where Sequences.Element == SharedSequence {
        SharedSequence(Observable.concat(sequence.map { $0.asObservable() }))
    }

    @inlinable
    public static func merge(_ sources: SharedSequence...) -> SharedSequence { merge(sources) }

    @inlinable
    public static func merge(_ sources: [SharedSequence]) -> SharedSequence {
        SharedSequence(Observable.merge(sources.map { $0.asObservable() }))
    }

    @inlinable @preconcurrency
    public static func merge<Sequences: Collection & Sendable>(
        _ sources: Sequences
    ) -> SharedSequence where Sequences.Element == SharedSequence {
        SharedSequence(Observable.merge(sources.map { $0.asObservable() }))
    }

    @inlinable @preconcurrency
    public static func combineLatest<Sequences: Collection & Sendable, Result: Sendable>(
        _ collection: Sequences, resultSelector: @escaping @Sendable ([Element]) throws -> Result
    ) -> SharedSequence<SharingStrategy, Result> where Sequences.Element == SharedSequence {
        SharedSequence<SharingStrategy, Result>(
            Observable.combineLatest(collection.map { $0.asObservable() }, resultSelector: resultSelector))
    }

    @inlinable @preconcurrency
    public static func zip<Sequences: Collection & Sendable, Result: Sendable>(
        _ collection: Sequences, resultSelector: @escaping @Sendable ([Element]) throws -> Result
    ) -> SharedSequence<SharingStrategy, Result> where Sequences.Element == SharedSequence {
        SharedSequence<SharingStrategy, Result>(
            Observable.zip(collection.map { $0.asObservable() }, resultSelector: resultSelector))
    }
}

extension SharedSequence {
    @inlinable @preconcurrency
    public static func combineLatest<Sequences: Collection & Sendable>(
        _ collection: Sequences
    ) -> SharedSequence<SharingStrategy, [Element]>
    where Sequences.Element == SharedSequence { combineLatest(collection) { $0 } }

    @inlinable @preconcurrency
    public static func zip<Sequences: Collection & Sendable>(
        _ collection: Sequences
    ) -> SharedSequence<SharingStrategy, [Element]>
    where Sequences.Element == SharedSequence { zip(collection) { $0 } }
}

extension SharedSequence where Element: FixedWidthInteger {
    @inlinable
    public static func interval(_ period: RxTimeInterval) -> SharedSequence {
        SharedSequence(Observable.interval(period, scheduler: SharingStrategy.scheduler))
    }

    @inlinable
    public static func timer(_ duration: RxTimeInterval, period: RxTimeInterval) -> SharedSequence {
        SharedSequence(Observable.timer(duration, period: period, scheduler: SharingStrategy.scheduler))
    }
}
