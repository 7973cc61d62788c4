import Streams

extension StreamsBenchmarks {
    static func innerStreams(_ report: inout Report) async throws {
        try await inner(&report, "flatMap") { $0.flatMap { Observable.just($0) } }
        try await inner(&report, "flatMapLatest") { $0.flatMapLatest { Observable.just($0) } }
    }

    /// Five nested operators whose inner streams have one element.
    private static func inner(
        _ report: inout Report, _ name: String, _ nest: @escaping (Observable<Int>) -> Observable<Int>
    ) async throws {
        let total = Total()
        let pump = nest(nest(nest(nest(nest(source(100_000))))))
        try await compare(&report, "\(name)Pump", count: 100_000) {
            pump.subscribe(onNext: { total.add($0) }).dispose()
        } hand: {
            let next = handInner { total.add($0) }
            for element in 0..<100_000 { next(element) }
        }
        let single = nest(nest(nest(nest(nest(source(1))))))
        try await compare(&report, "\(name)Create", count: 10_000) {
            for _ in 0..<10_000 { single.subscribe(onNext: { total.add($0) }).dispose() }
        } hand: {
            for _ in 0..<10_000 { handInner { total.add($0) }(0) }
        }
    }

    /// By hand there is no inner stream: each element leads to a call for the one that it stands for.
    private static func handInner(_ next: @escaping Hand.Next) -> Hand.Next {
        (0..<5).reduce(next) { next, _ in Hand.each(next) { CollectionOfOne($0) } }
    }
}
