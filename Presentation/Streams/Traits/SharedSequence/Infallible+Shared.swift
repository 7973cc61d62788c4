extension InfallibleType {
    /// Returns this stream as a driver. It cannot fail, so errors need no replacement.
    public func asDriver() -> Driver<Element> {
        Driver(asObservable().observe(on: DriverSharingStrategy.scheduler))
    }

    /// Returns this stream as a signal. It cannot fail, so errors need no replacement.
    public func asSignal() -> Signal<Element> {
        Signal(asObservable().observe(on: SignalSharingStrategy.scheduler))
    }
}

extension ControlEvent {
    /// Returns the events as a driver. The stream cannot fail, so errors need no replacement.
    public func asDriver() -> Driver<Element> { asInfallible().asDriver() }

    /// Returns the events as a signal. The stream cannot fail, so errors need no replacement.
    public func asSignal() -> Signal<Element> { asInfallible().asSignal() }
}

extension ControlProperty {
    /// Returns the values as a driver. The stream cannot fail, so errors need no replacement.
    public func asDriver() -> Driver<Element> { asInfallible().asDriver() }
}
