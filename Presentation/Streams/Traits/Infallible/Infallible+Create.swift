extension InfallibleType {
    /// The observer function of ``create(subscribe:)``, which receives the events of the stream.
    public typealias InfallibleObserver = @Sendable (InfallibleEvent<Element>) -> Void

    /// Creates a stream that calls `subscribe` for each subscription and emits the events that it sends to its
    /// observer.
    ///
    /// ```swift
    /// Infallible<Int>.create { observer in
    ///     observer(.next(1))
    ///     observer(.completed)
    ///     return Disposables.create()
    /// }                                  // 1 |
    /// ```
    @inlinable
    @preconcurrency
    public static func create(
        subscribe: @escaping @Sendable (@escaping InfallibleObserver) -> any Disposable
    ) -> Infallible<Element> {
        Infallible(.create { observer in subscribe { observer.on($0.event) } })
    }

    /// Creates a stream that emits one element on subscription.
    ///
    /// ```swift
    /// Infallible.just(1)    // 1 |
    /// ```
    @inlinable
    public static func just(_ element: Element) -> Infallible<Element> {
        Infallible(.just(element))
    }

    /// Creates a stream that emits one element on `scheduler`.
    ///
    /// ```swift
    /// Infallible.just(1, scheduler: scheduler)    // 1 at 0 s, | at 0 s
    /// ```
    @inlinable
    public static func just(_ element: Element, scheduler: any ImmediateSchedulerType) -> Infallible<Element> {
        Infallible(.just(element, scheduler: scheduler))
    }

    /// Creates a stream of the given elements.
    ///
    /// ```swift
    /// Infallible.of(1, 2, 3)    // 1 2 3 |
    /// ```
    public static func of(
        _ elements: Element..., scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Infallible<Element> {
        Infallible(.from(elements, scheduler: scheduler))
    }

    /// Creates a stream of the elements of an array.
    ///
    /// ```swift
    /// Infallible.from([1, 2])    // 1 2 |
    /// ```
    @inlinable
    public static func from(
        _ array: [Element], scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Infallible<Element> {
        Infallible(.from(array, scheduler: scheduler))
    }

    /// Creates a stream of the elements of a sequence.
    ///
    /// ```swift
    /// Infallible.from(1...3)    // 1 2 3 |
    /// ```
    @inlinable
    @preconcurrency
    public static func from<Sequence: Swift.Sequence & Sendable>(
        _ sequence: Sequence, scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Infallible<Element> where Sequence.Element == Element {
        Infallible(.from(sequence, scheduler: scheduler))
    }

    /// Creates a stream that emits the element if it is not `nil`, and completes.
    ///
    /// ```swift
    /// Infallible.from(optional: Int("x"))    // |
    /// ```
    @inlinable
    public static func from(optional: Element?) -> Infallible<Element> {
        Infallible(.from(optional: optional))
    }

    /// Creates a stream that emits the element on `scheduler` if it is not `nil`, and completes.
    ///
    /// ```swift
    /// Infallible.from(optional: 1, scheduler: scheduler)    // 1 at 0 s, | at 0 s
    /// ```
    @inlinable
    public static func from(
        optional: Element?, scheduler: any ImmediateSchedulerType
    ) -> Infallible<Element> {
        Infallible(.from(optional: optional, scheduler: scheduler))
    }

    /// Creates a stream that completes on subscription.
    ///
    /// ```swift
    /// Infallible<Int>.empty()    // |
    /// ```
    @inlinable
    public static func empty() -> Infallible<Element> {
        Infallible(.empty())
    }

    /// Creates a stream that never emits an event.
    @inlinable
    public static func never() -> Infallible<Element> {
        Infallible(.never())
    }

    /// Creates a stream that calls `observableFactory` for each subscription and emits the events of the returned
    /// stream.
    ///
    /// ```swift
    /// Infallible.deferred { Infallible.just(1) }    // 1 |
    /// ```
    @inlinable
    @preconcurrency
    public static func deferred(
        _ observableFactory: @escaping @Sendable () -> Infallible<Element>
    ) -> Infallible<Element> {
        Infallible(.deferred { observableFactory().source })
    }
}

extension InfallibleType where Element: FixedWidthInteger {
    /// Creates a stream of `count` successive integers, starting at `start`.
    ///
    /// ```swift
    /// Infallible.range(start: 5, count: 3)    // 5 6 7 |
    /// ```
    @inlinable
    public static func range(
        start: Element, count: Element, scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Infallible<Element> {
        Infallible(.range(start: start, count: count, scheduler: scheduler))
    }
}
