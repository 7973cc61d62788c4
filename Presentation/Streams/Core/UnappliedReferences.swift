// Methods that note where they are called have parameters for that, `file` and `line`, which are part of a method's name
// when it is referred to without being called: `strings.map(label.rx.text.onNext)`, `let bind = numbers.bind(onNext:)`.
// These have the names that RxSwift has, and are disfavoured, so that a call means the method that notes its place.

extension ObservableType {
    /// As ``subscribe(file:line:_:)``, for a reference that is not called at once: `stream.subscribe(_:)`.
    @_disfavoredOverload
    @preconcurrency
    public func subscribe(_ on: @escaping @Sendable (Event<Element>) -> Void) -> any Disposable {
        subscribe(file: #fileID, line: #line, on)
    }

    /// As ``bind(onNext:file:line:)``, for a reference that is not called at once: `stream.bind(onNext:)`.
    @_disfavoredOverload
    @preconcurrency
    public func bind(onNext: @escaping @Sendable (Element) -> Void) -> any Disposable {
        bind(onNext: onNext, file: #fileID, line: #line)
    }

    /// As ``bind(with:onNext:file:line:)``, for a reference that is not called at once: `stream.bind(with:onNext:)`.
    @_disfavoredOverload
    @preconcurrency
    public func bind<Object: AnyObject & Sendable>(
        with object: Object, onNext: @escaping @Sendable (Object, Element) -> Void
    ) -> any Disposable {
        bind(with: object, onNext: onNext, file: #fileID, line: #line)
    }
}

extension InfallibleType {
    /// As ``subscribe(file:line:_:)``, for a reference that is not called at once: `stream.subscribe(_:)`.
    @_disfavoredOverload
    @preconcurrency
    public func subscribe(_ on: @escaping @Sendable (Event<Element>) -> Void) -> any Disposable {
        subscribe(file: #fileID, line: #line, on)
    }

    /// As ``bind(onNext:file:line:)``, for a reference that is not called at once: `stream.bind(onNext:)`.
    @_disfavoredOverload
    @preconcurrency
    public func bind(onNext: @escaping @Sendable (Element) -> Void) -> any Disposable {
        bind(onNext: onNext, file: #fileID, line: #line)
    }

    /// As ``bind(with:onNext:file:line:)``, for a reference that is not called at once: `stream.bind(with:onNext:)`.
    @_disfavoredOverload
    @preconcurrency
    public func bind<Object: AnyObject & Sendable>(
        with object: Object, onNext: @escaping @Sendable (Object, Element) -> Void
    ) -> any Disposable {
        bind(with: object, onNext: onNext, file: #fileID, line: #line)
    }
}

extension PrimitiveSequenceType where Trait == SingleTrait {
    /// As ``subscribe(file:line:_:)``, for a reference that is not called at once: `single.subscribe(_:)`.
    @_disfavoredOverload
    @preconcurrency
    public func subscribe(_ observer: @escaping @Sendable (SingleEvent<Element>) -> Void) -> any Disposable {
        subscribe(file: #fileID, line: #line, observer)
    }
}

extension PrimitiveSequenceType where Trait == MaybeTrait {
    /// As ``subscribe(file:line:_:)``, for a reference that is not called at once: `maybe.subscribe(_:)`.
    @_disfavoredOverload
    @preconcurrency
    public func subscribe(_ observer: @escaping @Sendable (MaybeEvent<Element>) -> Void) -> any Disposable {
        subscribe(file: #fileID, line: #line, observer)
    }
}

extension PrimitiveSequenceType where Trait == CompletableTrait, Element == Never {
    /// As ``subscribe(file:line:_:)``, for a reference that is not called at once: `completable.subscribe(_:)`.
    @_disfavoredOverload
    @preconcurrency
    public func subscribe(_ observer: @escaping @Sendable (CompletableEvent) -> Void) -> any Disposable {
        subscribe(file: #fileID, line: #line, observer)
    }
}

extension AsyncSequence where Self: Sendable, Element: Sendable {
    /// As ``asObservable(detached:priority:file:line:)``, for a reference that is not called at once:
    /// `sequence.asObservable`.
    @_disfavoredOverload
    @preconcurrency
    public func asObservable() -> Observable<Element> {
        asObservable(file: #fileID, line: #line)
    }
}
