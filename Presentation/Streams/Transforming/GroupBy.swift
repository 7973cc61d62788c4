extension ObservableType {
    /// A stream for each key, sent when its first element comes: the elements for which `keySelector` makes that key.
    ///
    /// What comes while nobody listens to a group is not kept. An end is the end of all groups, in the order in which
    /// they began, and then of the result; so is what `keySelector` throws. The source stays subscribed while anyone
    /// listens to the result or to a group.
    ///
    /// ```swift
    /// Observable.of(1, 2, 3, 4).groupBy { $0 % 2 }
    ///     .flatMap { group in group.map { "\(group.key): \($0)" } }    // 1: 1 0: 2 1: 3 0: 4 |
    /// ```
    @inlinable
    @preconcurrency
    public func groupBy<Key: Hashable & Sendable>(
        keySelector: @escaping @Sendable (Element) throws -> Key
    ) -> Observable<GroupedObservable<Key, Element>> {
        let source = asObservable()
        return Observable(run: { sink in
            let subjects = SubscriptionState<[Key: PublishSubject<Element>]>([:])
            let inOrder = SubscriptionState<[PublishSubject<Element>]>([])
            let chain = Chain { error in
                for subject in inOrder.value { subject.multicast.finish(error) }
                sink.chain.finish(error)
            }
            let shared = RefCountedSource(below: sink.chain, disposing: chain)
            source.run(
                Sink(chain) { element in
                    do {
                        let key = try keySelector(element)
                        if let subject = subjects.value[key] { return subject.onNext(element) }
                        let subject = PublishSubject<Element>()
                        subjects.value[key] = subject
                        inOrder.value.append(subject)
                        sink.send(GroupedObservable(key: key, source: shared.stream(of: subject)))
                        subject.onNext(element)
                    } catch { chain.fail(error) }
                })
        })
    }
}
