extension InfallibleType {
    /// Transforms each element with `transform`, which cannot throw.
    ///
    /// ```swift
    /// Infallible.of(1, 2, 3).map { $0 * 2 }    // 2 4 6 |
    /// ```
    @inlinable
    @preconcurrency
    public func map<Result: Sendable>(_ transform: @escaping @Sendable (Element) -> Result) -> Infallible<Result> {
        Infallible(asObservable().map(transform))
    }

    /// Transforms each element, and drops `nil` results.
    ///
    /// ```swift
    /// Infallible.of("1", "two", "3").compactMap { Int($0) }    // 1 3 |
    /// ```
    @inlinable
    @preconcurrency
    public func compactMap<Result: Sendable>(_ transform: @escaping @Sendable (Element) -> Result?) -> Infallible<
        Result
    > {
        Infallible(asObservable().compactMap(transform))
    }

    /// Emits the elements for which `predicate` returns `true`.
    ///
    /// ```swift
    /// Infallible.of(1, 2, 3, 4).filter { $0 % 2 == 0 }    // 2 4 |
    /// ```
    @inlinable
    @preconcurrency
    public func filter(_ predicate: @escaping @Sendable (Element) -> Bool) -> Infallible<Element> {
        Infallible(asObservable().filter(predicate))
    }

    /// Combines the elements one after the other, starting with `seed`, and emits every intermediate result.
    ///
    /// ```swift
    /// Infallible.of(1, 2, 3).scan(0) { $0 + $1 }    // 1 3 6 |
    /// ```
    @inlinable
    @preconcurrency
    public func scan<A: Sendable>(_ seed: A, accumulator: @escaping @Sendable (A, Element) -> A) -> Infallible<A> {
        Infallible(asObservable().scan(seed, accumulator: accumulator))
    }

    /// Like ``scan(_:accumulator:)``, with an accumulator that modifies the result in place.
    ///
    /// ```swift
    /// Infallible.of(1, 2, 3).scan(into: 0) { $0 += $1 }    // 1 3 6 |
    /// ```
    @inlinable
    @preconcurrency
    public func scan<A: Sendable>(into seed: A, accumulator: @escaping @Sendable (inout A, Element) -> Void)
        -> Infallible<A>
    {
        Infallible(asObservable().scan(into: seed, accumulator: accumulator))
    }

    /// Emits `element` on subscription, and then the events of this stream.
    ///
    /// ```swift
    /// Infallible.of(2, 3).startWith(1)    // 1 2 3 |
    /// ```
    @inlinable
    public func startWith(_ element: Element) -> Infallible<Element> {
        Infallible(asObservable().startWith(element))
    }

    /// Emits the elements of the streams that `selector` returns for the elements, as they arrive.
    ///
    /// ```swift
    /// Infallible.of(1, 2).flatMap { Infallible.just($0 * 10) }    // 10 20 |
    /// ```
    @inlinable
    @preconcurrency
    public func flatMap<Source: InfallibleType>(_ selector: @escaping @Sendable (Element) -> Source) -> Infallible<
        Source.Element
    > {
        Infallible(asObservable().flatMap(selector))
    }

    /// Emits the elements of the stream that `selector` returns for the latest element; the stream of the previous
    /// element is disposed.
    ///
    /// ```swift
    /// Infallible.of(1, 2).flatMapLatest { Infallible.just($0 * 10) }    // 10 20 |
    /// ```
    @inlinable
    @preconcurrency
    public func flatMapLatest<Source: InfallibleType>(_ selector: @escaping @Sendable (Element) -> Source)
        -> Infallible<Source.Element>
    {
        Infallible(asObservable().flatMapLatest(selector))
    }

    /// Like ``flatMap(_:)``, but ignores elements that arrive while an inner stream is active.
    ///
    /// ```swift
    /// Infallible.of(1, 2).flatMapFirst { Infallible.just($0 * 10) }    // 10 20 |
    /// ```
    @inlinable
    @preconcurrency
    public func flatMapFirst<Source: InfallibleType>(_ selector: @escaping @Sendable (Element) -> Source) -> Infallible<
        Source.Element
    > {
        Infallible(asObservable().flatMapFirst(selector))
    }

    /// Like ``flatMap(_:)``, with one inner stream at a time.
    ///
    /// ```swift
    /// Infallible.of(1, 2).concatMap { Infallible.just($0 * 10) }    // 10 20 |
    /// ```
    @inlinable
    @preconcurrency
    public func concatMap<Source: InfallibleType>(_ selector: @escaping @Sendable (Element) -> Source) -> Infallible<
        Source.Element
    > {
        Infallible(asObservable().concatMap(selector))
    }

