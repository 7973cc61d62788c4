import Samples
import Streams
import Synchronization

extension StreamsBenchmarks {
    /// What a tap goes through on its way to three labels.
    static func screens<E: Sample>(_ report: inout Report, _: E.Type) async throws {
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
        try await compare(&report, "relayDriver3", E.self, count: 100_000, totals) { count in
            for number in 0..<count { relay.accept(E.sample(number)) }
        } hand: { count in
            for number in 0..<count { handRelay.send(E.sample(number)) }
        }
    }
}
