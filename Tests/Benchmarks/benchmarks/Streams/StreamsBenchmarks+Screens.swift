import Samples
import Streams
import StreamsTesting
import Synchronization

extension StreamsBenchmarks {
    static func screens<E: Sample>(_ report: inout Report, _: E.Type) async throws {
        try await relayDriver(&report, E.self)
        try await searchScreen(&report, E.self)
    }

    /// What a tap goes through on its way to three labels.
    private static func relayDriver<E: Sample>(_ report: inout Report, _: E.Type) async throws {
        let totals = Totals()
        let relay = PublishRelay<E>()
        let state = BehaviorRelay(value: E.sample(1))
        let shared = relay.withLatestFrom(state) { $0.adding($1) }
            .flatMapLatest { element in
                Observable.create { observer in
                    observer.onNext(element)
                    observer.onCompleted()
                    return Disposables.create()
                }
            }
            .share()
            .asDriver(onErrorDriveWith: .empty())
        let bag = DisposeBag()
        for _ in 0..<3 { shared.drive(onNext: { totals.streams.add(sample: $0) }).disposed(by: bag) }

        let handRelay = HandSubject<E>()
        let handState = Mutex(E.sample(1))
        let labels = HandSubject<E>()
        let latest = Mutex(nil as E?)  // for a label that comes later
        let show: Hand.Next<E> = { element in
            latest.withLock { $0 = element }
            labels.send(element)
        }
        let load = Hand.flatMapLatest(show) { (element: E, next, end) in
            next(element)
            end()
            return nil
        }
        handRelay.add { element in load(element.adding(handState.withLock { $0 })) }
        for _ in 0..<3 { labels.add { totals.hand.add(sample: $0) } }
        try await compare(&report, "relayDriver3", E.self, count: 100_000, goal: 3, totals) { count in
            for number in 0..<count { relay.accept(E.sample(number)) }
        } hand: { count in
            for number in 0..<count { handRelay.send(E.sample(number)) }
        }
    }

    /// A search screen: made, its three outputs bound, used once, let go.
    private static func searchScreen<E: Sample>(_ report: inout Report, _: E.Type) async throws {
        let totals = Totals()
        let scheduler = TestScheduler(initialClock: 0)
        let clock = HandClock()
        try await compare(
            &report, "searchScreen", E.self, count: 3_000, goal: 8, allocationLimit: 87, totals
        ) { count in
            let total = totals.streams
            for number in 0..<count {
                let screen = DebouncedSearch<E>(scheduler)
                let bag = DisposeBag()
                screen.rows.drive(onNext: { for row in $0 { total.add(sample: row) } }).disposed(by: bag)
                screen.isLoading.drive(onNext: { total.add($0 ? 1 : 2) }).disposed(by: bag)
                screen.messages.drive(onNext: { total.add($0.utf8.count) }).disposed(by: bag)
                screen.query.accept(E.sample(number))
                scheduler.advance(by: 1)
            }
        } hand: { count in
            let total = totals.hand
            for number in 0..<count {
                let screen = HandDebouncedSearch<E>.make(clock)
                screen.onRows { for row in $0 { total.add(sample: row) } }
                screen.onLoading { total.add($0 ? 1 : 2) }
                screen.onMessage { total.add($0.utf8.count) }
                screen.type(E.sample(number))
                clock.advance(to: clock.now + 1)
            }
        }
    }
}
