import Dispatch
import Samples
import Streams
import StreamsTesting

extension StreamsBenchmarks {
    static func timing<E: Sample>(_ report: inout Report, _: E.Type) async throws {
        try await buffer(&report, E.self)
        try await onTestScheduler(
            &report, "debounce1000", E.self, { $0.debounce(.seconds(5), scheduler: $1) },
            { clock, next in Hand.Debounce(5, on: clock, next).send })
        try await onTestScheduler(
            &report, "throttle1000", E.self, { $0.throttle(.seconds(5), scheduler: $1) },
            { clock, next in Hand.Throttle(5, on: clock, next).send })
        try await onPlainScheduler(&report, E.self)
    }

    /// Full buffers of ten; the time never comes.
    private static func buffer<E: Sample>(_ report: inout Report, _: E.Type) async throws {
        let totals = Totals()
        let scheduler = SerialDispatchQueueScheduler(qos: .default)
        let queue = DispatchQueue(label: "by hand")
        try await compare(&report, "buffer10", E.self, count: 200_000, totals) { count in
            let subject = PublishSubject<E>()
            let subscription = subject.buffer(timeSpan: .seconds(60), count: 10, scheduler: scheduler)
                .subscribe(onNext: { for element in $0 { totals.streams.add(sample: element) } })
            for number in 0..<count { subject.onNext(E.sample(number)) }
            subscription.dispose()
        } hand: { count in
            let subject = HandSubject<E>()
            let buffer = Hand.Buffer<E>(.seconds(60), 10, on: queue) { elements in
                for element in elements { totals.hand.add(sample: element) }
            }
            let key = subject.add(buffer.send)
            for number in 0..<count { subject.send(E.sample(number)) }
            subject.remove(key)
            buffer.stop()
        }
    }

    /// When the elements are sent: bursts of five, two ticks apart, and then a pause that is long enough.
    private static let ticks = (0..<1_000).map { number in number * 2 + number / 5 * 10 + 2 }

    /// A thousand recorded events on a scheduler of their own, which runs until nothing is left to do.
    private static func onTestScheduler<E: Sample>(
        _ report: inout Report, _ shape: String, _: E.Type,
        _ wait: @escaping (Observable<E>, TestScheduler) -> Observable<E>,
        _ handWait: @escaping (HandClock, @escaping Hand.Next<E>) -> Hand.Next<E>
    ) async throws {
        let totals = Totals()
        let ticks = ticks
        let events = ticks.enumerated().map { Recorded<Event<E>>.next($0.element, E.sample($0.offset)) }
        let count = report.scaled(20)
        try await report.measure(
            shape, element: E.name, count: count * ticks.count,
            .whole("Streams") {
                let before = totals.streams.value
                for _ in 0..<count {
                    let scheduler = TestScheduler(initialClock: 0)
                    let source = scheduler.createHotObservable(events)
                    let subscription = wait(source.asObservable(), scheduler)
                        .subscribe(onNext: { totals.streams.add(sample: $0) })
                    scheduler.start()
                    subscription.dispose()
                }
                return totals.streams.value &- before
            },
            .whole("Hand") {
                let before = totals.hand.value
                for _ in 0..<count {
                    let clock = HandClock()
                    let subject = HandSubject<E>()
                    let key = subject.add(handWait(clock) { totals.hand.add(sample: $0) })
                    for event in events {
                        clock.advance(to: event.time)
                        if case .next(let element) = event.value { subject.send(element) }
                    }
                    clock.advance(to: clock.now + 10)
                    subject.remove(key)
                }
                return totals.hand.value &- before
            })
    }

    /// The same events, sent by a subject while a scheduler that is not the library's own advances.
    private static func onPlainScheduler<E: Sample>(_ report: inout Report, _: E.Type) async throws {
        let totals = Totals()
        let ticks = ticks
        try await compare(&report, "debounce1000Plain", E.self, count: 20_000, totals) { count in
            for _ in 0..<count / ticks.count {
                let scheduler = PlainScheduler()
                let subject = PublishSubject<E>()
                let subscription = subject.debounce(.seconds(5), scheduler: scheduler)
                    .subscribe(onNext: { totals.streams.add(sample: $0) })
                for (number, tick) in ticks.enumerated() {
                    scheduler.clock.advance(to: tick)
                    subject.onNext(E.sample(number))
                }
                scheduler.clock.advance(to: scheduler.clock.now + 10)
                subscription.dispose()
            }
        } hand: { count in
            for _ in 0..<count / ticks.count {
                let clock = HandClock()
                let subject = HandSubject<E>()
                let debounce = Hand.Debounce<E>(5, on: clock) { totals.hand.add(sample: $0) }
                let key = subject.add(debounce.send)
                for (number, tick) in ticks.enumerated() {
                    clock.advance(to: tick)
                    subject.send(E.sample(number))
                }
                clock.advance(to: clock.now + 10)
                subject.remove(key)
            }
        }
    }
}
