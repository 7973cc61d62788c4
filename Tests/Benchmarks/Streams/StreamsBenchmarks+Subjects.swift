import Streams

extension StreamsBenchmarks {
    static func subjects(_ report: inout Report) async throws {
        for (shape, observers, count) in [
            ("subjectPump1", 1, 1_000_000), ("subjectFan10", 10, 100_000), ("subjectFan100", 100, 20_000),
        ] {
            let total = Total()
            let subject = PublishSubject<Int>()
            let subscriptions = (0..<observers).map { _ in subject.subscribe(onNext: { total.add($0) }) }
            let hand = HandSubject()
            for _ in 0..<observers { _ = hand.add { total.add($0) } }
            try await compare(&report, shape, count: count) {
                for element in 0..<count { subject.onNext(element) }
            } hand: {
                for element in 0..<count { hand.send(element) }
            }
            subscriptions.forEach { $0.dispose() }
        }
        try await compare(&report, "subjectCreate", count: 20_000) {
            let total = Total()
            for element in 0..<20_000 {
                let subject = PublishSubject<Int>()
                let subscription = subject.subscribe(onNext: { total.add($0) })
                subject.onNext(element)
                subscription.dispose()
            }
        } hand: {
            let total = Total()
            for element in 0..<20_000 {
                let subject = HandSubject()
                let key = subject.add { total.add($0) }
                subject.send(element)
                subject.remove(key)
            }
        }
        try await shareReplay(&report)
    }

    private static func shareReplay(_ report: inout Report) async throws {
        let total = Total()
        let subject = PublishSubject<Int>()
        let shared = subject.share(replay: 1)
        let subscriptions = (0..<10).map { _ in shared.subscribe(onNext: { total.add($0) }) }
        let hand = HandSubject()
        let latest = Total.Cell(0)
        for _ in 0..<10 { _ = hand.add { total.add($0) } }
        try await compare(&report, "shareReplay10", count: 100_000) {
            for element in 0..<100_000 { subject.onNext(element) }
        } hand: {
            for element in 0..<100_000 {
                latest.value = element
                hand.send(element)
            }
        }
        subscriptions.forEach { $0.dispose() }
    }
}
