#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Spellings of the traits and of shared sequences that RxSwift 6 deprecates. Each compiles with a warning that names
// its replacement.

extension PrimitiveSequence {
    /// Use ``observe(on:)``.
    @available(*, deprecated, renamed: "observe(on:)")
    public func observeOn(_ scheduler: any ImmediateSchedulerType) -> PrimitiveSequence<Trait, Element> {
        observe(on: scheduler)
    }

    /// Use ``subscribe(on:)``.
    @available(*, deprecated, renamed: "subscribe(on:)")
    public func subscribeOn(_ scheduler: any ImmediateSchedulerType) -> PrimitiveSequence<Trait, Element> {
        subscribe(on: scheduler)
    }

    /// Use ``catch(_:)``.
    @available(*, deprecated, renamed: "catch(_:)")
    @preconcurrency
    public func catchError(
        _ handler: @escaping @Sendable (any Error) throws -> PrimitiveSequence<Trait, Element>
    ) -> PrimitiveSequence<Trait, Element> {
        `catch`(handler)
    }

    /// Use `retry(when:)`.
    @available(*, deprecated, renamed: "retry(when:)")
    @preconcurrency
    public func retryWhen<TriggerObservable: ObservableType, Failure: Error>(
        _ notificationHandler: @escaping @Sendable (Observable<Failure>) -> TriggerObservable
    ) -> PrimitiveSequence<Trait, Element> {
        retry(when: notificationHandler)
    }

    /// Use `retry(when:)`.
    @available(*, deprecated, renamed: "retry(when:)")
    @preconcurrency
    public func retryWhen<TriggerObservable: ObservableType>(
        _ notificationHandler: @escaping @Sendable (Observable<any Error>) -> TriggerObservable
    ) -> PrimitiveSequence<Trait, Element> {
        retry(when: notificationHandler)
    }

    /// Use ``delay(_:scheduler:)`` with a `DispatchTimeInterval`.
    @available(*, deprecated, message: "use .milliseconds(…) or .seconds(…)", renamed: "delay(_:scheduler:)")
    public func delay(_ dueTime: TimeInterval, scheduler: any SchedulerType) -> PrimitiveSequence<Trait, Element> {
        delay(RxTimeInterval(deprecatedSeconds: dueTime), scheduler: scheduler)
    }

    /// Use ``delaySubscription(_:scheduler:)`` with a `DispatchTimeInterval`.
    @available(
        *, deprecated, message: "use .milliseconds(…) or .seconds(…)", renamed: "delaySubscription(_:scheduler:)"
    )
    public func delaySubscription(
        _ dueTime: TimeInterval, scheduler: any SchedulerType
    ) -> PrimitiveSequence<Trait, Element> {
        delaySubscription(RxTimeInterval(deprecatedSeconds: dueTime), scheduler: scheduler)
    }

    /// Use ``timeout(_:scheduler:)`` with a `DispatchTimeInterval`.
    @available(*, deprecated, message: "use .milliseconds(…) or .seconds(…)", renamed: "timeout(_:scheduler:)")
    public func timeout(_ dueTime: TimeInterval, scheduler: any SchedulerType) -> PrimitiveSequence<Trait, Element> {
        timeout(RxTimeInterval(deprecatedSeconds: dueTime), scheduler: scheduler)
    }

    /// Use ``timeout(_:other:scheduler:)`` with a `DispatchTimeInterval`.
    @available(*, deprecated, message: "use .milliseconds(…) or .seconds(…)", renamed: "timeout(_:other:scheduler:)")
    public func timeout(
        _ dueTime: TimeInterval, other: PrimitiveSequence<Trait, Element>, scheduler: any SchedulerType
    ) -> PrimitiveSequence<Trait, Element> {
        timeout(RxTimeInterval(deprecatedSeconds: dueTime), other: other, scheduler: scheduler)
    }
}

