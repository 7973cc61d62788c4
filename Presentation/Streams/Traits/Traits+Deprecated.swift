#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Spellings of the traits and of shared sequences that RxSwift 6 deprecates. Each compiles with a warning that names
// its replacement.

extension PrimitiveSequence {
    /// The former name of ``observe(on:)``, to which it forwards.
    @available(*, deprecated, renamed: "observe(on:)")
    public func observeOn(_ scheduler: any ImmediateSchedulerType) -> PrimitiveSequence<Trait, Element> {
        observe(on: scheduler)
    }

    /// The former name of ``subscribe(on:)``, to which it forwards.
    @available(*, deprecated, renamed: "subscribe(on:)")
    public func subscribeOn(_ scheduler: any ImmediateSchedulerType) -> PrimitiveSequence<Trait, Element> {
        subscribe(on: scheduler)
    }

    /// The former name of ``catch(_:)``, to which it forwards.
    @available(*, deprecated, renamed: "catch(_:)")
    @preconcurrency
    public func catchError(
        _ handler: @escaping @Sendable (any Error) throws -> PrimitiveSequence<Trait, Element>
    ) -> PrimitiveSequence<Trait, Element> {
        `catch`(handler)
    }

    /// The former name of `retry(when:)`, to which it forwards.
    @available(*, deprecated, renamed: "retry(when:)")
    @preconcurrency
    public func retryWhen<TriggerObservable: ObservableType, Failure: Error>(
        _ notificationHandler: @escaping @Sendable (Observable<Failure>) -> TriggerObservable
    ) -> PrimitiveSequence<Trait, Element> {
        retry(when: notificationHandler)
    }

    /// The former name of `retry(when:)`, to which it forwards.
    @available(*, deprecated, renamed: "retry(when:)")
    @preconcurrency
    public func retryWhen<TriggerObservable: ObservableType>(
        _ notificationHandler: @escaping @Sendable (Observable<any Error>) -> TriggerObservable
    ) -> PrimitiveSequence<Trait, Element> {
        retry(when: notificationHandler)
    }

    /// The former form of ``delay(_:scheduler:)``, with the time in seconds. Pass a `DispatchTimeInterval` instead.
    @available(*, deprecated, message: "use .milliseconds(…) or .seconds(…)", renamed: "delay(_:scheduler:)")
    public func delay(_ dueTime: TimeInterval, scheduler: any SchedulerType) -> PrimitiveSequence<Trait, Element> {
        delay(RxTimeInterval(deprecatedSeconds: dueTime), scheduler: scheduler)
    }

    /// The former form of ``delaySubscription(_:scheduler:)``, with the time in seconds. Pass a `DispatchTimeInterval`
    /// instead.
    @available(
        *, deprecated, message: "use .milliseconds(…) or .seconds(…)", renamed: "delaySubscription(_:scheduler:)"
    )
    public func delaySubscription(
        _ dueTime: TimeInterval, scheduler: any SchedulerType
    ) -> PrimitiveSequence<Trait, Element> {
        delaySubscription(RxTimeInterval(deprecatedSeconds: dueTime), scheduler: scheduler)
    }

    /// The former form of ``timeout(_:scheduler:)``, with the time in seconds. Pass a `DispatchTimeInterval` instead.
    @available(*, deprecated, message: "use .milliseconds(…) or .seconds(…)", renamed: "timeout(_:scheduler:)")
    public func timeout(_ dueTime: TimeInterval, scheduler: any SchedulerType) -> PrimitiveSequence<Trait, Element> {
        timeout(RxTimeInterval(deprecatedSeconds: dueTime), scheduler: scheduler)
    }

    /// The former form of ``timeout(_:other:scheduler:)``, with the time in seconds. Pass a `DispatchTimeInterval`
    /// instead.
    @available(*, deprecated, message: "use .milliseconds(…) or .seconds(…)", renamed: "timeout(_:other:scheduler:)")
    public func timeout(
        _ dueTime: TimeInterval, other: PrimitiveSequence<Trait, Element>, scheduler: any SchedulerType
    ) -> PrimitiveSequence<Trait, Element> {
        timeout(RxTimeInterval(deprecatedSeconds: dueTime), other: other, scheduler: scheduler)
    }
}

