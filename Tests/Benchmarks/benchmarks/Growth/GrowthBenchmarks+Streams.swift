import Streams

extension GrowthBenchmarks {
    static func subjects(_ report: inout Report) async throws {
        try await measure(&report, "subjectDeliver") { size in
            let (subject, total) = (PublishSubject<Int>(), Total())
            let subscriptions = observers(size, of: subject, total)
            return Steps(size * 20) {
                for number in 0..<20 { subject.onNext(number) }
                return withExtendedLifetime(subscriptions) { total.value }
            }
        }
        try await measure(&report, "subjectSubscribe") { size in
            let (subject, total) = (PublishSubject<Int>(), Total())
            return Steps(size) { observers(size, of: subject, total).count }
        }
        try await measure(&report, "relaySubscribe") { size in
            let (relay, total) = (BehaviorRelay(value: 1), Total())
            return Steps(size) { observers(size, of: relay.asObservable(), total).count }
        }
        try await measure(&report, "shareSubscribe") { size in
            let shared = BehaviorRelay(value: 1).map { $0 }.share(replay: 1)
            let total = Total()
            return Steps(size) { observers(size, of: shared, total).count }
        }
        let orders: [(String, (Int) -> [Int])] = [
            ("Oldest", { Array(0..<$0) }), ("Newest", { (0..<$0).reversed() }), ("Random", shuffled),
        ]
        for (name, order) in orders {
            try await measure(&report, "subjectLeave\(name)") { leave(PublishSubject<Int>(), $0, in: order($0)) }
            try await measure(&report, "shareLeave\(name)") { size in
                leave(BehaviorRelay(value: 1).map { $0 }.share(replay: 1), size, in: order(size))
            }
        }
        try await measure(&report, "subjectLeaveBetweenSends", upTo: 10_000) { size in
            let (subject, total) = (PublishSubject<Int>(), Total())
            let subscriptions = observers(size, of: subject, total)
            return Steps(size) {
                for (index, subscription) in subscriptions.enumerated() {
                    subscription.dispose()
                    if index % (size / 10) == 0 { subject.onNext(1) }
                }
                return total.value
            }
        }
        try await measure(&report, "subjectReentrantSends") { size in
            let (subject, total) = (PublishSubject<Int>(), Total())
            let subscription = subject.subscribe(onNext: { number in
                if number == 0 { for later in 1...size { subject.onNext(later) } }
                total.add(number)
            })
            return Steps(size) {
                subject.onNext(0)
                subscription.dispose()
                return total.value
            }
        }
    }

    private static func leave(_ stream: Observable<Int>, _ size: Int, in order: [Int]) -> Steps {
        let subscriptions = observers(size, of: stream, Total())
        return Steps(size) {
            for index in order { subscriptions[index].dispose() }
            return withExtendedLifetime(stream) { order.count }
        }
    }

    static func disposables(_ report: inout Report) async throws {
        try await measure(&report, "bagInsertRelease") { size in
            let subject = PublishSubject<Int>()
            return Steps(size) {
                let bag = DisposeBag()
                for _ in 0..<size { subject.subscribe(onNext: { _ in }).disposed(by: bag) }
                return size
            }
        }
        let orders: [(String, (Int) -> [Int])] = [("Oldest", { Array(0..<$0) }), ("Random", shuffled)]
        for (name, order) in orders {
            try await measure(&report, "compositeRemove\(name)") { size in
                let order = order(size)
                return Steps(size) {
                    let composite = CompositeDisposable()
                    let keys = (0..<size).map { _ in composite.insert(Disposables.create {}) }
                    for index in order { if let key = keys[index] { composite.remove(for: key) } }
                    return composite.count
                }
            }
        }
    }

