public import Dispatch

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

// Spellings that RxSwift 6 deprecates. Each compiles with a warning that names its replacement.

extension ObservableType {
    @available(*, deprecated, renamed: "observe(on:)")
    public func observeOn(_ scheduler: any ImmediateSchedulerType) -> Observable<Element> { observe(on: scheduler) }

    @available(*, deprecated, renamed: "subscribe(on:)")
    public func subscribeOn(_ scheduler: any ImmediateSchedulerType) -> Observable<Element> { subscribe(on: scheduler) }

    @available(*, deprecated, renamed: "catch(_:)")
    @preconcurrency
    public func catchError(
        _ handler: @escaping @Sendable (any Error) throws -> Observable<Element>
    ) -> Observable<Element> { `catch`(handler) }

    @available(*, deprecated, renamed: "catchAndReturn(_:)")
    public func catchErrorJustReturn(_ element: Element) -> Observable<Element> { catchAndReturn(element) }

    @available(*, deprecated, renamed: "catch(sequence:)")
    @preconcurrency
    public static func catchError<Sequence: Swift.Sequence & Sendable>(
        _ sequence: Sequence
    ) -> Observable<Element> where Sequence.Element == Observable<Element> { Observable.catch(sequence: sequence) }

    @available(*, deprecated, renamed: "retry(when:)")
    @preconcurrency
    public func retryWhen<TriggerObservable: ObservableType, Failure: Error>(
        _ notificationHandler: @escaping @Sendable (Observable<Failure>) -> TriggerObservable
    ) -> Observable<Element> { retry(when: notificationHandler) }

    @available(*, deprecated, renamed: "retry(when:)")
    @preconcurrency
    public func retryWhen<TriggerObservable: ObservableType>(
        _ notificationHandler: @escaping @Sendable (Observable<any Error>) -> TriggerObservable
    ) -> Observable<Element> { retry(when: notificationHandler) }
}

extension ObservableType {
    @available(*, deprecated, renamed: "element(at:)")
    public func elementAt(_ index: Int) -> Observable<Element> { element(at: index) }

    @available(*, deprecated, renamed: "take(until:)")
    public func takeUntil<Source: ObservableType>(_ other: Source) -> Observable<Element> { take(until: other) }

    @available(*, deprecated, renamed: "take(until:behavior:)")
    @preconcurrency
    public func takeUntil(
        _ behavior: TakeBehavior, predicate: @escaping @Sendable (Element) throws -> Bool
    ) -> Observable<Element> { take(until: predicate, behavior: behavior) }

    @available(*, deprecated, renamed: "take(while:)")
    @preconcurrency
    public func takeWhile(_ predicate: @escaping @Sendable (Element) throws -> Bool) -> Observable<Element> {
        take(while: predicate)
    }

    @available(*, deprecated, renamed: "take(while:behavior:)")
    @preconcurrency
    public func takeWhile(
        _ behavior: TakeBehavior, predicate: @escaping @Sendable (Element) throws -> Bool
    ) -> Observable<Element> { take(while: predicate, behavior: behavior) }

    @available(*, deprecated, renamed: "take(for:scheduler:)")
    public func take(_ duration: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        take(for: duration, scheduler: scheduler)
    }

    @available(*, deprecated, renamed: "skip(while:)")
    @preconcurrency
    public func skipWhile(_ predicate: @escaping @Sendable (Element) throws -> Bool) -> Observable<Element> {
        skip(while: predicate)
    }

    @available(*, deprecated, renamed: "skip(until:)")
    public func skipUntil<Source: ObservableType>(_ other: Source) -> Observable<Element> { skip(until: other) }
}

/// The former name of ``TakeBehavior``, kept for existing code.
@available(*, deprecated, renamed: "TakeBehavior")
public typealias TakeUntilBehavior = TakeBehavior

// MARK: Elements with their index

extension ObservableType {
    @available(*, deprecated, message: "use enumerated().map")
    @preconcurrency
    public func mapWithIndex<Result: Sendable>(
        _ selector: @escaping @Sendable (Element, Int) throws -> Result
    ) -> Observable<Result> { enumerated().map { try selector($0.element, $0.index) } }

    @available(*, deprecated, message: "use enumerated().flatMap")
    @preconcurrency
    public func flatMapWithIndex<Source: ObservableConvertibleType>(
        _ selector: @escaping @Sendable (Element, Int) throws -> Source
    ) -> Observable<Source.Element> { enumerated().flatMap { try selector($0.element, $0.index) } }

    @available(*, deprecated, message: "use enumerated().skip(while:).map")
    @preconcurrency
    public func skipWhileWithIndex(
        _ predicate: @escaping @Sendable (Element, Int) throws -> Bool
    ) -> Observable<Element> { enumerated().skip(while: { try predicate($0.element, $0.index) }).map { $0.element } }

