/// The elements of a stream that have one key; see ``ObservableType/groupBy(keySelector:)``.
@preconcurrency
public struct GroupedObservable<Key: Sendable, Element: Sendable>: ObservableType {
    /// What the elements have in common.
    public let key: Key
    private let source: Observable<Element>

    /// The elements of `source`, which have that key in common.
    public init(key: Key, source: Observable<Element>) {
        self.key = key
        self.source = source
    }

    /// Lets `observer` hear the stream until it ends or the result is disposed.
    public func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
    where Observer.Element == Element {
        source.subscribe(observer)
    }

    /// The elements alone.
    public func asObservable() -> Observable<Element> { source }
}
