extension ObservableConvertibleType {
    /// This stream as a shared sequence; an error is replaced by `onErrorJustReturn`, and the sequence is then
    /// complete.
    @inlinable
    public func asSharedSequence<Strategy: SharingStrategyProtocol>(
        sharingStrategy: Strategy.Type = Strategy.self, onErrorJustReturn: Element
    ) -> SharedSequence<Strategy, Element> {
        SharedSequence(asObservable().observe(on: Strategy.scheduler, recover: { _ in .just(onErrorJustReturn) }))
    }

    /// This stream as a shared sequence that goes on with `onErrorDriveWith` after an error.
    @inlinable
    public func asSharedSequence<Strategy: SharingStrategyProtocol>(
        sharingStrategy: Strategy.Type = Strategy.self, onErrorDriveWith: SharedSequence<Strategy, Element>
    ) -> SharedSequence<Strategy, Element> {
        SharedSequence(
            asObservable().observe(on: Strategy.scheduler, recover: { _ in onErrorDriveWith.asObservable() }))
    }

    /// This stream as a shared sequence that goes on with what `onErrorRecover` makes of an error.
    ///
    /// `Driver` and `Signal` have methods of their own: ``asDriver(onErrorRecover:)``, ``asSignal(onErrorRecover:)``.
    /// This is for a strategy of yours.
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
    /// This stream as a driver; an error is replaced by `onErrorJustReturn`, and the driver is then complete.
    @inlinable
    public func asDriver(onErrorJustReturn: Element) -> Driver<Element> {
        asSharedSequence(onErrorJustReturn: onErrorJustReturn)
    }

    /// This stream as a driver that goes on with `onErrorDriveWith` after an error.
    @inlinable
    public func asDriver(onErrorDriveWith: Driver<Element>) -> Driver<Element> {
        asSharedSequence(onErrorDriveWith: onErrorDriveWith)
    }

    /// This stream as a driver that goes on with what `onErrorRecover` makes of an error.
    @inlinable
    @preconcurrency
    public func asDriver(onErrorRecover: @escaping @Sendable (_ error: any Error) -> Driver<Element>) -> Driver<Element>
    {
        asSharedSequence(onErrorRecover: onErrorRecover)
    }

    /// This stream as a signal; an error is replaced by `onErrorJustReturn`, and the signal is then complete.
    @inlinable
    public func asSignal(onErrorJustReturn: Element) -> Signal<Element> {
        asSharedSequence(onErrorJustReturn: onErrorJustReturn)
    }

    /// This stream as a signal that goes on with `onErrorSignalWith` after an error.
    @inlinable
    public func asSignal(onErrorSignalWith: Signal<Element>) -> Signal<Element> {
        asSharedSequence(onErrorDriveWith: onErrorSignalWith)
    }

    /// This stream as a signal that goes on with what `onErrorRecover` makes of an error.
    @inlinable
    @preconcurrency
    public func asSignal(onErrorRecover: @escaping @Sendable (_ error: any Error) -> Signal<Element>) -> Signal<Element>
    {
        asSharedSequence(onErrorRecover: onErrorRecover)
    }
}

extension BehaviorRelay {
    /// The values as a driver. A relay cannot fail, so nothing stands in for an error.
    @inlinable
    public func asDriver() -> Driver<Element> {
        Driver(asObservable().observe(on: DriverSharingStrategy.scheduler))
    }
}

extension PublishRelay {
    /// What the relay accepts from now on, as a driver. A relay cannot fail, so nothing stands in for an error.
    @inlinable
    public func asDriver() -> Driver<Element> {
        Driver(asObservable().observe(on: DriverSharingStrategy.scheduler))
    }

    /// What the relay accepts, as a signal. A relay cannot fail, so nothing stands in for an error.
    @inlinable
    public func asSignal() -> Signal<Element> {
        Signal(asObservable().observe(on: SignalSharingStrategy.scheduler))
    }
}
