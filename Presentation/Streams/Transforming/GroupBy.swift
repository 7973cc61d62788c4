extension ObservableType {
    /// Emits a stream for each key at the first element with that key. The stream emits the elements for which
    /// `keySelector` returns the key.
    ///
    /// Elements of a group without observers are dropped. Termination, including an error that `keySelector` throws,
    /// terminates all groups, in order of creation, and then the result. The source stays subscribed while the result
    /// or a group has an observer.
    ///
    /// ```swift
    /// Observable.of(1, 2, 3, 4).groupBy { $0 % 2 }
    ///     .flatMap { group in group.map { "\(group.key): \($0)" } }    // 1: 1 0: 2 1: 3 0: 4 |
    /// ```
    @inlinable @preconcurrency
    public func groupBy<Key: Hashable & Sendable>(
        keySelector: @escaping @Sendable (Element) throws -> Key
    ) -> Observable<GroupedObservable<Key, Element>> {
        Groups.stream(of: asObservable()) { groups, shared in
            { element in
                do {
                    let key = try keySelector(element)
                    if let subject = groups.subjects[key] { return subject.onNext(element) }
                    let subject = PublishSubject<Element>()
                    groups.subjects[key] = subject
                    groups.multicasts.append(subject.multicast)
                    groups.sink.send(GroupedObservable(key: key, source: shared.stream(of: subject)))
                    subject.onNext(element)
                } catch { groups.fail(error) }
            }
        }
    }
}

/// One subscription to `groupBy`: the chain of its source, and the groups.
///
/// `@unchecked Sendable`: only the source, which is serial, accesses the groups.
@usableFromInline
final class Groups<Key: Hashable & Sendable, Element: Sendable>: Chain, @unchecked Sendable {
    @exclusivity(unchecked) @usableFromInline var subjects = [Key: PublishSubject<Element>]()
    /// The multicasts of the groups, in order of creation.
    @exclusivity(unchecked) @usableFromInline var multicasts: [Multicast] = []
    @usableFromInline let sink: Sink<GroupedObservable<Key, Element>>

    /// - Parameter receive: Returns the function for the elements of one subscription, created where the types are known. It
    ///   alone retains the source: if the groups did, the two would retain each other.
    @usableFromInline
    static func stream(
        of source: Observable<Element>,
        _ receive: @escaping @Sendable (Groups, _ shared: RefCountedSource) -> (Element) -> Void
    ) -> Observable<GroupedObservable<Key, Element>> {
        Observable(
            connect: { sink in
                let groups = Groups(sink)
                let shared = RefCountedSource(below: sink.chain, disposing: groups)
                source.connect(Sink(groups, next: receive(groups, shared)))
            }, name: "groupBy(keySelector:)")
    }

    private init(_ sink: Sink<GroupedObservable<Key, Element>>) {
        self.sink = sink
        super.init()
    }

    override func ended(_ error: (any Error)?) {
        for multicast in multicasts { multicast.finish(error) }
        sink.chain.finish(error)
    }
}

/// The elements of a stream that share a key; see ``ObservableType/groupBy(keySelector:)``.
///
/// ```swift
/// Observable.of(1, 2, 3).groupBy { $0 % 2 }
///     .flatMap { group in group.map { "\(group.key): \($0)" } }    // 1: 1 0: 2 1: 3 |
/// ```
@preconcurrency
public struct GroupedObservable<Key: Sendable, Element: Sendable>: ObservableType {
    public let key: Key
    private let source: Observable<Element>

    public init(key: Key, source: Observable<Element>) {
        self.key = key
        self.source = source
    }

    public func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
    where Observer.Element == Element { source.subscribe(observer) }

    public func asObservable() -> Observable<Element> { source }
}
