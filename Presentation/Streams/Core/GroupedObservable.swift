/// The elements of a stream that share a key; see ``ObservableType/groupBy(keySelector:)``.
///
/// ```swift
/// Observable.of(1, 2, 3).groupBy { $0 % 2 }
///     .flatMap { group in group.map { "\(group.key): \($0)" } }    // 1: 1 0: 2 1: 3 |
/// ```
@preconcurrency
public struct GroupedObservable<Key: Sendable, Element: Sendable>: ObservableType {
    /// The key of the group.
    public let key: Key
    private let source: Observable<Element>

    /// Creates a group of the elements of `source`, which share `key`.
    public init(key: Key, source: Observable<Element>) {
        self.key = key
        self.source = source
    }

    /// Subscribes `observer` to the events of this stream until it terminates or the returned disposable is disposed.
    public func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
    where Observer.Element == Element {
        source.subscribe(observer)
    }

    /// Returns the elements of this group as an ``Observable``, without the key.
    public func asObservable() -> Observable<Element> { source }
}