    /// Emits the elements whose key differs from that of the previous element. An error that `keySelector` throws
    /// terminates the stream, and is passed to ``Hooks/defaultErrorHandler``.
    ///
    /// ```swift
    /// Infallible.of("a", "b", "cc").distinctUntilChanged { $0.count }    // a cc |
    /// ```
    @inlinable
    @preconcurrency
    public func distinctUntilChanged<Key: Equatable & Sendable>(
        _ keySelector: @escaping @Sendable (Element) throws -> Key
    )
        -> Infallible<Element>
    {
        Infallible(asObservable().distinctUntilChanged(keySelector))
    }

    /// Emits the elements that `comparer` considers different from the last emitted element. An error that `comparer`
    /// throws terminates the stream, and is passed to ``Hooks/defaultErrorHandler``.
    ///
    /// ```swift
    /// Infallible.of(1, 2, 9, 10).distinctUntilChanged { abs($0 - $1) < 5 }    // 1 9 |
    /// ```
    @inlinable
    @preconcurrency
    public func distinctUntilChanged(_ comparer: @escaping @Sendable (Element, Element) throws -> Bool) -> Infallible<
        Element
    > {
        Infallible(asObservable().distinctUntilChanged(comparer))
    }

    /// Emits the elements whose key `comparer` considers different from the key of the last emitted element. An error
    /// that either function throws terminates the stream, and is passed to ``Hooks/defaultErrorHandler``.
    ///
    /// ```swift
    /// Infallible.of("a", "A", "b").distinctUntilChanged({ $0.lowercased() }, comparer: { $0 == $1 })    // a b |
    /// ```
    @inlinable
    @preconcurrency
    public func distinctUntilChanged<K: Sendable>(
        _ keySelector: @escaping @Sendable (Element) throws -> K, comparer: @escaping @Sendable (K, K) throws -> Bool
    ) -> Infallible<Element> {
        Infallible(asObservable().distinctUntilChanged(keySelector, comparer: comparer))
    }

    /// Emits the elements whose value at `keyPath` differs from that of the previous element.
    ///
    /// ```swift
    /// Infallible.of("a", "b", "cc").distinctUntilChanged(at: \.count)    // a cc |
    /// ```
    @inlinable
    public func distinctUntilChanged<Property: Equatable & Sendable>(
        at keyPath: any KeyPath<Element, Property> & Sendable
    )
        -> Infallible<Element>
    {
        Infallible(asObservable().distinctUntilChanged(at: keyPath))
    }

}

extension InfallibleType where Element: Equatable {
    /// Emits the elements that differ from the previous element.
    ///
    /// ```swift
    /// Infallible.of(1, 1, 2, 2, 1).distinctUntilChanged()    // 1 2 1 |
    /// ```
    @inlinable
    public func distinctUntilChanged() -> Infallible<Element> {
        Infallible(asObservable().distinctUntilChanged())
    }

}

extension InfallibleType {
    /// Emits the first `count` elements, and completes after the last of them.
    ///
    /// ```swift
    /// Infallible.of(1, 2, 3).take(2)    // 1 2 |
    /// ```
    @inlinable
    public func take(_ count: Int) -> Infallible<Element> {
        Infallible(asObservable().take(count))
    }

    /// Emits the elements that arrive within `duration` of the subscription.
    ///
    /// ```swift
    /// // ticks:  1 at 1 s, 2 at 3 s, | at 4 s
    /// ticks.asInfallible(onErrorJustReturn: 0).take(for: .seconds(2), scheduler: scheduler)    // 1 at 1 s, | at 2 s
    /// ```
    @inlinable
    public func take(for duration: RxTimeInterval, scheduler: any SchedulerType) -> Infallible<Element> {
        Infallible(asObservable().take(for: duration, scheduler: scheduler))
    }

    /// Emits the elements until `other` emits one.
    ///
    /// ```swift
    /// Infallible.of(1, 2).take(until: Infallible<Void>.never())    // 1 2 |
    /// ```
    @inlinable
    public func take<Source: InfallibleType>(until other: Source) -> Infallible<Element> {
        Infallible(asObservable().take(until: other.asObservable()))
    }

    /// Emits the elements until `other` emits one. An error of `other` completes the stream.
    ///
    /// ```swift
    /// Infallible.of(1, 2).take(until: Observable<Void>.never())    // 1 2 |
    /// ```
    @inlinable
    public func take<Source: ObservableType>(until other: Source) -> Infallible<Element> {
        Infallible(asObservable().take(until: other.materialize().filter { !$0.isCompleted }))
    }

