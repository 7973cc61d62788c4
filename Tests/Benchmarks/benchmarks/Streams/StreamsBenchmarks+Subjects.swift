import Samples
import Streams

extension StreamsBenchmarks {
    static func subjects<E: Sample>(_ report: inout Report, _: E.Type) async throws {
        for (shape, observers, count) in [
            ("subjectPump1", 1, 500_000), ("subjectFan10", 10, 100_000), ("subjectFan100", 100, 20_000),
        ] {
            let totals = Totals()
            let subject = PublishSubject<E>()
            let subscriptions = (0..<observers).map { _ in
                subject.subscribe(onNext: { totals.streams.add(sample: $0) })
            }
            let hand = HandSubject<E>()
            for _ in 0..<observers { hand.add { totals.hand.add(sample: $0) } }
            try await compare(&report, shape, E.self, count: count, totals) { count in
                for number in 0..<count { subject.onNext(E.sample(number)) }
            } hand: { count in
                for number in 0..<count { hand.send(E.sample(number)) }
            }
            subscriptions.forEach { $0.dispose() }
        }
        try await shareReplay(&report, E.self)
        try await comingAndGoing(&report, E.self)
    }

    private static func comingAndGoing<E: Sample>(_ report: inout Report, _: E.Type) async throws {
        let totals = Totals()
        try await compare(&report, "subjectCreate", E.self, count: 20_000, totals) { count in
            for number in 0..<count {
                let subject = PublishSubject<E>()
                let subscription = subject.subscribe(onNext: { totals.streams.add(sample: $0) })
                subject.onNext(E.sample(number))
                subscription.dispose()
            }
        } hand: { count in
            for number in 0..<count {
                let subject = HandSubject<E>()
                let key = subject.add { totals.hand.add(sample: $0) }
                subject.send(E.sample(number))
                subject.remove(key)
            }
        }
        // One subscribes and leaves among a thousand who stay.
        let subject = PublishSubject<E>()
        let subscriptions = (0..<1_000).map { _ in subject.subscribe(onNext: { totals.streams.add(sample: $0) }) }
        let hand = HandSubject<E>()
        for _ in 0..<1_000 { hand.add { totals.hand.add(sample: $0) } }
        try await compare(&report, "subs1000", E.self, count: 20_000, totals) { count in
            for _ in 0..<count { subject.subscribe(onNext: { totals.streams.add(sample: $0) }).dispose() }
            subject.onNext(E.sample(count))
        } hand: { count in
            for _ in 0..<count { hand.remove(hand.add { totals.hand.add(sample: $0) }) }
            hand.send(E.sample(count))
        }
        subscriptions.forEach { $0.dispose() }
    }

    private static func shareReplay<E: Sample>(_ report: inout Report, _: E.Type) async throws {
        let totals = Totals()
        let subject = PublishSubject<E>()
        let shared = subject.share(replay: 1)
        let subscriptions = (0..<10).map { _ in shared.subscribe(onNext: { totals.streams.add(sample: $0) }) }
        let hand = HandSubject<E>()
        let latest = Total.Cell(E.sample(0))
        for _ in 0..<10 { hand.add { totals.hand.add(sample: $0) } }
        try await compare(&report, "shareReplay10", E.self, count: 100_000, totals) { count in
            for number in 0..<count { subject.onNext(E.sample(number)) }
        } hand: { count in
            for number in 0..<count {
                latest.value = E.sample(number)
                hand.send(latest.value)
            }
        }
        subscriptions.forEach { $0.dispose() }
    }
}