    static func innerStreams(_ report: inout Report) async throws {
        try await measure(&report, "mergeSend") { size in
            let (subjects, total) = ((0..<size).map { _ in PublishSubject<Int>() }, Total())
            let merged = Observable.merge(subjects.map { $0.asObservable() }).subscribe(onNext: { total.add($0) })
            return Steps(1000) {
                for number in 0..<1000 { subjects[number % size].onNext(number) }
                return withExtendedLifetime(merged) { total.value }
            }
        }
        try await measure(&report, "flatMapInnerEnds") { size in
            let (subjects, total) = ((0..<size).map { _ in PublishSubject<Int>() }, Total())
            let merged = Observable.from(subjects).flatMap { $0 }.subscribe(onCompleted: { total.add(1) })
            return Steps(size) {
                for subject in subjects { subject.onCompleted() }
                return withExtendedLifetime(merged) { total.value }
            }
        }
        // Each element is an array of all values.
        try await measure(&report, "combineLatestEachValue") { size in
            let (relays, total) = ((0..<size).map { BehaviorRelay(value: $0) }, Total())
            let combined = Observable.combineLatest(relays.map { $0.asObservable() })
                .subscribe(onNext: { total.add($0.count) })
            return Steps(size * 10) {
                for number in 0..<10 { relays[number % size].accept(number) }
                return withExtendedLifetime(combined) { total.value }
            }
        }
        try await measure(&report, "groupByKeys") { size in
            let (subject, total) = (PublishSubject<Int>(), Total())
            let grouped = subject.groupBy { $0 }.flatMap { $0 }.subscribe(onNext: { total.add($0) })
            return Steps(size * 2) {
                for number in 0..<size * 2 { subject.onNext(number % size) }
                return withExtendedLifetime(grouped) { total.value }
            }
        }
        try await measure(&report, "concatMapWaiting") { size in
            let (subject, first, total) = (PublishSubject<Int>(), PublishSubject<Int>(), Total())
            let concatenated = subject.concatMap { $0 == 0 ? first.asObservable() : Observable.just($0) }
                .subscribe(onNext: { total.add($0) })
            return Steps(size) {
                for number in 0..<size { subject.onNext(number) }
                first.onCompleted()
                return withExtendedLifetime(concatenated) { total.value }
            }
        }
    }

    static func timers(_ report: inout Report) async throws {
        try await measure(&report, "timersFire") { size in
            let (scheduler, total) = (HistoricalScheduler(), Total())
            let timers = Observable.merge(
                shuffled(size).map { Observable<Int>.timer(.milliseconds($0), scheduler: scheduler) })
            let subscription = timers.subscribe(onNext: { _ in total.add(1) })
            return Steps(size) {
                scheduler.start()
                return withExtendedLifetime(subscription) { total.value }
            }
        }
        try await measure(&report, "timersCancelled") { size in
            let scheduler = HistoricalScheduler()
            let timers = shuffled(size).map {
                Observable<Int>.timer(.milliseconds($0), scheduler: scheduler).subscribe()
            }
            return Steps(size) {
                for timer in timers { timer.dispose() }
                scheduler.start()
                return size
            }
        }
    }

    static func chains(_ report: inout Report) async throws {
        try await measure(&report, "mapChain", upTo: 10_000) { size in
            Steps(size) {
                let (subject, total) = (PublishSubject<Int>(), Total())
                var stream = subject.asObservable()
                for _ in 0..<size { stream = stream.map { $0 &+ 1 } }
                let subscription = stream.subscribe(onNext: { total.add($0) })
                subject.onNext(1)
                subscription.dispose()
                return total.value
            }
        }
        try await measure(&report, "concatDeferredTail") { size in
            Steps(size) {
                let total = Total()
                countdown(from: size).subscribe(onNext: { total.add($0) }).dispose()
                return total.value
            }
        }
        try await measure(&report, "relaysInARow", upTo: 10_000) { size in
            let relays = (0...size).map { _ in PublishRelay<Int>() }
            let bindings = (0..<size).map { relays[$0].bind(to: relays[$0 + 1]) }
            return Steps(size) {
                relays[0].accept(1)
                return withExtendedLifetime(bindings) { size }
            }
        }
    }

    nonisolated private static func countdown(from number: Int) -> Observable<Int> {
        number == 0
            ? .just(0) : Observable.just(number).concat(Observable.deferred { countdown(from: number - 1) })
    }

    static func stored(_ report: inout Report) async throws {
        try await measure(&report, "replayAll") { size in
            let (subject, total) = (ReplaySubject<Int>.createUnbounded(), Total())
            for number in 0..<size { subject.onNext(number) }
            return Steps(size) {
                subject.subscribe(onNext: { total.add($0) }).dispose()
                return total.value
            }
        }
        try await measure(&report, "bufferCount") { send($0) { $0.buffer(count: $1).map(\.count) } }
        try await measure(&report, "takeLast") { send($0) { $0.takeLast($1) } }
    }

    /// Sends three times as many elements as the size.
    private static func send(_ size: Int, through operation: (Observable<Int>, Int) -> Observable<Int>) -> Steps {
        let (subject, total) = (PublishSubject<Int>(), Total())
        let subscription = operation(subject.asObservable(), size).subscribe(onNext: { total.add($0) })
        return Steps(size * 3) {
            for number in 0..<size * 3 { subject.onNext(number) }
            subject.onCompleted()
            return withExtendedLifetime(subscription) { total.value }
        }
    }
}