    /// Emits the elements until `predicate` returns `true` for one; `behavior` determines whether that one is emitted.
    /// An error that `predicate` throws terminates the stream, and is passed to ``Hooks/defaultErrorHandler``.
    ///
    /// ```swift
    /// Infallible.of(1, 2, 3).take(until: { $0 == 2 })                           // 1 |
    /// Infallible.of(1, 2, 3).take(until: { $0 == 2 }, behavior: .inclusive)     // 1 2 |
    /// ```
    @inlinable
    @preconcurrency
    public func take(until predicate: @escaping @Sendable (Element) throws -> Bool, behavior: TakeBehavior = .exclusive)
        -> Infallible<Element>
    {
        Infallible(asObservable().take(until: predicate, behavior: behavior))
    }

    /// Emits the elements while `predicate` returns `true`; `behavior` determines whether the first other one is
    /// emitted. An error that `predicate` throws terminates the stream, and is passed to ``Hooks/defaultErrorHandler``.
    ///
    /// ```swift
    /// Infallible.of(1, 2, 3, 1).take(while: { $0 < 3 })                           // 1 2 |
    /// Infallible.of(1, 2, 3, 1).take(while: { $0 < 3 }, behavior: .inclusive)     // 1 2 3 |
    /// ```
    @inlinable
    @preconcurrency
    public func take(while predicate: @escaping @Sendable (Element) throws -> Bool, behavior: TakeBehavior = .exclusive)
        -> Infallible<Element>
    {
        Infallible(asObservable().take(while: predicate, behavior: behavior))
    }

    /// Emits the last `count` elements when the stream completes.
    ///
    /// ```swift
    /// Infallible.of(1, 2, 3).takeLast(2)    // 2 3 |
    /// ```
    @inlinable
    public func takeLast(_ count: Int) -> Infallible<Element> {
        Infallible(asObservable().takeLast(count))
    }

    /// Omits the first `count` elements and emits the later ones.
    ///
    /// ```swift
    /// Infallible.of(1, 2, 3).skip(2)    // 3 |
    /// ```
    @inlinable
    public func skip(_ count: Int) -> Infallible<Element> {
        Infallible(asObservable().skip(count))
    }

    /// Emits the elements that arrive after `duration` has passed since the subscription.
    ///
    /// ```swift
    /// // ticks:  1 at 1 s, 2 at 3 s, | at 4 s
    /// ticks.asInfallible(onErrorJustReturn: 0).skip(.seconds(2), scheduler: scheduler)    // 2 at 3 s, | at 4 s
    /// ```
    @inlinable
    public func skip(_ duration: RxTimeInterval, scheduler: any SchedulerType) -> Infallible<Element> {
        Infallible(asObservable().skip(duration, scheduler: scheduler))
    }

    /// Skips elements while `predicate` returns `true`. An error that `predicate` throws terminates the stream, and is
    /// passed to ``Hooks/defaultErrorHandler``.
    ///
    /// ```swift
    /// Infallible.of(1, 2, 3, 1).skip(while: { $0 < 3 })    // 3 1 |
    /// ```
    @inlinable
    @preconcurrency
    public func skip(while predicate: @escaping @Sendable (Element) throws -> Bool) -> Infallible<Element> {
        Infallible(asObservable().skip(while: predicate))
    }

    /// Emits the elements that arrive after the first element of `other`.
    ///
    /// ```swift
    /// Infallible.of(1, 2).skip(until: Infallible.just(0))    // 1 2 |
    /// ```
    @inlinable
    public func skip<Source: InfallibleType>(until other: Source) -> Infallible<Element> {
        Infallible(asObservable().skip(until: other.asObservable()))
    }

}

