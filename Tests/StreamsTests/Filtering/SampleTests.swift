import Streams
import StreamsTesting
import TestTurns
import Testing

@Suite("sample", .takesTurns)
struct SampleTests {
    struct Pair: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let sampler: [Recorded<Event<String>>]
        let expected: [Recorded<Event<Int>>]
        let withDefault: [Recorded<Event<Int>>]
        let ends: [Int]
        var source: [Recorded<Event<Int>>] = SampleTests.source
    }

    static let source: [Recorded<Event<Int>>] = [
        .next(150, 1), .next(220, 2), .next(240, 3), .next(290, 4), .next(300, 5), .next(310, 6), .completed(400),
    ]

    @Test(
        "sample emits the latest element at each element of the sampler",
        arguments: [
            Pair(
                testDescription: "samples with and without a new element",
                sampler: [.next(210, ""), .next(250, ""), .next(260, ""), .next(320, ""), .completed(500)],
                expected: [.next(250, 3), .next(320, 6), .completed(500)],
                withDefault: [
                    .next(210, 0), .next(250, 3), .next(260, 0), .next(320, 6), .next(500, 0), .completed(500),
                ],
                ends: [400, 500]),
            Pair(
                testDescription: "the last element waits for the sampler",
                sampler: [.next(305, ""), .next(450, ""), .completed(500)],
                expected: [.next(305, 5), .next(450, 6), .completed(450)],
                withDefault: [.next(305, 5), .next(450, 6), .completed(450)], ends: [400, 450]),
            Pair(
                testDescription: "completion of the sampler samples",
                sampler: [.completed(305)], expected: [.next(305, 5)], withDefault: [.next(305, 5)],
                ends: [400, 305]),
            Pair(
                testDescription: "the sampler fails", sampler: [.next(305, ""), .error(320, Failure.expected)],
                expected: [.next(305, 5), .error(320, Failure.expected)],
                withDefault: [.next(305, 5), .error(320, Failure.expected)], ends: [320, 320]),
            Pair(
                testDescription: "the source fails", sampler: [.next(250, ""), .next(350, "")],
                expected: [.error(230, Failure.expected)], withDefault: [.error(230, Failure.expected)],
                ends: [230, 230], source: [.next(220, 2), .error(230, Failure.expected)]),
            Pair(
                testDescription: "the sampler emits nothing", sampler: [], expected: [], withDefault: [],
                ends: [400, 1000]),
        ])
    func sample(_ pair: Pair) {
        for (value, expected) in [(nil, pair.expected), (0, pair.withDefault)] {
            let scheduler = TestScheduler(initialClock: 0)
            let source = scheduler.createHotObservable(pair.source)
            let sampler = scheduler.createHotObservable(pair.sampler)
            let result = scheduler.start {
                value.map { source.sample(sampler, defaultValue: $0) } ?? source.sample(sampler)
            }
            #expect(result.events == expected)
            #expect(source.subscriptions == [Subscription(200, pair.ends[0])])
            #expect(sampler.subscriptions == [Subscription(200, pair.ends[1])])
        }
    }

    @Test("the documented examples of sample emit their events")
    func examples() {
        let scheduler = TestScheduler(initialClock: 0, resolution: 0.1)
        let positions = scheduler.createHotObservable([.next(10, 1), .next(20, 2), .next(30, 3)])
        let ticks = scheduler.createHotObservable([.next(25, ()), .next(35, ()), .next(45, ())])
        let plain = scheduler.createObserver(Int.self)
        let filled = scheduler.createObserver(Int.self)
        let bag = DisposeBag()
        positions.sample(ticks).subscribe(plain).disposed(by: bag)
        positions.sample(ticks, defaultValue: 0).subscribe(filled).disposed(by: bag)
        scheduler.start()
        #expect(plain.events == [.next(25, 2), .next(35, 3)])
        #expect(filled.events == [.next(25, 2), .next(35, 3), .next(45, 0)])
    }
}
