import Streams
import Synchronization

extension StreamsBenchmarks {
    static func combining(_ report: inout Report) async throws {
        try await combineLatest(&report)
        try await merge(&report)
        try await zip(&report)
        try await withLatestFrom(&report)
    }

    /// Seven nested combinations of four, of which one sends.
    private static func nested(_ source: Observable<Int>) -> Observable<Int> {
        let one = Observable.just(1)
        var last = Observable.combineLatest(source, one, one, one) { first, _, _, _ in first }
        for _ in 0..<6 {
            last = Observable.combineLatest(one, one, one, last) { _, _, _, last in last }
        }
        return last
    }

    private static func handCombined(_ next: @escaping Hand.Next) -> Hand.Next {
        (0..<7).reduce(next) { next, _ in Hand.combine(next) { _, _, _, last in last } }
    }

    private static func combineLatest(_ report: inout Report) async throws {
        let total = Total()
        let pump = nested(source(100_000))
        try await compare(&report, "combineLatestPump", count: 100_000) {
            pump.subscribe(onNext: { total.add($0) }).dispose()
        } hand: {
            let next = handCombined { total.add($0) }
            for element in 0..<100_000 { next(element) }
        }
        let single = nested(source(1))
        try await compare(&report, "combineLatestCreate", count: 5_000) {
            for _ in 0..<5_000 { single.subscribe(onNext: { total.add($0) }).dispose() }
        } hand: {
            for _ in 0..<5_000 { handCombined { total.add($0) }(0) }
        }
    }

    private static func merge(_ report: inout Report) async throws {
        let total = Total()
        let subjects = (0..<8).map { _ in PublishSubject<Int>() }
        let subscription = Observable.merge(subjects.map { $0.asObservable() }).subscribe(onNext: { total.add($0) })
        let hands = (0..<8).map { _ in HandSubject() }
        let gate = Mutex(())
        for hand in hands { _ = hand.add { element in gate.withLock { _ in total.add(element) } } }
        try await compare(&report, "merge8", count: 800_000) {
            for element in 0..<100_000 { for subject in subjects { subject.onNext(element) } }
        } hand: {
            for element in 0..<100_000 { for hand in hands { hand.send(element) } }
        }
        subscription.dispose()
    }

    private static func zip(_ report: inout Report) async throws {
        let total = Total()
        let first = PublishSubject<Int>()
        let second = PublishSubject<Int>()
        let subscription = Observable.zip(first, second) { $0 &+ $1 }.subscribe(onNext: { total.add($0) })
        let (handFirst, handSecond) = (HandSubject(), HandSubject())
        let waiting = Mutex([Int]())
        _ = handFirst.add { element in waiting.withLock { $0.append(element) } }
        _ = handSecond.add { element in
            let first = waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            if let first { total.add(first &+ element) }
        }
        try await compare(&report, "zip2", count: 400_000) {
            for element in 0..<400_000 {
                first.onNext(element)
                second.onNext(element)
            }
        } hand: {
            for element in 0..<400_000 {
                handFirst.send(element)
                handSecond.send(element)
            }
        }
        subscription.dispose()
    }

    private static func withLatestFrom(_ report: inout Report) async throws {
        let total = Total()
        let subject = PublishSubject<Int>()
        let other = BehaviorSubject(value: 1)
        let subscription = subject.withLatestFrom(other) { $0 &+ $1 }.subscribe(onNext: { total.add($0) })
        let hand = HandSubject()
        let latest = Mutex(1)
        _ = hand.add { element in total.add(element &+ latest.withLock { $0 }) }
        try await compare(&report, "withLatestFrom", count: 1_000_000) {
            for element in 0..<1_000_000 { subject.onNext(element) }
        } hand: {
            for element in 0..<1_000_000 { hand.send(element) }
        }
        subscription.dispose()
    }
}
