// The operators of shared sequences: those of `Observable` that neither fail nor leave the scheduler.

extension SharedSequenceConvertibleType {
    /// Transforms each element with `selector`, on the main actor.
    ///
    /// ```swift
    /// Driver.of(1, 2, 3).map { $0 * 2 }    // a driver of 2, 4, 6
    /// ```
    @inlinable
    @preconcurrency
    public func map<Result: Sendable>(
        _ selector: @escaping @Sendable (Element) -> Result
    ) -> SharedSequence<SharingStrategy, Result> {
        SharedSequence(asObservable().map(selector))
    }

    /// Transforms each element, and drops `nil` results.
    ///
    /// ```swift
    /// Driver.of("1", "two", "3").compactMap { Int($0) }    // a driver of 1, 3
    /// ```
    @inlinable
    @preconcurrency
    public func compactMap<Result: Sendable>(
        _ selector: @escaping @Sendable (Element) -> Result?
    ) -> SharedSequence<SharingStrategy, Result> {
        SharedSequence(asObservable().compactMap(selector))
    }

    /// Emits the elements for which `predicate` returns `true`.
    ///
    /// ```swift
    /// Driver.of(1, 2, 3, 4).filter { $0 % 2 == 0 }    // a driver of 2, 4
    /// ```
    @inlinable
    @preconcurrency
    public func filter(
        _ predicate: @escaping @Sendable (Element) -> Bool
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().filter(predicate))
    }

    /// Emits the elements of the sequence that `selector` returns for the latest element; the sequence of the previous
    /// element is disposed.
    ///
    /// ```swift
    /// query.flatMapLatest { search($0).asDriver(onErrorJustReturn: []) }    // the rows of the newest query only
    /// ```
    @inlinable
    @preconcurrency
    public func flatMapLatest<Strategy: SharingStrategyProtocol, Result: Sendable>(
        _ selector: @escaping @Sendable (Element) -> SharedSequence<Strategy, Result>
    ) -> SharedSequence<Strategy, Result> {
        SharedSequence<Strategy, Result>(asObservable().flatMapLatest(selector))
    }

    /// Emits the elements of the sequence that `selector` returns for an element; elements that arrive while it is
    /// active are ignored.
    ///
    /// ```swift
    /// saveTaps.flatMapFirst { save().asSignal(onErrorJustReturn: false) }    // ignores taps during a save
    /// ```
    @inlinable
    @preconcurrency
    public func flatMapFirst<Strategy: SharingStrategyProtocol, Result: Sendable>(
        _ selector: @escaping @Sendable (Element) -> SharedSequence<Strategy, Result>
    ) -> SharedSequence<Strategy, Result> {
        SharedSequence<Strategy, Result>(asObservable().flatMapFirst(selector))
    }

    /// Emits the elements of the sequences that `selector` returns for the elements, as they arrive.
    ///
    /// ```swift
    /// drops.flatMap { upload($0).asSignal(onErrorJustReturn: .failed) }    // the results of all uploads
    /// ```
    @inlinable
    @preconcurrency
    public func flatMap<Strategy: SharingStrategyProtocol, Result: Sendable>(
        _ selector: @escaping @Sendable (Element) -> SharedSequence<Strategy, Result>
    ) -> SharedSequence<Strategy, Result> {
        SharedSequence<Strategy, Result>(asObservable().flatMap(selector))
    }

    /// Calls functions at the events of this sequence, and forwards the events unchanged.
    ///
    /// For custom strategies. The overload for ``Driver`` and ``Signal`` takes main-actor functions.
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

    /// Prints the subscription, the events and the disposal of this sequence, and forwards the events unchanged.
    @inlinable
    public func debug(
        _ identifier: String? = nil, trimOutput: Bool = false, file: String = #fileID, line: UInt = #line,
        function: String = #function
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(
            asObservable().debug(identifier, trimOutput: trimOutput, file: file, line: line, function: function))
    }

    /// Combines the elements one after the other, starting with `seed`, and emits every intermediate result.
    ///
    /// ```swift
    /// Driver.of(1, 2, 3).scan(0) { $0 + $1 }    // a driver of 1, 3, 6
    /// ```
    @inlinable
    @preconcurrency
    public func scan<Accumulated: Sendable>(
        _ seed: Accumulated, accumulator: @escaping @Sendable (Accumulated, Element) -> Accumulated
    ) -> SharedSequence<SharingStrategy, Accumulated> {
        SharedSequence<SharingStrategy, Accumulated>(asObservable().scan(seed, accumulator: accumulator))
    }

    /// Emits `element` on subscription, and then the elements of this sequence.
    ///
    /// ```swift
    /// Driver.of(2, 3).startWith(1)    // a driver of 1, 2, 3
    /// ```
    @inlinable
    public func startWith(_ element: Element) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().startWith(element))
    }

    /// Omits the first `count` elements and emits the later ones.
    ///
    /// ```swift
    /// Driver.of(1, 2, 3).skip(2)    // a driver of 3
    /// ```
    @inlinable
    public func skip(_ count: Int) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().skip(count))
    }

    /// Emits each element later by `dueTime`, in the same order.
    ///
    /// ```swift
    /// toast.delay(.seconds(1))    // each toast, a second later
    /// ```
    @inlinable
    public func delay(_ dueTime: RxTimeInterval) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().delay(dueTime, scheduler: SharingStrategy.scheduler))
    }

    /// Emits at most one element in each `dueTime`: the first one and, if `latest` is set, the latest one.
    ///
    /// ```swift
    /// taps.throttle(.seconds(1))    // the first tap and, if there are more within the second, the last of them
    /// ```
    @inlinable
    public func throttle(
        _ dueTime: RxTimeInterval, latest: Bool = true
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().throttle(dueTime, latest: latest, scheduler: SharingStrategy.scheduler))
    }

    /// Emits an element when `dueTime` has passed without another one.
    ///
    /// ```swift
    /// text.debounce(.milliseconds(300))    // a text that stays unchanged for 300 ms
    /// ```
    @inlinable
    public func debounce(_ dueTime: RxTimeInterval) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().debounce(dueTime, scheduler: SharingStrategy.scheduler))
    }

    /// Emits the elements whose key differs from that of the previous element.
    ///
    /// ```swift
    /// Driver.of("a", "b", "cc").distinctUntilChanged { $0.count }    // a driver of "a", "cc"
    /// ```
    @inlinable
    @preconcurrency
    public func distinctUntilChanged<Key: Equatable & Sendable>(
        _ keySelector: @escaping @Sendable (Element) -> Key
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().distinctUntilChanged(keySelector))
    }

    /// Emits the elements that `comparer` considers different from the last emitted element.
    ///
    /// ```swift
    /// Driver.of(1, 2, 9, 10).distinctUntilChanged { abs($0 - $1) < 5 }    // a driver of 1, 9
    /// ```
    @inlinable
    @preconcurrency
    public func distinctUntilChanged(
        _ comparer: @escaping @Sendable (_ lhs: Element, _ rhs: Element) -> Bool
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().distinctUntilChanged(comparer))
    }

    /// Emits the elements whose key `comparer` considers different from the key of the last emitted element.
    ///
    /// ```swift
    /// Driver.of("a", "A", "b")
    ///     .distinctUntilChanged({ $0.lowercased() }, comparer: { $0 == $1 })    // a driver of "a", "b"
    /// ```
    @inlinable
    @preconcurrency
    public func distinctUntilChanged<Key: Sendable>(
        _ keySelector: @escaping @Sendable (Element) -> Key,
        comparer: @escaping @Sendable (_ lhs: Key, _ rhs: Key) -> Bool
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().distinctUntilChanged(keySelector, comparer: comparer))
    }

    /// Emits `object` together with each element. The object is not retained: the sequence completes at the first
    /// element that arrives after its deallocation.
    ///
    /// ```swift
    /// rows.withUnretained(cache) { cache, row in cache.image(of: row) }    // until the cache is released
    /// ```
    @inlinable
    @preconcurrency
    public func withUnretained<Object: AnyObject & Sendable, Result: Sendable>(
        _ object: Object, resultSelector: @escaping @Sendable (Object, Element) -> Result
    ) -> SharedSequence<SharingStrategy, Result> {
        SharedSequence<SharingStrategy, Result>(
            asObservable().withUnretained(object, resultSelector: resultSelector))
    }

    /// Emits `object` together with each element. The object is not retained: the sequence completes at the first
    /// element that arrives after its deallocation.
    ///
    /// ```swift
    /// rows.withUnretained(cache)    // (cache, row), until the cache is released
    /// ```
    @inlinable
    @preconcurrency
    public func withUnretained<Object: AnyObject & Sendable>(
        _ object: Object
    ) -> SharedSequence<SharingStrategy, (Object, Element)> {
        withUnretained(object) { ($0, $1) }
    }

    /// Combines each element with the latest element of `second`, which can have another sharing strategy.
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

    /// Emits the latest element of `second`, which can have another sharing strategy, for each element.
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
    /// Returns the elements as an ``Infallible``, which is shared like this sequence.
    ///
    /// ```swift
    /// let name: Infallible<String> = nameDriver.asInfallible()
    /// ```
    @inlinable
    public func asInfallible() -> Infallible<Element> { Infallible(asObservable()) }
}

