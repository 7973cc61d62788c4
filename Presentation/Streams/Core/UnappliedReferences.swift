// Methods that record their call site have the parameters `file` and `line`, which become part of the method's name in
// an unapplied reference: `strings.map(label.rx.text.onNext)`, `let bind = numbers.bind(onNext:)`. The overloads here
// have the names of RxSwift and are disfavoured, so that a call resolves to the method that records its call site.

extension BindableType {
    @_disfavoredOverload @preconcurrency
    public func subscribe(_ on: @escaping @Sendable (Event<Element>) -> Void) -> any Disposable {
        subscribe(file: #fileID, line: #line, on)
    }

    @_disfavoredOverload @preconcurrency
    public func bind(onNext: @escaping @Sendable (Element) -> Void) -> any Disposable {
        bind(onNext: onNext, file: #fileID, line: #line)
    }

    @_disfavoredOverload @preconcurrency
    public func bind<Object: AnyObject & Sendable>(
        with object: Object, onNext: @escaping @Sendable (Object, Element) -> Void
    ) -> any Disposable { bind(with: object, onNext: onNext, file: #fileID, line: #line) }
}

extension PrimitiveSequenceType where Trait == SingleTrait {
    @_disfavoredOverload @preconcurrency
    public func subscribe(_ observer: @escaping @Sendable (SingleEvent<Element>) -> Void) -> any Disposable {
        subscribe(file: #fileID, line: #line, observer)
    }
}

extension PrimitiveSequenceType where Trait == MaybeTrait {
    @_disfavoredOverload @preconcurrency
    public func subscribe(_ observer: @escaping @Sendable (MaybeEvent<Element>) -> Void) -> any Disposable {
        subscribe(file: #fileID, line: #line, observer)
    }
}

extension PrimitiveSequenceType where Trait == CompletableTrait, Element == Never {
    @_disfavoredOverload @preconcurrency
    public func subscribe(_ observer: @escaping @Sendable (CompletableEvent) -> Void) -> any Disposable {
        subscribe(file: #fileID, line: #line, observer)
    }
}

extension AsyncSequence where Self: Sendable, Element: Sendable {
    @_disfavoredOverload @preconcurrency
    public func asObservable() -> Observable<Element> { asObservable(file: #fileID, line: #line) }
}