    @available(*, deprecated, message: "use enumerated().take(while:).map")
    @preconcurrency
    public func takeWhileWithIndex(
        _ predicate: @escaping @Sendable (Element, Int) throws -> Bool
    ) -> Observable<Element> { enumerated().take(while: { try predicate($0.element, $0.index) }).map { $0.element } }
}

// MARK: Making and sharing

extension ObservableType {
    // Disfavoured: each call of `from` with an array would double the work of the type checker in the expression around it,
    // because an array is also an optional array.
    @available(*, deprecated, renamed: "from(optional:)")
    @_disfavoredOverload
    public static func from(_ optional: Element?) -> Observable<Element> { Observable.from(optional: optional) }

    @available(*, deprecated, renamed: "from(optional:scheduler:)")
    @_disfavoredOverload
    public static func from(_ optional: Element?, scheduler: any ImmediateSchedulerType) -> Observable<Element> {
        Observable.from(optional: optional, scheduler: scheduler)
    }

    @available(*, deprecated, message: "use share(replay: 1)", renamed: "share(replay:)")
    public func shareReplayLatestWhileConnected() -> Observable<Element> { share(replay: 1, scope: .whileConnected) }

    @available(*, deprecated, message: "use share(replay: 1)", renamed: "share(replay:)")
    public func shareReplay(_ bufferSize: Int) -> Observable<Element> { share(replay: bufferSize, scope: .forever) }
}

extension Disposable {
    @available(*, deprecated, renamed: "disposed(by:)")
    public func addDisposableTo(_ bag: DisposeBag) { disposed(by: bag) }
}

// MARK: Time in seconds

extension ObservableType {
    @available(*, deprecated, message: "use a DispatchTimeInterval", renamed: "timeout(_:scheduler:)")
    public func timeout(_ dueTime: TimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        timeout(RxTimeInterval(seconds: dueTime), scheduler: scheduler)
    }

    @available(*, deprecated, message: "use a DispatchTimeInterval", renamed: "timeout(_:other:scheduler:)")
    public func timeout<Source: ObservableConvertibleType>(
        _ dueTime: TimeInterval, other: Source, scheduler: any SchedulerType
    ) -> Observable<Element> where Source.Element == Element {
        timeout(RxTimeInterval(seconds: dueTime), other: other, scheduler: scheduler)
    }

    @available(*, deprecated, message: "use a DispatchTimeInterval", renamed: "take(for:scheduler:)")
    public func take(_ duration: TimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        take(for: RxTimeInterval(seconds: duration), scheduler: scheduler)
    }

    @available(*, deprecated, message: "use a DispatchTimeInterval", renamed: "skip(_:scheduler:)")
    public func skip(_ duration: TimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        skip(RxTimeInterval(seconds: duration), scheduler: scheduler)
    }

    @available(*, deprecated, message: "use a DispatchTimeInterval", renamed: "delay(_:scheduler:)")
    public func delay(_ dueTime: TimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        delay(RxTimeInterval(seconds: dueTime), scheduler: scheduler)
    }

    @available(*, deprecated, message: "use a DispatchTimeInterval", renamed: "delaySubscription(_:scheduler:)")
    public func delaySubscription(_ dueTime: TimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        delaySubscription(RxTimeInterval(seconds: dueTime), scheduler: scheduler)
    }

    @available(*, deprecated, message: "use a DispatchTimeInterval", renamed: "debounce(_:scheduler:)")
    public func debounce(_ dueTime: TimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        debounce(RxTimeInterval(seconds: dueTime), scheduler: scheduler)
    }

    @available(*, deprecated, message: "use a DispatchTimeInterval", renamed: "throttle(_:latest:scheduler:)")
    public func throttle(
        _ dueTime: TimeInterval, latest: Bool = true, scheduler: any SchedulerType
    ) -> Observable<Element> {
        throttle(RxTimeInterval(seconds: dueTime), latest: latest, scheduler: scheduler)
    }

    @available(*, deprecated, message: "use a DispatchTimeInterval", renamed: "buffer(timeSpan:count:scheduler:)")
    public func buffer(timeSpan: TimeInterval, count: Int, scheduler: any SchedulerType) -> Observable<[Element]> {
        buffer(timeSpan: RxTimeInterval(seconds: timeSpan), count: count, scheduler: scheduler)
    }

    @available(*, deprecated, message: "use a DispatchTimeInterval", renamed: "window(timeSpan:count:scheduler:)")
    public func window(
        timeSpan: TimeInterval, count: Int, scheduler: any SchedulerType
    ) -> Observable<Observable<Element>> {
        window(timeSpan: RxTimeInterval(seconds: timeSpan), count: count, scheduler: scheduler)
    }
}

