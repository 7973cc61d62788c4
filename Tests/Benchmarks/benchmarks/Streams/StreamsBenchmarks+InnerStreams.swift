import Samples
import Streams

extension StreamsBenchmarks {
    static func innerStreams<E: Sample>(_ report: inout Report, _: E.Type) async throws {
        try await nestedFive(&report, "flatMap", E.self) { $0.flatMap { Observable.just($0) } }
        try await nestedFive(&report, "flatMapLatest", E.self) { $0.flatMapLatest { Observable.just($0) } }
        try await custom(&report, "flatMap", E.self, { $0.flatMap($1) }, Hand.flatMap)
        try await custom(&report, "flatMapLatest", E.self, { $0.flatMapLatest($1) }, Hand.flatMapLatest)
        try await custom(&report, "concatMap", E.self, { $0.concatMap($1) }, Hand.concatMap)
        try await threeEach(&report, E.self)
    }

    /// Five nested operators whose inner streams have one element.
    private static func nestedFive<E: Sample>(
        _ report: inout Report, _ name: String, _: E.Type, _ nest: @escaping (Observable<E>) -> Observable<E>
    ) async throws {
        let totals = Totals()
        try await compare(&report, "\(name)Pump", E.self, count: 100_000, totals) { count in
            let pump = nest(nest(nest(nest(nest(source(count))))))
            pump.subscribe(onNext: { totals.streams.add(sample: $0) }).dispose()
        } hand: { count in
            let next = handInner { (element: E) in totals.hand.add(sample: element) }
            for number in 0..<count { next(E.sample(number)) }
        }
        let single = nest(nest(nest(nest(nest(source(1))))))
        try await compare(&report, "\(name)Create", E.self, count: 10_000, totals) { count in
            for _ in 0..<count { single.subscribe(onNext: { totals.streams.add(sample: $0) }).dispose() }
        } hand: { count in
            for _ in 0..<count { handInner { (element: E) in totals.hand.add(sample: element) }(E.sample(0)) }
        }
    }

    /// By hand there is no inner stream: each element leads to a call for the one that it stands for.
    private static func handInner<E>(_ next: @escaping Hand.Next<E>) -> Hand.Next<E> {
        var next = next
        for _ in 0..<5 { next = Hand.each(next) { CollectionOfOne($0) } }
        return next
    }

    /// Inner streams without a shortcut: one written with `create`, and one that `deferred` makes.
    private static func custom<E: Sample>(
        _ report: inout Report, _ name: String, _: E.Type,
        _ nest: @escaping (Observable<E>, @escaping @Sendable (E) -> Observable<E>) -> Observable<E>,
        _ handNest: @escaping (@escaping Hand.Next<E>, @escaping Hand.Inner<E>) -> Hand.Next<E>
    ) async throws {
        let totals = Totals()
        func measure(
            _ shape: String, _ inner: @escaping @Sendable (E) -> Observable<E>, _ handInner: @escaping Hand.Inner<E>
        ) async throws {
            try await compare(&report, shape, E.self, count: 100_000, totals) { count in
                nest(source(count), inner).subscribe(onNext: { totals.streams.add(sample: $0) }).dispose()
            } hand: { count in
                let next = handNest({ totals.hand.add(sample: $0) }, handInner)
                for number in 0..<count { next(E.sample(number)) }
            }
        }
        try await measure("\(name)CustomInner") { element in
            Observable.create { observer in
                observer.onNext(element.next)
                observer.onCompleted()
                return Disposables.create()
            }
        } _: { element, next, end in
            next(element.next)
            end()
            return nil
        }
        try await measure("\(name)DeferredInner") { element in
            Observable.deferred { .just(element.next) }
        } _: { element, next, end in
            let work = deferredWork { element.next }
            return work(next, end)
        }
    }

    @inline(never)
    nonisolated private static func deferredWork<E>(_ make: @escaping @Sendable () -> E) -> Hand.Work<E> {
        { next, end in
            next(make())
            end()
            return nil
        }
    }

    /// Inner streams of three elements, one after the other.
    private static func threeEach<E: Sample>(_ report: inout Report, _: E.Type) async throws {
        let totals = Totals()
        try await compare(&report, "concatMap3", E.self, count: 100_000, goal: 2, totals) { count in
            (source(count) as Observable<E>).concatMap { Observable.of($0, $0.next, $0.next.next) }
                .subscribe(onNext: { totals.streams.add(sample: $0) }).dispose()
        } hand: { count in
            let next = Hand.concatMap({ (element: E) in totals.hand.add(sample: element) }) { element, next, end in
                for element in [element, element.next, element.next.next] { next(element) }
                end()
                return nil
            }
            for number in 0..<count { next(E.sample(number)) }
        }
    }
}
