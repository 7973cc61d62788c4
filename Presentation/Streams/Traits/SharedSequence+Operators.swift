// Operators of shared sequences: those of `Observable` that neither fail nor leave the scheduler.

extension SharedSequenceConvertibleType {
    /// Each element transformed.
    @inlinable
    @preconcurrency
    public func map<Result: Sendable>(
        _ selector: @escaping @Sendable (Element) -> Result
    ) -> SharedSequence<SharingStrategy, Result> {
        SharedSequence(asObservable().map(selector))
    }

    /// Each element transformed, less those that become `nil`.
    @inlinable
    @preconcurrency
    public func compactMap<Result: Sendable>(
        _ selector: @escaping @Sendable (Element) -> Result?
    ) -> SharedSequence<SharingStrategy, Result> {
        SharedSequence(asObservable().compactMap(selector))
    }

    /// The elements for which `predicate` holds.
    @inlinable
    @preconcurrency
    public func filter(
        _ predicate: @escaping @Sendable (Element) -> Bool
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().filter(predicate))
    }

    /// The elements of the stream made of the latest element.
    @inlinable
    @preconcurrency
    public func flatMapLatest<Strategy: SharingStrategyProtocol, Result: Sendable>(
        _ selector: @escaping @Sendable (Element) -> SharedSequence<Strategy, Result>
    ) -> SharedSequence<Strategy, Result> {
        SharedSequence<Strategy, Result>(asObservable().flatMapLatest(selector))
    }

    /// The elements of the stream made of an element, ignoring elements while it is under way.
    @inlinable
    @preconcurrency
    public func flatMapFirst<Strategy: SharingStrategyProtocol, Result: Sendable>(
        _ selector: @escaping @Sendable (Element) -> SharedSequence<Strategy, Result>
    ) -> SharedSequence<Strategy, Result> {
        SharedSequence<Strategy, Result>(asObservable().flatMapFirst(selector))
    }

    /// The elements of the streams made of each element, as they come.
    @inlinable
    @preconcurrency
    public func flatMap<Strategy: SharingStrategyProtocol, Result: Sendable>(
        _ selector: @escaping @Sendable (Element) -> SharedSequence<Strategy, Result>
    ) -> SharedSequence<Strategy, Result> {
        SharedSequence<Strategy, Result>(asObservable().flatMap(selector))
    }

    /// The sequence as it is, with functions that are called on its way.
    ///
    /// For a strategy of yours. Of a ``Driver`` or ``Signal``, the functions are main-actor functions.
    @inlinable
    @_disfavoredOverload
    @preconcurrency
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

    /// Prints what happens.
    @inlinable
    public func debug(
        _ identifier: String? = nil, trimOutput: Bool = false, file: String = #fileID, line: UInt = #line,
        function: String = #function
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(
            asObservable().debug(identifier, trimOutput: trimOutput, file: file, line: line, function: function))
    }

    /// Every intermediate result of combining the elements, beginning with `seed`.
    @inlinable
    @preconcurrency
    public func scan<Accumulated: Sendable>(
        _ seed: Accumulated, accumulator: @escaping @Sendable (Accumulated, Element) -> Accumulated
    ) -> SharedSequence<SharingStrategy, Accumulated> {
        SharedSequence<SharingStrategy, Accumulated>(asObservable().scan(seed, accumulator: accumulator))
    }

    /// `element`, then the elements of this sequence.
    @inlinable
    public func startWith(_ element: Element) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().startWith(element))
    }

    /// The elements less those that come before `skip` of them.
    @inlinable
    public func skip(_ count: Int) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().skip(count))
    }

    /// Each element later by `dueTime`.
    @inlinable
    public func delay(_ dueTime: RxTimeInterval) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().delay(dueTime, scheduler: SharingStrategy.scheduler))
    }

    /// At most one element in any span of `dueTime`; with `latest`, the last one of the span follows.
    @inlinable
    public func throttle(
        _ dueTime: RxTimeInterval, latest: Bool = true
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().throttle(dueTime, latest: latest, scheduler: SharingStrategy.scheduler))
    }

    /// The elements that no other follows within `dueTime`.
    @inlinable
    public func debounce(_ dueTime: RxTimeInterval) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().debounce(dueTime, scheduler: SharingStrategy.scheduler))
    }

    /// The elements whose key differs from that of the element before.
    @inlinable
    @preconcurrency
    public func distinctUntilChanged<Key: Equatable & Sendable>(
        _ keySelector: @escaping @Sendable (Element) -> Key
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().distinctUntilChanged(keySelector))
    }

    /// The elements that `comparer` does not find equal to the element before.
    @inlinable
    @preconcurrency
    public func distinctUntilChanged(
        _ comparer: @escaping @Sendable (_ lhs: Element, _ rhs: Element) -> Bool
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().distinctUntilChanged(comparer))
    }

    /// The elements whose key `comparer` does not find equal to that of the element before.
    @inlinable
    @preconcurrency
    public func distinctUntilChanged<Key: Sendable>(
        _ keySelector: @escaping @Sendable (Element) -> Key,
        comparer: @escaping @Sendable (_ lhs: Key, _ rhs: Key) -> Bool
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().distinctUntilChanged(keySelector, comparer: comparer))
    }

    /// Each element with `object`, which is not kept alive; the sequence is complete once it is gone.
    @inlinable
    @preconcurrency
    public func withUnretained<Object: AnyObject & Sendable, Result: Sendable>(
        _ object: Object, resultSelector: @escaping @Sendable (Object, Element) -> Result
    ) -> SharedSequence<SharingStrategy, Result> {
        SharedSequence<SharingStrategy, Result>(
            asObservable().withUnretained(object, resultSelector: resultSelector))
    }

    /// Each element with `object`, which is not kept alive; the sequence is complete once it is gone.
    @inlinable
    @preconcurrency
    public func withUnretained<Object: AnyObject & Sendable>(
        _ object: Object
    ) -> SharedSequence<SharingStrategy, (Object, Element)> {
        withUnretained(object) { ($0, $1) }
    }

    /// At each element, that element combined with the latest of `second`, which may be shared in another way.
    ///
    /// ```swift
    /// // taps:  () at 1 s, () at 3 s
    /// // text:  a at 0 s, ab at 2 s
    /// taps.withLatestFrom(text) { tap, text in text }    // a at 1 s, ab at 3 s
    /// ```
    @inlinable
    @preconcurrency
    public func withLatestFrom<Second: SharedSequenceConvertibleType, Result: Sendable>(
        _ second: Second, resultSelector: @escaping @Sendable (Element, Second.Element) -> Result
    ) -> SharedSequence<SharingStrategy, Result> {
        SharedSequence<SharingStrategy, Result>(
            asObservable().withLatestFrom(second.asObservable(), resultSelector: resultSelector))
    }

    /// At each element, the latest of `second`, which may be shared in another way.
    ///
    /// ```swift
    /// // taps:  () at 1 s, () at 3 s
    /// // text:  a at 0 s, ab at 2 s
    /// taps.withLatestFrom(text)    // a at 1 s, ab at 3 s
    /// ```
    @inlinable
    public func withLatestFrom<Second: SharedSequenceConvertibleType>(
        _ second: Second
    ) -> SharedSequence<SharingStrategy, Second.Element> {
        SharedSequence<SharingStrategy, Second.Element>(asObservable().withLatestFrom(second.asObservable()))
    }
}

