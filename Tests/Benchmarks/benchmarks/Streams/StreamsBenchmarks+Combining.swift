import Samples
import Streams
import Synchronization

extension StreamsBenchmarks {
    static func combining<E: Sample>(_ report: inout Report, _: E.Type) async throws {
        try await combineLatest(&report, E.self)
        try await merge(&report, E.self)
        try await zip(&report, E.self)
        try await withLatestFrom(&report, E.self)
    }

    /// Seven nested combinations of four, of which the last sends: when it does, all others have sent.
    private static func nested<E: Sample>(_ source: Observable<E>) -> Observable<E> {
        let one = Observable.just(E.sample(1))
        var last = source
        for _ in 0..<7 { last = Observable.combineLatest(one, one, one, last) { _, _, _, last in last } }
        return last
    }

    private static func handNested<E: Sample>(_ source: @escaping Hand.Source<E>) -> Hand.Source<E> {
        let one: Hand.Source<E> = { next in
            next(E.sample(1))
            return nil
        }
        var last = source
        for _ in 0..<7 { last = Hand.combineLatest(one, one, one, last) { _, _, _, last in last } }
        return last
    }

    private static func combineLatest<E: Sample>(_ report: inout Report, _: E.Type) async throws {
        let totals = Totals()
        try await compare(&report, "combineLatestPump", E.self, count: 100_000, totals) { count in
            nested(source(count) as Observable<E>).subscribe(onNext: { totals.streams.add(sample: $0) }).dispose()
        } hand: { count in
            let hand: Hand.Source<E> = handNested { next in
                for number in 0..<count { next(E.sample(number)) }
                return nil
            }
            hand { totals.hand.add(sample: $0) }?()
        }
        let single = nested(source(1) as Observable<E>)
        let hand: Hand.Source<E> = handNested { next in
            next(E.sample(0))
            return nil
        }
        try await compare(&report, "combineLatestCreate", E.self, count: 5_000, totals) { count in
            for _ in 0..<count { single.subscribe(onNext: { totals.streams.add(sample: $0) }).dispose() }
        } hand: { count in
            for _ in 0..<count { hand { totals.hand.add(sample: $0) }?() }
        }
    }

    private static func merge<E: Sample>(_ report: inout Report, _: E.Type) async throws {
        let totals = Totals()
        let subjects = (0..<8).map { _ in PublishSubject<E>() }
        let subscription = Observable.merge(subjects.map { $0.asObservable() })
            .subscribe(onNext: { totals.streams.add(sample: $0) })
        let hands = (0..<8).map { _ in HandSubject<E>() }
        let gate = Mutex(())
        for hand in hands { hand.add { element in gate.withLock { _ in totals.hand.add(sample: element) } } }
        try await compare(&report, "merge8", E.self, count: 400_000, totals) { count in
            for number in 0..<count / 8 { for subject in subjects { subject.onNext(E.sample(number)) } }
        } hand: { count in
            for number in 0..<count / 8 { for hand in hands { hand.send(E.sample(number)) } }
        }
        subscription.dispose()
    }

    private static func zip<E: Sample>(_ report: inout Report, _: E.Type) async throws {
        let totals = Totals()
        let first = PublishSubject<E>()
        let second = PublishSubject<E>()
        let subscription = Observable.zip(first, second) { $0.adding($1) }
            .subscribe(onNext: { totals.streams.add(sample: $0) })
        let (handFirst, handSecond) = (HandSubject<E>(), HandSubject<E>())
        let waiting = Mutex([E]())
        handFirst.add { element in waiting.withLock { $0.append(element) } }
        handSecond.add { element in
            let first = waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            if let first { totals.hand.add(sample: first.adding(element)) }
        }
        try await compare(&report, "zip2", E.self, count: 200_000, totals) { count in
            for number in 0..<count {
                first.onNext(E.sample(number))
                second.onNext(E.sample(number))
            }
        } hand: { count in
            for number in 0..<count {
                handFirst.send(E.sample(number))
                handSecond.send(E.sample(number))
            }
        }
        subscription.dispose()
    }

    private static func withLatestFrom<E: Sample>(_ report: inout Report, _: E.Type) async throws {
        let totals = Totals()
        let subject = PublishSubject<E>()
        let other = BehaviorSubject(value: E.sample(1))
        let subscription = subject.withLatestFrom(other) { $0.adding($1) }
            .subscribe(onNext: { totals.streams.add(sample: $0) })
        let hand = HandSubject<E>()
        let latest = Mutex(E.sample(1))
        hand.add { element in totals.hand.add(sample: element.adding(latest.withLock { $0 })) }
        try await compare(&report, "withLatestFrom", E.self, count: 500_000, totals) { count in
            for number in 0..<count { subject.onNext(E.sample(number)) }
        } hand: { count in
            for number in 0..<count { hand.send(E.sample(number)) }
        }
        subscription.dispose()
    }
}
