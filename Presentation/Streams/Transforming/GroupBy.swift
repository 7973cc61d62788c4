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
        let source = asObservable()
        return Observable(connect: { sink in
            let subjects = SubscriptionState<[Key: PublishSubject<Element>]>([:])
            let groups = SubscriptionState<[Multicast]>([])
            let chain = Chain.ofGroups(groups, sink.chain)
            let shared = RefCountedSource(below: sink.chain, disposing: chain)
            source.connect(
                Sink(chain) { element in
                    do {
                        let key = try keySelector(element)
                        if let subject = subjects.value[key] { return subject.onNext(element) }
                        let subject = PublishSubject<Element>()
                        subjects.value[key] = subject
                        groups.value.append(subject.multicast)
                        sink.send(GroupedObservable(key: key, source: shared.stream(of: subject)))
                        subject.onNext(element)
                    } catch { chain.fail(error) }
                })
        })
    }
}

extension Chain {
    /// Creates the chain of the source of `groupBy`, whose end terminates the groups and then `downstream`.
    @usableFromInline
    static func ofGroups(_ groups: SubscriptionState<[Multicast]>, _ downstream: Chain) -> Chain {
        Chain { error in
            for group in groups.value { group.finish(error) }
            downstream.finish(error)
        }
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
