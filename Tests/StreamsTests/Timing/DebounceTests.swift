import Dispatch
import Streams
import StreamsTesting
import TestTurns
import Testing

@Suite("debounce", .takesTurns)
struct DebounceTests {
    @Test(
        "debounce emits an element when the due time has passed without another one",
        arguments: [
            HotCase(
                "every element",
                [.next(150, 1), .next(210, 2), .next(240, 3), .next(270, 4), .next(300, 5), .completed(350)],
                [.next(230, 2), .next(260, 3), .next(290, 4), .next(320, 5), .completed(350)], until: 350),
            HotCase(
                "only the last element", [.next(210, 2), .next(225, 3), .next(235, 4), .next(250, 5), .completed(350)],
                [.next(270, 5), .completed(350)], until: 350),
            HotCase(
                "completion emits the pending element", [.next(210, 2), .next(240, 3), .completed(250)],
                [.next(230, 2), .next(250, 3), .completed(250)], until: 250),
            HotCase(
                "a failure drops the pending element", [.next(210, 2), .next(240, 3), .error(250, Failure.expected)],
                [.next(230, 2), .error(250, Failure.expected)], until: 250),
            HotCase(
                "an element at the tick of the timer replaces the pending one",
                [.next(210, 2), .next(230, 3), .completed(300)],
                [.next(250, 3), .completed(300)], until: 300),
            HotCase("nothing", [.completed(250)], [.completed(250)], until: 250),
            HotCase("no events", [], [], until: 1000),
            HotCase("disposed", [.next(210, 2), .next(240, 3)], [.next(230, 2)], until: 250, disposed: 250),
        ] as [HotCase<Int, Int>])
    func timing(_ table: HotCase<Int, Int>) {
        table.check { $0.debounce(.seconds(20), scheduler: $1) }
    }

    @Test("debounce with an empty due time delays every element by one tick")
    func noTime() {
        HotCase(
            "", [.next(210, 2), .next(240, 3), .completed(350)],
            [.next(211, 2), .next(241, 3), .completed(350)], until: 350
        ).check { $0.debounce(.seconds(0), scheduler: $1) }
    }

    @Test("the documented examples of debounce emit their events")
    func example() {
        let scheduler = TestScheduler(initialClock: 0, resolution: 0.001)
        let text = scheduler.createHotObservable([.next(1000, "a"), .next(1100, "ab"), .next(1600, "abc")])
        let result = scheduler.start(disposed: 2000) { text.debounce(.milliseconds(300), scheduler: scheduler) }
        #expect(result.events == [.next(1400, "ab"), .next(1900, "abc")])
    }
}