extension PrimitiveSequenceType where Element: FixedWidthInteger {
    /// The former form of ``timer(_:scheduler:)``, with the time in seconds. Pass a `DispatchTimeInterval` instead.
    @available(*, deprecated, message: "use .milliseconds(…) or .seconds(…)", renamed: "timer(_:scheduler:)")
    public static func timer(
        _ dueTime: TimeInterval, scheduler: any SchedulerType
    ) -> PrimitiveSequence<Trait, Element> {
        timer(RxTimeInterval(deprecatedSeconds: dueTime), scheduler: scheduler)
    }
}

extension PrimitiveSequenceType where Trait == SingleTrait {
    /// The former name of `catchAndReturn(_:)`, to which it forwards.
    @available(*, deprecated, renamed: "catchAndReturn(_:)")
    public func catchErrorJustReturn(_ element: Element) -> Single<Element> {
        catchAndReturn(element)
    }

    /// The former name of ``subscribe(onSuccess:onFailure:onDisposed:file:line:)``, to which it forwards.
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
    /// The former name of `catchAndReturn(_:)`, to which it forwards.
    @available(*, deprecated, renamed: "catchAndReturn(_:)")
    public func catchErrorJustReturn(_ element: Element) -> Maybe<Element> {
        catchAndReturn(element)
    }
}

extension SharedSequenceConvertibleType {
    /// The former form of ``delay(_:)``, with the time in seconds. Pass a `DispatchTimeInterval` instead.
    @available(*, deprecated, message: "use .milliseconds(…) or .seconds(…)", renamed: "delay(_:)")
    public func delay(_ dueTime: TimeInterval) -> SharedSequence<SharingStrategy, Element> {
        delay(RxTimeInterval(deprecatedSeconds: dueTime))
    }

    /// The former form of ``throttle(_:latest:)``, with the time in seconds. Pass a `DispatchTimeInterval` instead.
    @available(*, deprecated, message: "use .milliseconds(…) or .seconds(…)", renamed: "throttle(_:latest:)")
    public func throttle(_ dueTime: TimeInterval, latest: Bool = true) -> SharedSequence<SharingStrategy, Element> {
        throttle(RxTimeInterval(deprecatedSeconds: dueTime), latest: latest)
    }

    /// The former form of ``debounce(_:)``, with the time in seconds. Pass a `DispatchTimeInterval` instead.
    @available(*, deprecated, message: "use .milliseconds(…) or .seconds(…)", renamed: "debounce(_:)")
    public func debounce(_ dueTime: TimeInterval) -> SharedSequence<SharingStrategy, Element> {
        debounce(RxTimeInterval(deprecatedSeconds: dueTime))
    }
}

extension SharedSequence where Element: FixedWidthInteger {
    /// The former form of ``interval(_:)``, with the time in seconds. Pass a `DispatchTimeInterval` instead.
    @available(*, deprecated, message: "use .milliseconds(…) or .seconds(…)", renamed: "interval(_:)")
    public static func interval(_ period: TimeInterval) -> SharedSequence<SharingStrategy, Element> {
        interval(RxTimeInterval(deprecatedSeconds: period))
    }

    /// The former form of ``timer(_:period:)``, with the time in seconds. Pass a `DispatchTimeInterval` instead.
    @available(*, deprecated, message: "use .milliseconds(…) or .seconds(…)", renamed: "timer(_:period:)")
    public static func timer(
        _ duration: TimeInterval, period: TimeInterval
    ) -> SharedSequence<SharingStrategy, Element> {
        timer(RxTimeInterval(deprecatedSeconds: duration), period: RxTimeInterval(deprecatedSeconds: period))
    }
}
