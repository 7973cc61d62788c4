import Samples
import Streams

extension StreamsBenchmarks {
    static func chains<E: Sample>(_ report: inout Report, _: E.Type) async throws {
        let totals = Totals()
        try await compare(&report, "mapFilterPump", E.self, count: 500_000, totals) { count in
            mapFilter(source(count) as Observable<E>).subscribe(onNext: { totals.streams.add(sample: $0) }).dispose()
        } hand: { count in
            let next = Hand.mapFilter { (element: E) in totals.hand.add(sample: element) }
            for number in 0..<count { next(E.sample(number)) }
        }
        let single = mapFilter(source(1) as Observable<E>)
        try await compare(&report, "mapFilterCreate", E.self, count: 20_000, totals) { count in
            for _ in 0..<count { single.subscribe(onNext: { totals.streams.add(sample: $0) }).dispose() }
        } hand: { count in
            for _ in 0..<count { Hand.mapFilter { (element: E) in totals.hand.add(sample: element) }(E.sample(0)) }
        }
        try await compare(&report, "scanDistinct", E.self, count: 500_000, totals) { count in
            let stream = (source(count) as Observable<E>).scan(E.sample(0)) { $0.adding($1) }.distinctUntilChanged()
            stream.subscribe(onNext: { totals.streams.add(sample: $0) }).dispose()
        } hand: { count in
            let next = Hand.scan(
                Hand.distinct { (element: E) in totals.hand.add(sample: element) }, from: E.sample(0)
            ) { $0.adding($1) }
            for number in 0..<count { next(E.sample(number)) }
        }
        try await chainSetUp(&report, E.self)
        try await composed(&report, E.self)
        try await deepMap(&report, E.self)
    }

    private static func chainSetUp<E: Sample>(_ report: inout Report, _: E.Type) async throws {
        let totals = Totals()
        let subject = PublishSubject<E>()
        let chain = subject.map { $0.next }.filter { !$0.isRare }.map { $0.next }.filter { !$0.isRare }
            .scan(E.sample(0)) { $0.adding($1) }
        let hand = HandSubject<E>()
        try await compare(&report, "chain5SubDispose", E.self, count: 20_000, totals) { count in
            for _ in 0..<count { chain.subscribe(onNext: { totals.streams.add(sample: $0) }).dispose() }
        } hand: { count in
            for _ in 0..<count {
                let scan = Hand.scan(
                    { (element: E) in totals.hand.add(sample: element) }, from: E.sample(0), { $0.adding($1) })
                let inner = Hand.map(Hand.filter(scan) { !$0.isRare }) { $0.next }
                let key = hand.add(Hand.map(Hand.filter(inner) { !$0.isRare }) { $0.next })
                hand.remove(key)
            }
        }
    }

    /// Chains of 5 and of 12 operators: composed, subscribed, one element, let go.
    private static func composed<E: Sample>(_ report: inout Report, _: E.Type) async throws {
        let totals = Totals()
        let subject = PublishSubject<E>()
        let hand = HandSubject<E>()
        try await compare(
            &report, "chain5", E.self, count: 20_000, allocationLimit: 17, totals
        ) { count in
            for number in 0..<count {
                let chain = subject.map { $0.next }.filter { !$0.isRare }.map { $0.next }.filter { !$0.isRare }
                    .scan(E.sample(0)) { $0.adding($1) }
                let subscription = chain.subscribe(onNext: { totals.streams.add(sample: $0) })
                subject.onNext(E.sample(number))
                subscription.dispose()
            }
        } hand: { count in
            for number in 0..<count {
                let scan = Hand.scan(
                    { (element: E) in totals.hand.add(sample: element) }, from: E.sample(0), { $0.adding($1) })
                let inner = Hand.map(Hand.filter(scan) { !$0.isRare }) { $0.next }
                let key = hand.add(Hand.map(Hand.filter(inner) { !$0.isRare }) { $0.next })
                hand.send(E.sample(number))
                hand.remove(key)
            }
        }
        try await compare(
            &report, "chain12", E.self, count: 20_000, allocationLimit: 30, totals
        ) { count in
            for number in 0..<count {
                let subscription = mapFilter(subject).subscribe(onNext: { totals.streams.add(sample: $0) })
                subject.onNext(E.sample(number))
                subscription.dispose()
            }
        } hand: { count in
            for number in 0..<count {
                let key = hand.add(Hand.mapFilter { (element: E) in totals.hand.add(sample: element) })
                hand.send(E.sample(number))
                hand.remove(key)
            }
        }
    }

    /// A hundred operators: put one upon the other, subscribed, one element, let go.
    private static func deepMap<E: Sample>(_ report: inout Report, _: E.Type) async throws {
        let totals = Totals()
        let single: Observable<E> = source(1)
        try await compare(&report, "deepMap100", E.self, count: 2_000, allocationLimit: 113, totals) { count in
            for _ in 0..<count {
                var stream = single
                for _ in 0..<100 { stream = stream.map { $0.next } }
                stream.subscribe(onNext: { totals.streams.add(sample: $0) }).dispose()
            }
        } hand: { count in
            for _ in 0..<count {
                var next: Hand.Next<E> = { totals.hand.add(sample: $0) }
                for _ in 0..<100 { next = Hand.map(next) { $0.next } }
                next(E.sample(0))
            }
        }
    }

    private static func mapFilter<E: Sample>(_ source: Observable<E>) -> Observable<E> {
        source
            .map { $0.next }.filter { !$0.isRare }.map { $0.next }.filter { !$0.isRare }
            .map { $0.next }.filter { !$0.isRare }.map { $0.next }.filter { !$0.isRare }
            .map { $0.next }.filter { !$0.isRare }.map { $0.next }.filter { !$0.isRare }
    }
}