extension SharedSequenceConvertibleType where Element: Equatable {
    /// Emits the elements that differ from the previous element.
    ///
    /// ```swift
    /// Driver.of(1, 1, 2, 2, 1).distinctUntilChanged()    // a driver of 1, 2, 1
    /// ```
    @inlinable
    public func distinctUntilChanged() -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().distinctUntilChanged())
    }
}

extension SharedSequenceConvertibleType where Element: SharedSequenceConvertibleType {
    /// Emits the elements of the latest inner sequence.
    ///
    /// ```swift
    /// selectedTab.map(\.rows).switchLatest()    // the rows of the selected tab only
    /// ```
    @inlinable
    public func switchLatest() -> SharedSequence<Element.SharingStrategy, Element.Element> {
        SharedSequence<Element.SharingStrategy, Element.Element>(
            asObservable().map { $0.asObservable() }.switchLatest())
    }

    /// Emits the elements of all inner sequences as they arrive.
    ///
    /// ```swift
    /// Signal.of(refreshTaps, pulls).merge()    // every tap and every pull
    /// ```
    @inlinable
    public func merge() -> SharedSequence<Element.SharingStrategy, Element.Element> {
        SharedSequence<Element.SharingStrategy, Element.Element>(asObservable().map { $0.asObservable() }.merge())
    }

    /// Emits the elements of the inner sequences as they arrive, with at most `maxConcurrent` of them subscribed at a
    /// time.
    ///
    /// ```swift
    /// Signal.of(firstPage, secondPage).merge(maxConcurrent: 1)    // the second page after the first
    /// ```
    @inlinable
    public func merge(maxConcurrent: Int) -> SharedSequence<Element.SharingStrategy, Element.Element> {
        SharedSequence<Element.SharingStrategy, Element.Element>(
            asObservable().map { $0.asObservable() }.merge(maxConcurrent: maxConcurrent))
    }
}
