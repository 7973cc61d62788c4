extension InfallibleType {
    /// This stream as a driver. It cannot fail, so nothing stands in for an error.
    public func asDriver() -> Driver<Element> {
        Driver(asObservable().observe(on: DriverSharingStrategy.scheduler))
    }

    /// This stream as a signal. It cannot fail, so nothing stands in for an error.
    public func asSignal() -> Signal<Element> {
        Signal(asObservable().observe(on: SignalSharingStrategy.scheduler))
    }
}

extension ControlEvent {
    /// The events as a driver. They cannot fail, so nothing stands in for an error.
    public func asDriver() -> Driver<Element> { asInfallible().asDriver() }

    /// The events as a signal. They cannot fail, so nothing stands in for an error.
    public func asSignal() -> Signal<Element> { asInfallible().asSignal() }
}

extension ControlProperty {
    /// The values as a driver. They cannot fail, so nothing stands in for an error.
    public func asDriver() -> Driver<Element> { asInfallible().asDriver() }
}