extension PrimitiveSequenceType where Element: FixedWidthInteger {
    /// Use ``timer(_:scheduler:)`` with a `DispatchTimeInterval`.
    @available(*, deprecated, message: "use .milliseconds(…) or .seconds(…)", renamed: "timer(_:scheduler:)")
    public static func timer(
        _ dueTime: TimeInterval, scheduler: any SchedulerType
    ) -> PrimitiveSequence<Trait, Element> {
        timer(RxTimeInterval(deprecatedSeconds: dueTime), scheduler: scheduler)
    }
}

extension PrimitiveSequenceType where Trait == SingleTrait {
    /// Use `catchAndReturn(_:)`.
    @available(*, deprecated, renamed: "catchAndReturn(_:)")
    public func catchErrorJustReturn(_ element: Element) -> Single<Element> {
        catchAndReturn(element)
    }

    /// Use ``subscribe(onSuccess:onFailure:onDisposed:file:line:)``.
    @available(*, deprecated, renamed: "subscribe(onSuccess:onFailure:onDisposed:)")
    @preconcurrency
    public func subscribe(
        onSuccess: (@Sendable (Element) -> Void)? = nil, onError: @escaping @Sendable (any Error) -> Void,
        onDisposed: (@Sendable () -> Void)? = nil, file: StaticString = #fileID, line: UInt = #line
    ) -> any Disposable {
        subscribe(onSuccess: onSuccess, onFailure: onError, onDisposed: onDisposed, file: file, line: line)
    }
}

extension PrimitiveSequenceType where Trait == MaybeTrait {
    /// Use `catchAndReturn(_:)`.
    @available(*, deprecated, renamed: "catchAndReturn(_:)")
    public func catchErrorJustReturn(_ element: Element) -> Maybe<Element> {
        catchAndReturn(element)
    }
}

extension SharedSequenceConvertibleType {
    /// Use ``delay(_:)`` with a `DispatchTimeInterval`.
    @available(*, deprecated, message: "use .milliseconds(…) or .seconds(…)", renamed: "delay(_:)")
    public func delay(_ dueTime: TimeInterval) -> SharedSequence<SharingStrategy, Element> {
        delay(RxTimeInterval(deprecatedSeconds: dueTime))
    }

    /// Use ``throttle(_:latest:)`` with a `DispatchTimeInterval`.
    @available(*, deprecated, message: "use .milliseconds(…) or .seconds(…)", renamed: "throttle(_:latest:)")
    public func throttle(_ dueTime: TimeInterval, latest: Bool = true) -> SharedSequence<SharingStrategy, Element> {
        throttle(RxTimeInterval(deprecatedSeconds: dueTime), latest: latest)
    }

    /// Use ``debounce(_:)`` with a `DispatchTimeInterval`.
    @available(*, deprecated, message: "use .milliseconds(…) or .seconds(…)", renamed: "debounce(_:)")
    public func debounce(_ dueTime: TimeInterval) -> SharedSequence<SharingStrategy, Element> {
        debounce(RxTimeInterval(deprecatedSeconds: dueTime))
    }
}

extension SharedSequence where Element: FixedWidthInteger {
    /// Use ``interval(_:)`` with a `DispatchTimeInterval`.
    @available(*, deprecated, message: "use .milliseconds(…) or .seconds(…)", renamed: "interval(_:)")
    public static func interval(_ period: TimeInterval) -> SharedSequence<SharingStrategy, Element> {
        interval(RxTimeInterval(deprecatedSeconds: period))
    }

    /// Use ``timer(_:period:)`` with a `DispatchTimeInterval`.
    @available(*, deprecated, message: "use .milliseconds(…) or .seconds(…)", renamed: "timer(_:period:)")
    public static func timer(
        _ duration: TimeInterval, period: TimeInterval
    ) -> SharedSequence<SharingStrategy, Element> {
        timer(RxTimeInterval(deprecatedSeconds: duration), period: RxTimeInterval(deprecatedSeconds: period))
    }
}
