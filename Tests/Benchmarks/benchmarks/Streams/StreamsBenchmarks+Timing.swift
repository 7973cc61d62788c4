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
        try await recorded(&report, E.self)
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

    /// A thousand elements, sent by a subject while the scheduler of the test kit advances.
    private static func onTestScheduler<E: Sample>(
        _ report: inout Report, _ shape: String, _: E.Type,
        _ wait: @escaping (Observable<E>, TestScheduler) -> Observable<E>,
        _ handWait: @escaping (HandClock, @escaping Hand.Next<E>) -> Hand.Next<E>
    ) async throws {
        let totals = Totals()
        let ticks = ticks
        try await compare(&report, shape, E.self, count: 20_000, totals) { count in
            for _ in 0..<count / ticks.count {
                let scheduler = TestScheduler(initialClock: 0)
                let subject = PublishSubject<E>()
                let subscription = wait(subject.asObservable(), scheduler)
                    .subscribe(onNext: { totals.streams.add(sample: $0) })
                for (number, tick) in ticks.enumerated() {
                    scheduler.advance(to: tick)
                    subject.onNext(E.sample(number))
                }
                scheduler.advance(by: 10)
                subscription.dispose()
            }
        } hand: { count in
            byHand(count / ticks.count, totals.hand, handWait)
        }
    }

    /// The same on a scheduler that is not the library's own.
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
            byHand(count / ticks.count, totals.hand) { (clock, next: @escaping Hand.Next<E>) in
                Hand.Debounce(5, on: clock, next).send
            }
        }
    }

    /// The same as a recorded hot observable of the test kit, which schedules each of its events.
    private static func recorded<E: Sample>(_ report: inout Report, _: E.Type) async throws {
        let totals = Totals()
        let events = ticks.enumerated().map { Recorded<Event<E>>.next($0.element, E.sample($0.offset)) }
        try await compare(&report, "debounceRecorded1000", E.self, count: 10_000, totals) { count in
            for _ in 0..<count / events.count {
                let scheduler = TestScheduler(initialClock: 0)
                let source = scheduler.createHotObservable(events)
                let subscription = source.debounce(.seconds(5), scheduler: scheduler)
                    .subscribe(onNext: { totals.streams.add(sample: $0) })
                scheduler.start()
                subscription.dispose()
            }
        } hand: { count in
            byHand(count / events.count, totals.hand) { (clock, next: @escaping Hand.Next<E>) in
                Hand.Debounce(5, on: clock, next).send
            }
        }
    }

    private static func byHand<E: Sample>(
        _ times: Int, _ total: Total, _ wait: (HandClock, @escaping Hand.Next<E>) -> Hand.Next<E>
    ) {
        for _ in 0..<times {
            let clock = HandClock()
            let subject = HandSubject<E>()
            let key = subject.add(wait(clock) { total.add(sample: $0) })
            for (number, tick) in ticks.enumerated() {
                clock.advance(to: tick)
                subject.send(E.sample(number))
            }
            clock.advance(to: clock.now + 10)
            subject.remove(key)
        }
    }
}
