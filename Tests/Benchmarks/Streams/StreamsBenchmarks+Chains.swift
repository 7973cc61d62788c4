import Streams

extension StreamsBenchmarks {
    static func chains(_ report: inout Report) async throws {
        let total = Total()
        try await compare(&report, "mapFilterPump", count: 1_000_000) {
            mapFilter(source(1_000_000)).subscribe(onNext: { total.add($0) }).dispose()
        } hand: {
            let next = Hand.mapFilter { total.add($0) }
            for element in 0..<1_000_000 { next(element) }
        }
        let single = mapFilter(source(1))
        try await compare(&report, "mapFilterCreate", count: 20_000) {
            for _ in 0..<20_000 { single.subscribe(onNext: { total.add($0) }).dispose() }
        } hand: {
            for _ in 0..<20_000 { Hand.mapFilter { total.add($0) }(0) }
        }
        try await compare(&report, "scanDistinct", count: 1_000_000) {
            let stream = source(1_000_000).scan(0) { $0 &+ $1 }.distinctUntilChanged()
            stream.subscribe(onNext: { total.add($0) }).dispose()
        } hand: {
            let next = Hand.scan(Hand.distinct { total.add($0) }) { $0 &+ $1 }
            for element in 0..<1_000_000 { next(element) }
        }
        try await chainSetUp(&report)
    }

    private static func chainSetUp(_ report: inout Report) async throws {
        let total = Total()
        let subject = PublishSubject<Int>()
        let chain = subject.map { $0 &+ 1 }.filter { $0 != -5 }.map { $0 &+ 1 }.filter { $0 != -5 }
            .scan(0) { $0 &+ $1 }
        let hand = HandSubject()
        try await compare(&report, "chain5SubDispose", count: 20_000) {
            for _ in 0..<20_000 { chain.subscribe(onNext: { total.add($0) }).dispose() }
        } hand: {
            for _ in 0..<20_000 {
                let scan = Hand.scan({ total.add($0) }, { $0 &+ $1 })
                let inner = Hand.map(Hand.filter(scan) { $0 != -5 }) { $0 &+ 1 }
                let key = hand.add(Hand.map(Hand.filter(inner) { $0 != -5 }) { $0 &+ 1 })
                hand.remove(key)
            }
        }
    }

    private static func mapFilter(_ source: Observable<Int>) -> Observable<Int> {
        source
            .map { $0 &+ 1 }.filter { $0 != -5 }.map { $0 &+ 1 }.filter { $0 != -5 }
            .map { $0 &+ 1 }.filter { $0 != -5 }.map { $0 &+ 1 }.filter { $0 != -5 }
            .map { $0 &+ 1 }.filter { $0 != -5 }.map { $0 &+ 1 }.filter { $0 != -5 }
    }
}