extension ObservableType where Element: FixedWidthInteger {
    @available(*, deprecated, message: "use a DispatchTimeInterval", renamed: "interval(_:scheduler:)")
    public static func interval(_ period: TimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        Observable.interval(RxTimeInterval(seconds: period), scheduler: scheduler)
    }

    @available(*, deprecated, message: "use a DispatchTimeInterval", renamed: "timer(_:period:scheduler:)")
    public static func timer(
        _ dueTime: TimeInterval, period: TimeInterval? = nil, scheduler: any SchedulerType
    ) -> Observable<Element> {
        Observable.timer(
            RxTimeInterval(seconds: dueTime), period: period.map { RxTimeInterval(seconds: $0) },
            scheduler: scheduler)
    }
}

// Spellings of the traits and of shared sequences that RxSwift 6 deprecates. Each compiles with a warning that names
// its replacement.

extension PrimitiveSequence {
    @available(*, deprecated, renamed: "observe(on:)")
    public func observeOn(_ scheduler: any ImmediateSchedulerType) -> PrimitiveSequence<Trait, Element> {
        observe(on: scheduler)
    }

    @available(*, deprecated, renamed: "subscribe(on:)")
    public func subscribeOn(_ scheduler: any ImmediateSchedulerType) -> PrimitiveSequence<Trait, Element> {
        subscribe(on: scheduler)
    }

    @available(*, deprecated, renamed: "catch(_:)")
    @preconcurrency
    public func catchError(
        _ handler: @escaping @Sendable (any Error) throws -> PrimitiveSequence<Trait, Element>
    ) -> PrimitiveSequence<Trait, Element> { `catch`(handler) }

    @available(*, deprecated, renamed: "retry(when:)")
    @preconcurrency
    public func retryWhen<TriggerObservable: ObservableType, Failure: Error>(
        _ notificationHandler: @escaping @Sendable (Observable<Failure>) -> TriggerObservable
    ) -> PrimitiveSequence<Trait, Element> { retry(when: notificationHandler) }

    @available(*, deprecated, renamed: "retry(when:)")
    @preconcurrency
    public func retryWhen<TriggerObservable: ObservableType>(
        _ notificationHandler: @escaping @Sendable (Observable<any Error>) -> TriggerObservable
    ) -> PrimitiveSequence<Trait, Element> { retry(when: notificationHandler) }

    @available(*, deprecated, message: "use a DispatchTimeInterval", renamed: "delay(_:scheduler:)")
    public func delay(_ dueTime: TimeInterval, scheduler: any SchedulerType) -> PrimitiveSequence<Trait, Element> {
        delay(RxTimeInterval(seconds: dueTime), scheduler: scheduler)
    }

    @available(*, deprecated, message: "use a DispatchTimeInterval", renamed: "delaySubscription(_:scheduler:)")
    public func delaySubscription(
        _ dueTime: TimeInterval, scheduler: any SchedulerType
    ) -> PrimitiveSequence<Trait, Element> {
        delaySubscription(RxTimeInterval(seconds: dueTime), scheduler: scheduler)
    }

    @available(*, deprecated, message: "use a DispatchTimeInterval", renamed: "timeout(_:scheduler:)")
    public func timeout(_ dueTime: TimeInterval, scheduler: any SchedulerType) -> PrimitiveSequence<Trait, Element> {
        timeout(RxTimeInterval(seconds: dueTime), scheduler: scheduler)
    }

    @available(*, deprecated, message: "use a DispatchTimeInterval", renamed: "timeout(_:other:scheduler:)")
    public func timeout(
        _ dueTime: TimeInterval, other: PrimitiveSequence<Trait, Element>, scheduler: any SchedulerType
    ) -> PrimitiveSequence<Trait, Element> {
        timeout(RxTimeInterval(seconds: dueTime), other: other, scheduler: scheduler)
    }
}

extension PrimitiveSequenceType where Element: FixedWidthInteger {
    @available(*, deprecated, message: "use a DispatchTimeInterval", renamed: "timer(_:scheduler:)")
    public static func timer(
        _ dueTime: TimeInterval, scheduler: any SchedulerType
    ) -> PrimitiveSequence<Trait, Element> { timer(RxTimeInterval(seconds: dueTime), scheduler: scheduler) }
}

extension PrimitiveSequenceType where Trait == SingleTrait {
    @available(*, deprecated, renamed: "catchAndReturn(_:)")
    public func catchErrorJustReturn(_ element: Element) -> Single<Element> { catchAndReturn(element) }

