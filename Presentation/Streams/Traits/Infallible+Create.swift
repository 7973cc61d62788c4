extension InfallibleType {
    /// The function that an infallible made by ``create(subscribe:)`` is told with.
    public typealias InfallibleObserver = @Sendable (InfallibleEvent<Element>) -> Void

    /// A stream that runs `subscribe` for each subscription and sends what that tells its observer.
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

    /// A stream of one element, sent on subscription.
    @inlinable
    public static func just(_ element: Element) -> Infallible<Element> {
        Infallible(.just(element))
    }

    /// A stream of one element, sent on `scheduler`.
    @inlinable
    public static func just(_ element: Element, scheduler: any ImmediateSchedulerType) -> Infallible<Element> {
        Infallible(.just(element, scheduler: scheduler))
    }

    /// A stream of these elements.
    public static func of(
        _ elements: Element..., scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Infallible<Element> {
        Infallible(.from(elements, scheduler: scheduler))
    }

    /// A stream of the elements of an array.
    @inlinable
    public static func from(
        _ array: [Element], scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Infallible<Element> {
        Infallible(.from(array, scheduler: scheduler))
    }

    /// A stream of the elements of a sequence.
    @inlinable
    @preconcurrency
    public static func from<Sequence: Swift.Sequence & Sendable>(
        _ sequence: Sequence, scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Infallible<Element> where Sequence.Element == Element {
        Infallible(.from(sequence, scheduler: scheduler))
    }

    /// A stream of the element, if there is one.
    @inlinable
    public static func from(optional: Element?) -> Infallible<Element> {
        Infallible(.from(optional: optional))
    }

    /// A stream of the element, if there is one, sent on `scheduler`.
    @inlinable
    public static func from(
        optional: Element?, scheduler: any ImmediateSchedulerType
    ) -> Infallible<Element> {
        Infallible(.from(optional: optional, scheduler: scheduler))
    }

    /// A stream that is complete on subscription.
    @inlinable
    public static func empty() -> Infallible<Element> {
        Infallible(.empty())
    }

    /// A stream that says nothing, ever.
    @inlinable
    public static func never() -> Infallible<Element> {
        Infallible(.never())
    }

    /// A stream that `observableFactory` makes anew for each subscription.
    @inlinable
    @preconcurrency
    public static func deferred(
        _ observableFactory: @escaping @Sendable () -> Infallible<Element>
    ) -> Infallible<Element> {
        Infallible(.deferred { observableFactory().source })
    }
}

extension InfallibleType where Element: FixedWidthInteger {
    /// A stream of `count` successive numbers, beginning with `start`.
    @inlinable
    public static func range(
        start: Element, count: Element, scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Infallible<Element> {
        Infallible(.range(start: start, count: count, scheduler: scheduler))
    }
}
