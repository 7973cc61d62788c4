public import Streams

extension SharedSequenceConvertibleType where SharingStrategy == DriverSharingStrategy {
    /// A part of each state, told only when it differs from the one before.
    ///
    /// Nothing but that part is kept, so that the state is not copied when it is changed next.
    ///
    /// ```swift
    /// store.state.select(\.title).drive(onNext: { label.text = $0 }).disposed(by: bag)
    /// ```
    ///
    /// Each who listens has the part worked out for itself: keep it cheap, or share the result.
    @inlinable
    public func select<Value: Equatable & Sendable>(
        _ part: @escaping @Sendable (Element) -> Value
    ) -> Driver<Value> {
        // Not shared: a driver replays its latest element to everyone, and what is made of that is replayed as well.
        let source = asObservable()
        return Driver(
            raw: .create { observer in
                let selecting = SelectObserver(observer, part, isEqual: { $0 == $1 })
                return source.subscribe { selecting.on($0) }
            })
    }

    /// The value of a ``Pulse``, now and at every assignment, be it equal to the one before or not.
    ///
    /// ```swift
    /// store.state.pulse(\.$toast).compactMap { $0 }.drive(onNext: showToast).disposed(by: bag)
    /// ```
    @inlinable
    public func pulse<Value: Sendable>(_ part: @escaping @Sendable (Element) -> Pulse<Value>) -> Driver<Value> {
        let source = asObservable()
        let pulses = Observable<Pulse<Value>>.create { observer in
            let selecting = SelectObserver(observer, part, isEqual: { $0.stamp == $1.stamp })
            return source.subscribe { selecting.on($0) }
        }
        return Driver(raw: pulses.map { $0.wrappedValue })
    }
}

/// Tells a part of what it hears, when that differs from the one before.
@usableFromInline
struct SelectObserver<Element: Sendable, Part: Sendable>: ObserverType {
    @usableFromInline let observer: AnyObserver<Part>
    @usableFromInline let part: @Sendable (Element) -> Part
    @usableFromInline let isEqual: @Sendable (Part, Part) -> Bool
    @usableFromInline let last = Last()

    /// The part that was told last.
    ///
    /// `@unchecked Sendable`: an observer hears one element at a time.
    @usableFromInline
    final class Last: @unchecked Sendable {
        @exclusivity(unchecked) @usableFromInline var part: Part?

        @inlinable
        init() {}
    }

    @inlinable
    init(
        _ observer: AnyObserver<Part>, _ part: @escaping @Sendable (Element) -> Part,
        isEqual: @escaping @Sendable (Part, Part) -> Bool
    ) {
        self.observer = observer
        self.part = part
        self.isEqual = isEqual
    }

    @inlinable
    func on(_ event: Event<Element>) {
        switch event {
        case .next(let element):
            let part = part(element)
            if let last = last.part, isEqual(last, part) { return }
            last.part = part
            observer.onNext(part)
        case .error(let error): observer.onError(error)
        case .completed: observer.onCompleted()
        }
    }
}
