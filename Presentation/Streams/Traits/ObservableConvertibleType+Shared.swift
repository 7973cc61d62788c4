extension ObservableConvertibleType {
    /// This stream as a driver; an error is replaced by `onErrorJustReturn`, and the driver is then complete.
    public func asDriver(onErrorJustReturn: Element) -> Driver<Element> {
        Driver(asObservable().observe(on: DriverSharingStrategy.scheduler).catchAndReturn(onErrorJustReturn))
    }

    /// This stream as a driver that goes on with `onErrorDriveWith` after an error.
    public func asDriver(onErrorDriveWith: Driver<Element>) -> Driver<Element> {
        Driver(
            asObservable().observe(on: DriverSharingStrategy.scheduler)
                .catch { _ in onErrorDriveWith.asObservable() })
    }

    /// This stream as a driver that goes on with what `onErrorRecover` makes of an error.
    @preconcurrency
    public func asDriver(onErrorRecover: @escaping @Sendable (_ error: any Error) -> Driver<Element>) -> Driver<Element>
    {
        Driver(
            asObservable().observe(on: DriverSharingStrategy.scheduler)
                .catch { onErrorRecover($0).asObservable() })
    }

    /// This stream as a signal; an error is replaced by `onErrorJustReturn`, and the signal is then complete.
    public func asSignal(onErrorJustReturn: Element) -> Signal<Element> {
        Signal(asObservable().observe(on: SignalSharingStrategy.scheduler).catchAndReturn(onErrorJustReturn))
    }

    /// This stream as a signal that goes on with `onErrorSignalWith` after an error.
    public func asSignal(onErrorSignalWith: Signal<Element>) -> Signal<Element> {
        Signal(
            asObservable().observe(on: SignalSharingStrategy.scheduler)
                .catch { _ in onErrorSignalWith.asObservable() })
    }

    /// This stream as a signal that goes on with what `onErrorRecover` makes of an error.
    @preconcurrency
    public func asSignal(onErrorRecover: @escaping @Sendable (_ error: any Error) -> Signal<Element>) -> Signal<Element>
    {
        Signal(
            asObservable().observe(on: SignalSharingStrategy.scheduler)
                .catch { onErrorRecover($0).asObservable() })
    }
}

extension BehaviorRelay {
    /// The values as a driver. A relay cannot fail, so nothing stands in for an error.
    public func asDriver() -> Driver<Element> {
        Driver(asObservable().observe(on: DriverSharingStrategy.scheduler))
    }
}

extension PublishRelay {
    /// What the relay accepts, as a signal. A relay cannot fail, so nothing stands in for an error.
    public func asSignal() -> Signal<Element> {
        Signal(asObservable().observe(on: SignalSharingStrategy.scheduler))
    }
}
