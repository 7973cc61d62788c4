/// A stream of user interface events, such as a toast, a navigation or a tap.
///
/// Like a ``Driver`` it never fails, delivers on the main actor and shares one subscription. Unlike a driver it replays
/// nothing, so a late observer misses earlier elements.
public typealias Signal<Element> = SharedSequence<SignalSharingStrategy, Element> where Element: Sendable

/// The sharing strategy of ``Signal``: no replay.
///
/// ```swift
/// let toast: SharedSequence<SignalSharingStrategy, String> = Signal.just("Saved")    // the same type
/// ```
public struct SignalSharingStrategy: MainActorSharingStrategyProtocol {
    public static var scheduler: any SchedulerType { SharingScheduler.make() }

    @inlinable
    public static func share<Element: Sendable>(_ source: Observable<Element>) -> Observable<Element> {
        source.shareWhileConnected(replay: 0, onMainQueue: !SharingScheduler.isMocked)
    }
}

extension SharedSequenceConvertibleType where SharingStrategy == SignalSharingStrategy {
    @inlinable
    public func asSignal() -> Signal<Element> { asSharedSequence() }
}

extension SharedSequenceConvertibleType where SharingStrategy == SignalSharingStrategy {
    /// Calls the functions on the main actor for the events that the signal emits from now on.
    ///
    /// ```swift
    /// toasts.emit(onNext: { banner.show($0) }).disposed(by: bag)    // `banner` may be main-actor isolated
    /// ```
    @inlinable @preconcurrency @MainActor
    public func emit(
        onNext: (@MainActor @Sendable (Element) -> Void)? = nil, onCompleted: (@MainActor @Sendable () -> Void)? = nil,
        onDisposed: (@Sendable () -> Void)? = nil, file: StaticString = #fileID, line: UInt = #line
    ) -> any Disposable { subscribeOnMainActor(onNext, onCompleted, onDisposed, file, line) }

    @inlinable @preconcurrency @MainActor
    public func emit(file: StaticString = #fileID, line: UInt = #line) -> any Disposable {
        subscribeOnMainActor(nil, file, line)
    }

    /// Calls the functions with `object` as first argument, like ``emit(onNext:onCompleted:onDisposed:file:line:)``.
    /// The object is not retained; after its deallocation the functions are no longer called.
    @inlinable @preconcurrency @MainActor
    public func emit<Object: AnyObject & Sendable>(
        with object: Object, onNext: (@MainActor @Sendable (Object, Element) -> Void)? = nil,
        onCompleted: (@MainActor @Sendable (Object) -> Void)? = nil, onDisposed: (@Sendable (Object) -> Void)? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) -> any Disposable { subscribeOnMainActor(with: object, onNext, onCompleted, onDisposed, file, line) }

    /// Subscribes observers to the signal, each with a subscription of its own.
    ///
    /// ```swift
    /// titles.emit(to: label.rx.text).disposed(by: bag)
    /// ```
    @inlinable @preconcurrency @MainActor
    public func emit<Observer: ObserverType>(
        to observers: Observer..., file: StaticString = #fileID, line: UInt = #line
    ) -> any Disposable where Observer.Element == Element { subscribeOnMainActor(observers, file, line) }

    @inlinable @preconcurrency @MainActor
    public func emit<Observer: ObserverType>(
        to observers: Observer..., file: StaticString = #fileID, line: UInt = #line
    ) -> any Disposable where Observer.Element == Element? {
        map { Element?.some($0) }.subscribeOnMainActor(observers, file, line)
    }

    @inlinable @preconcurrency @MainActor
    public func emit<Relay: RelayType>(
        to relays: Relay..., file: StaticString = #fileID, line: UInt = #line
    ) -> any Disposable where Relay.Element == Element {
        subscribeOnMainActor({ element in relays.forEach { $0.accept(element) } }, file, line)
    }

    @inlinable @preconcurrency @MainActor
    public func emit<Relay: RelayType>(
        to relays: Relay..., file: StaticString = #fileID, line: UInt = #line
    ) -> any Disposable where Relay.Element == Element? {
        subscribeOnMainActor({ element in relays.forEach { $0.accept(element) } }, file, line)
    }
}
