extension PrimitiveSequence {
    /// Delays the element and completion by `dueTime`. An error is not delayed.
    ///
    /// ```swift
    /// Single.just(1).delay(.seconds(1), scheduler: scheduler)    // 1 at 1 s, | at 1 s
    /// ```
    @inlinable
    public func delay(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.delay(dueTime, scheduler: scheduler))
    }

    /// Subscribes to this sequence when `dueTime` has passed on `scheduler`.
    ///
    /// ```swift
    /// Single.just(1).delaySubscription(.seconds(1), scheduler: scheduler)    // 1 at 1 s, | at 1 s
    /// ```
    @inlinable
    public func delaySubscription(
        _ dueTime: RxTimeInterval, scheduler: any SchedulerType
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.delaySubscription(dueTime, scheduler: scheduler))
    }

    /// Delivers the events on `scheduler`, one at a time and in order.
    ///
    /// ```swift
    /// Single.just(1).observe(on: scheduler)    // 1 at 0 s, | at 0 s
    /// ```
    @inlinable
    public func observe(on scheduler: any ImmediateSchedulerType) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.observe(on: scheduler))
    }

    /// Subscribes to this sequence, and disposes the subscription, on `scheduler`.
    ///
    /// ```swift
    /// Single.just(1).subscribe(on: scheduler)    // 1 at 0 s, | at 0 s
    /// ```
    @inlinable
    public func subscribe(on scheduler: any ImmediateSchedulerType) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.subscribe(on: scheduler))
    }

    /// Fails with ``RxError/timeout`` if `dueTime` passes without an event.
    ///
    /// ```swift
    /// Single<Int>.never().timeout(.seconds(3), scheduler: scheduler)    // RxError.timeout at 3 s
    /// ```
    @inlinable
    public func timeout(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.timeout(dueTime, scheduler: scheduler))
    }

    /// Replaces this sequence by `other` if `dueTime` passes without an event.
    ///
    /// ```swift
    /// Single<Int>.never().timeout(.seconds(3), other: .just(0), scheduler: scheduler)    // 0 at 3 s, | at 3 s
    /// ```
    @inlinable
    public func timeout(
        _ dueTime: RxTimeInterval, other: PrimitiveSequence<Trait, Element>, scheduler: any SchedulerType
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.timeout(dueTime, other: other.source, scheduler: scheduler))
    }
}

extension PrimitiveSequenceType where Element: FixedWidthInteger {
    /// Creates a sequence that emits 0 after `dueTime`.
    ///
    /// ```swift
    /// Single<Int>.timer(.seconds(3), scheduler: scheduler)    // 0 at 3 s, | at 3 s
    /// ```
    @inlinable
    public static func timer(
        _ dueTime: RxTimeInterval, scheduler: any SchedulerType
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: .timer(dueTime, scheduler: scheduler))
    }
}