extension SharedSequenceConvertibleType where SharingStrategy: MainActorSharingStrategyProtocol {
    /// The sequence as it is, with main-actor functions that are called on its way.
    ///
    /// A shared sequence has one subscription to its source, however many listen: so each function is called once for an
    /// element, and not once for each listener.
    ///
    /// ```swift
    /// let page = titles.asDriver(onErrorJustReturn: "?")
    ///     .do(onNext: { title in label.text = title })    // `label` may be main-actor isolated
    /// ```
    ///
    /// - Parameters:
    ///   - onNext: Called with each element, before it is sent on.
    ///   - afterNext: Called with each element, after it was sent on.
    ///   - onCompleted: Called before completion is sent on.
    ///   - afterCompleted: Called after completion was sent on.
    ///   - onSubscribe: Called before the source is subscribed; on the thread that subscribes.
    ///   - onSubscribed: Called after the source was subscribed; on the thread that subscribes.
    ///   - onDispose: Called once, after the subscription to the source was disposed; on the thread that disposes.
    @inlinable
    @preconcurrency
    public func `do`(
        onNext: (@MainActor @Sendable (Element) -> Void)? = nil,
        afterNext: (@MainActor @Sendable (Element) -> Void)? = nil,
        onCompleted: (@MainActor @Sendable () -> Void)? = nil,
        afterCompleted: (@MainActor @Sendable () -> Void)? = nil,
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
    /// The elements as a stream that cannot fail; it is shared as this sequence is.
    ///
    /// ```swift
    /// let name: Infallible<String> = nameDriver.asInfallible()
    /// ```
    @inlinable
    public func asInfallible() -> Infallible<Element> { Infallible(asObservable()) }
}

extension SharedSequenceConvertibleType where Element: Equatable {
    /// The elements that differ from the element before.
    @inlinable
    public func distinctUntilChanged() -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().distinctUntilChanged())
    }
}

extension SharedSequenceConvertibleType where Element: SharedSequenceConvertibleType {
    /// The elements of the latest inner sequence.
    @inlinable
    public func switchLatest() -> SharedSequence<Element.SharingStrategy, Element.Element> {
        SharedSequence<Element.SharingStrategy, Element.Element>(
            asObservable().map { $0.asObservable() }.switchLatest())
    }

    /// The elements of all inner sequences, as they come.
    @inlinable
    public func merge() -> SharedSequence<Element.SharingStrategy, Element.Element> {
        SharedSequence<Element.SharingStrategy, Element.Element>(asObservable().map { $0.asObservable() }.merge())
    }

    /// The elements of the inner sequences, at most `maxConcurrent` at a time.
    @inlinable
    public func merge(maxConcurrent: Int) -> SharedSequence<Element.SharingStrategy, Element.Element> {
        SharedSequence<Element.SharingStrategy, Element.Element>(
            asObservable().map { $0.asObservable() }.merge(maxConcurrent: maxConcurrent))
    }
}
