extension ObservableConvertibleType {
    /// Returns this stream as a shared sequence. An error is replaced by `onErrorJustReturn` and completion.
    ///
    /// ```swift
    /// rows.asSharedSequence(sharingStrategy: MyStrategy.self, onErrorJustReturn: [])    // after an error: []
    /// ```
    @inlinable
    public func asSharedSequence<Strategy: SharingStrategyProtocol>(
        sharingStrategy: Strategy.Type = Strategy.self, onErrorJustReturn: Element
    ) -> SharedSequence<Strategy, Element> {
        SharedSequence(asObservable().observe(on: Strategy.scheduler, recover: { _ in .just(onErrorJustReturn) }))
    }

    /// Returns this stream as a shared sequence that continues with `onErrorDriveWith` after an error.
    ///
    /// ```swift
    /// fresh.asSharedSequence(sharingStrategy: MyStrategy.self, onErrorDriveWith: stored)    // after an error: stored
    /// ```
    @inlinable
    public func asSharedSequence<Strategy: SharingStrategyProtocol>(
        sharingStrategy: Strategy.Type = Strategy.self, onErrorDriveWith: SharedSequence<Strategy, Element>
    ) -> SharedSequence<Strategy, Element> {
        SharedSequence(
            asObservable().observe(on: Strategy.scheduler, recover: { _ in onErrorDriveWith.asObservable() }))
    }

    /// Returns this stream as a shared sequence that continues after an error with the sequence that `onErrorRecover`
    /// returns for it.
    ///
    /// Use it for custom strategies. For `Driver` and `Signal`, use ``asDriver(onErrorRecover:)`` and
    /// ``asSignal(onErrorRecover:)``.
    @inlinable
    @preconcurrency
    public func asSharedSequence<Strategy: SharingStrategyProtocol>(
        sharingStrategy: Strategy.Type = Strategy.self,
        onErrorRecover: @escaping @Sendable (_ error: any Error) -> SharedSequence<Strategy, Element>
    ) -> SharedSequence<Strategy, Element> {
        SharedSequence(
            asObservable().observe(on: Strategy.scheduler, recover: { onErrorRecover($0).asObservable() }))
    }
}

extension ObservableConvertibleType {
    /// Returns this stream as a driver. An error is replaced by `onErrorJustReturn` and completion.
    ///
    /// ```swift
    /// rows.asDriver(onErrorJustReturn: [])    // after an error: [], and completion
    /// ```
    @inlinable
    public func asDriver(onErrorJustReturn: Element) -> Driver<Element> {
        asSharedSequence(onErrorJustReturn: onErrorJustReturn)
    }

    /// Returns this stream as a driver that continues with `onErrorDriveWith` after an error.
    ///
    /// ```swift
    /// rows.asDriver(onErrorDriveWith: .empty())    // after an error: completion
    /// ```
    @inlinable
    public func asDriver(onErrorDriveWith: Driver<Element>) -> Driver<Element> {
        asSharedSequence(onErrorDriveWith: onErrorDriveWith)
    }

    /// Returns this stream as a driver that continues after an error with the driver that `onErrorRecover` returns for
    /// it.
    ///
    /// ```swift
    /// rows.asDriver(onErrorRecover: { .just([Row(describing: $0)]) })    // after an error: a row that describes it
    /// ```
    @inlinable
    @preconcurrency
    public func asDriver(onErrorRecover: @escaping @Sendable (_ error: any Error) -> Driver<Element>) -> Driver<Element>
    {
        asSharedSequence(onErrorRecover: onErrorRecover)
    }

    /// Returns this stream as a signal. An error is replaced by `onErrorJustReturn` and completion.
    ///
    /// ```swift
    /// saved.asSignal(onErrorJustReturn: false)    // after an error: false, and completion
    /// ```
    @inlinable
    public func asSignal(onErrorJustReturn: Element) -> Signal<Element> {
        asSharedSequence(onErrorJustReturn: onErrorJustReturn)
    }

    /// Returns this stream as a signal that continues with `onErrorSignalWith` after an error.
    ///
    /// ```swift
    /// saved.asSignal(onErrorSignalWith: .empty())    // after an error: completion
    /// ```
    @inlinable
    public func asSignal(onErrorSignalWith: Signal<Element>) -> Signal<Element> {
        asSharedSequence(onErrorDriveWith: onErrorSignalWith)
    }

    /// Returns this stream as a signal that continues after an error with the signal that `onErrorRecover` returns for
    /// it.
    ///
    /// ```swift
    /// saved.asSignal(onErrorRecover: { .just(.failed($0)) })    // after an error: an element with it
    /// ```
    @inlinable
    @preconcurrency
    public func asSignal(onErrorRecover: @escaping @Sendable (_ error: any Error) -> Signal<Element>) -> Signal<Element>
    {
        asSharedSequence(onErrorRecover: onErrorRecover)
    }
}

extension BehaviorRelay {
    /// Returns the values as a driver. A relay cannot fail, so errors need no replacement.
    ///
    /// ```swift
    /// BehaviorRelay(value: 1).asDriver()    // a driver of 1, and of the values that are accepted later
    /// ```
    @inlinable
    public func asDriver() -> Driver<Element> {
        Driver(asObservable().observe(on: DriverSharingStrategy.scheduler))
    }
}

extension PublishRelay {
    /// Returns the elements that the relay accepts from now on as a driver. A relay cannot fail, so errors need no
    /// replacement.
    ///
    /// ```swift
    /// let taps = PublishRelay<Int>()
    /// taps.asDriver()    // a driver without an element until `taps` accepts one
    /// ```
    @inlinable
    public func asDriver() -> Driver<Element> {
        Driver(asObservable().observe(on: DriverSharingStrategy.scheduler))
    }

    /// Returns the accepted elements as a signal. A relay cannot fail, so errors need no replacement.
    ///
    /// ```swift
    /// let toasts = PublishRelay<String>()
    /// toasts.asSignal()    // a signal of the toasts that are accepted from now on
    /// ```
    @inlinable
    public func asSignal() -> Signal<Element> {
        Signal(asObservable().observe(on: SignalSharingStrategy.scheduler))
    }
}