extension InfallibleType {
    /// Emits an element when `dueTime` has passed without another one.
    ///
    /// ```swift
    /// // text:  a at 0 s, ab at 0.1 s, abc at 0.6 s
    /// text.asInfallible(onErrorJustReturn: "")
    ///     .debounce(.milliseconds(300), scheduler: scheduler)    // ab at 0.4 s, abc at 0.9 s
    /// ```
    @inlinable
    public func debounce(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> Infallible<Element> {
        Infallible(asObservable().debounce(dueTime, scheduler: scheduler))
    }

    /// Emits at most one element in each `dueTime`: the first one and, if `latest` is set, the latest one.
    ///
    /// ```swift
    /// // taps:  1 at 0 s, 2 at 0.2 s, 3 at 0.5 s
    /// taps.asInfallible(onErrorJustReturn: 0).throttle(.seconds(1), scheduler: scheduler)    // 1 at 0 s, 3 at 1 s
    /// ```
    @inlinable
    public func throttle(_ dueTime: RxTimeInterval, latest: Bool = true, scheduler: any SchedulerType) -> Infallible<
        Element
    > {
        Infallible(asObservable().throttle(dueTime, latest: latest, scheduler: scheduler))
    }

    /// Delivers each event later by `dueTime`, on `scheduler`, in the same order.
    ///
    /// ```swift
    /// // ticks:  1 at 0 s, | at 2 s
    /// ticks.asInfallible(onErrorJustReturn: 0).delay(.seconds(1), scheduler: scheduler)    // 1 at 1 s, | at 3 s
    /// ```
    @inlinable
    public func delay(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> Infallible<Element> {
        Infallible(asObservable().delay(dueTime, scheduler: scheduler))
    }

    /// Subscribes to this stream when `dueTime` has passed on `scheduler`.
    ///
    /// ```swift
    /// Infallible.of(1, 2).delaySubscription(.seconds(1), scheduler: scheduler)    // 1 at 1 s, 2 at 1 s, | at 1 s
    /// ```
    @inlinable
    public func delaySubscription(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> Infallible<Element> {
        Infallible(asObservable().delaySubscription(dueTime, scheduler: scheduler))
    }

    /// Delivers the events on `scheduler`, one at a time and in order.
    ///
    /// ```swift
    /// Infallible.of(1, 2).observe(on: scheduler)    // 1 at 0 s, 2 at 0 s, | at 0 s
    /// ```
    @inlinable
    public func observe(on scheduler: any ImmediateSchedulerType) -> Infallible<Element> {
        Infallible(asObservable().observe(on: scheduler))
    }

    /// Subscribes to this stream, and disposes the subscription, on `scheduler`.
    ///
    /// ```swift
    /// Infallible.of(1, 2).subscribe(on: scheduler)    // 1 at 0 s, 2 at 0 s, | at 0 s
    /// ```
    @inlinable
    public func subscribe(on scheduler: any ImmediateSchedulerType) -> Infallible<Element> {
        Infallible(asObservable().subscribe(on: scheduler))
    }

    /// Shares one subscription among all observers; see ``ObservableType/share(replay:scope:)``.
    ///
    /// ```swift
    /// // request:  1 at 1 s, | at 2 s
    /// let page = request.asInfallible(onErrorJustReturn: 0).share(replay: 1)
    /// Infallible.merge(page, page)    // 1 at 1 s, 1 at 1 s, | at 2 s
    /// ```
    @inlinable
    public func share(replay: Int = 0, scope: SubjectLifetimeScope = .whileConnected) -> Infallible<Element> {
        Infallible(asObservable().share(replay: replay, scope: scope))
    }

    /// Prints the events of this stream and forwards them unchanged; see
    /// ``ObservableType/debug(_:trimOutput:file:line:function:)``.
    public func debug(
        _ identifier: String? = nil, trimOutput: Bool = false, file: String = #file, line: UInt = #line,
        function: String = #function
    ) -> Infallible<Element> {
        Infallible(asObservable().debug(identifier, trimOutput: trimOutput, file: file, line: line, function: function))
    }

    /// Calls functions at the events of this stream, and forwards the events unchanged; see
    /// ``ObservableType/do(onNext:afterNext:onError:afterError:onCompleted:afterCompleted:onSubscribe:onSubscribed:onDispose:)``.
    ///
    /// ```swift
    /// Infallible.of(1, 2).do(onNext: { print("about to send", $0) })    // 1 2 |
    /// ```
    @inlinable
    @preconcurrency
    public func `do`(
        onNext: (@Sendable (Element) throws -> Void)? = nil, afterNext: (@Sendable (Element) throws -> Void)? = nil,
        onCompleted: (@Sendable () throws -> Void)? = nil, afterCompleted: (@Sendable () throws -> Void)? = nil,
        onSubscribe: (@Sendable () -> Void)? = nil, onSubscribed: (@Sendable () -> Void)? = nil,
        onDispose: (@Sendable () -> Void)? = nil
    ) -> Infallible<Element> {
        Infallible(
            asObservable().do(
                onNext: onNext, afterNext: afterNext, onCompleted: onCompleted, afterCompleted: afterCompleted,
                onSubscribe: onSubscribe, onSubscribed: onSubscribed, onDispose: onDispose))
    }

}