    @available(*, deprecated, renamed: "subscribe(onSuccess:onFailure:onDisposed:)")
    @preconcurrency
    public func subscribe(
        onSuccess: (@Sendable (Element) -> Void)? = nil, onError: @escaping @Sendable (any Error) -> Void,
        onDisposed: (@Sendable () -> Void)? = nil, file: StaticString = #fileID, line: UInt = #line
    ) -> any Disposable {
        subscribe(onSuccess: onSuccess, onFailure: onError, onDisposed: onDisposed, file: file, line: line)
    }
}

extension PrimitiveSequenceType where Trait == CompletableTrait, Element == Never {
    @available(*, deprecated, renamed: "zip(_:)")
    @preconcurrency
    public static func merge<Collection: Swift.Collection & Sendable>(
        _ sources: Collection
    ) -> Completable where Collection.Element == Completable { zip(sources) }

    @available(*, deprecated, renamed: "zip(_:)")
    public static func merge(_ sources: Completable...) -> Completable { zip(sources) }
}

extension PrimitiveSequenceType where Trait == MaybeTrait {
    @available(*, deprecated, renamed: "catchAndReturn(_:)")
    public func catchErrorJustReturn(_ element: Element) -> Maybe<Element> { catchAndReturn(element) }
}

/// Operators of an infallible with streams that can fail. An error of such a stream terminates the result and is passed to
/// ``Hooks/defaultErrorHandler``.
extension InfallibleType {
    @available(*, deprecated, message: "the stream can fail: return an Infallible, for example with asInfallible")
    @preconcurrency
    public func flatMap<Source: ObservableConvertibleType>(
        _ selector: @escaping @Sendable (Element) -> Source
    ) -> Infallible<Source.Element> { Infallible(asObservable().flatMap(selector)) }

    @available(*, deprecated, message: "the stream can fail: return an Infallible, for example with asInfallible")
    @preconcurrency
    public func flatMapLatest<Source: ObservableConvertibleType>(
        _ selector: @escaping @Sendable (Element) -> Source
    ) -> Infallible<Source.Element> { Infallible(asObservable().flatMapLatest(selector)) }

    @available(*, deprecated, message: "the stream can fail: return an Infallible, for example with asInfallible")
    @preconcurrency
    public func flatMapFirst<Source: ObservableConvertibleType>(
        _ selector: @escaping @Sendable (Element) -> Source
    ) -> Infallible<Source.Element> { Infallible(asObservable().flatMapFirst(selector)) }

    @available(*, deprecated, message: "the stream can fail: return an Infallible, for example with asInfallible")
    @preconcurrency
    public func concatMap<Source: ObservableConvertibleType>(
        _ selector: @escaping @Sendable (Element) -> Source
    ) -> Infallible<Source.Element> { Infallible(asObservable().concatMap(selector)) }

    @available(*, deprecated, message: "the stream can fail: pass an Infallible, for example with asInfallible")
    public func concat<Source: ObservableConvertibleType>(
        _ second: Source
    ) -> Infallible<Element> where Source.Element == Element {
        Infallible(asObservable().concat(second.asObservable()))
    }
}

extension SharedSequenceConvertibleType {
    @available(*, deprecated, message: "use a DispatchTimeInterval", renamed: "delay(_:)")
    public func delay(_ dueTime: TimeInterval) -> SharedSequence<SharingStrategy, Element> {
        delay(RxTimeInterval(seconds: dueTime))
    }

    @available(*, deprecated, message: "use a DispatchTimeInterval", renamed: "throttle(_:latest:)")
    public func throttle(_ dueTime: TimeInterval, latest: Bool = true) -> SharedSequence<SharingStrategy, Element> {
        throttle(RxTimeInterval(seconds: dueTime), latest: latest)
    }

    @available(*, deprecated, message: "use a DispatchTimeInterval", renamed: "debounce(_:)")
    public func debounce(_ dueTime: TimeInterval) -> SharedSequence<SharingStrategy, Element> {
        debounce(RxTimeInterval(seconds: dueTime))
    }
}

extension SharedSequence where Element: FixedWidthInteger {
    @available(*, deprecated, message: "use a DispatchTimeInterval", renamed: "interval(_:)")
    public static func interval(_ period: TimeInterval) -> SharedSequence<SharingStrategy, Element> {
        interval(RxTimeInterval(seconds: period))
    }

    @available(*, deprecated, message: "use a DispatchTimeInterval", renamed: "timer(_:period:)")
    public static func timer(
        _ duration: TimeInterval, period: TimeInterval
    ) -> SharedSequence<SharingStrategy, Element> {
        timer(RxTimeInterval(seconds: duration), period: RxTimeInterval(seconds: period))
    }
}
