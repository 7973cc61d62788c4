import Dispatch
import Foundation
import Streams
import StreamsTesting
import TestConcurrency
import Testing

/// The examples of the article "Testing with one virtual world", word for word.
@Suite("Testing with one virtual world: the examples", .limitedConcurrency)
struct ArticleTests {
    @Test("Streams alone")
    func streams() {
        let scheduler = TestScheduler(initialClock: 0)
        let typed = scheduler.createHotObservable([.next(210, "s"), .next(215, "se"), .next(300, "sea")])
        let queries = scheduler.start { typed.debounce(.seconds(20), scheduler: scheduler) }

        #expect(queries.events == [.next(235, "se"), .next(320, "sea")])
        #expect(typed.subscriptions == [Subscription(200, 1000)])
    }

    @Test("Marbles")
    func marbles() {
        let scheduler = TestScheduler(initialClock: 0)
        let typed = scheduler.hot("-a-b-----c-----|")
        scheduler.expect(typed.debounce(.seconds(30), scheduler: scheduler), "------b-----c--|")
    }

    @Test("Streams with tasks in them")
    func tasks() {
        let scheduler = TestScheduler(initialClock: 0, resolution: 0.001)
        let clock = scheduler.virtualClock
        let typed = scheduler.createHotObservable([.next(210, "s"), .next(700, "sea")])
        let answers = scheduler.start(disposed: 2000) {
            typed
                .debounce(.milliseconds(300), scheduler: scheduler)
                .flatMapLatest { query in
                    try await clock.sleep(for: .milliseconds(200))  // the network
                    return query.count
                }
        }

        #expect(answers.events == [.next(710, 1), .next(1200, 3)])
    }

    @Test("Drivers")
    func drivers() {
        let scheduler = TestScheduler()
        let typed = scheduler.createHotObservable([.next(210, "s"), .next(215, "se"), .next(300, "sea")])
        let queries = scheduler.start { typed.asDriver(onErrorJustReturn: "").debounce(.seconds(20)) }

        #expect(queries.events == [.next(235, "se"), .next(320, "sea")])
    }

    @Test("Async code alone")
    func asyncCode() throws {
        let scheduler = TestScheduler()
        let clock = scheduler.virtualClock
        let greeting = try scheduler.run {
            async let name = "Mina"
            try await clock.sleep(for: .seconds(8 * 3600))
            return "Good morning, \(await name)"
        }

        #expect(greeting == "Good morning, Mina")
        #expect(scheduler.clock == 8 * 3600)
    }

    @Test(.virtualTime)
    func loads() {
        let scheduler = TestScheduler()
        let answer = scheduler.createObserver(Int.self)
        let subscription = Observable.task { 42 }.subscribe(answer)
        scheduler.run()
        subscription.dispose()

        #expect(answer.events == [.next(0, 42), .completed(0)])
    }

    @Test("When a test cannot finish")
    func pending() {
        let scheduler = TestScheduler(initialClock: 0)
        let ticks = Observable<Int>.interval(.seconds(10), scheduler: scheduler).subscribe()
        scheduler.advance(by: 25)

        #expect(scheduler.clock == 25)
        #expect(scheduler.pending.timers.count == 1)
        ticks.dispose()
        scheduler.expectIdle()
    }

    @Test("Order of jobs")
    func seeds() throws {
        for seed in 0..<50 {
            let scheduler = TestScheduler(seed: UInt64(seed))
            let total = try scheduler.run {
                await withTaskGroup(of: Int.self) { group in
                    for number in 1...4 { group.addTask { number } }
                    return await group.reduce(0, +)
                }
            }
            #expect(total == 10)
        }
    }

    @Test("Nothing survives")
    func nothingSurvives() {
        expectNothingSurvives {
            let bag = DisposeBag()
            let taps = PublishSubject<Void>()
            taps.map { 1 }.scan(0) { $0 + $1 }.subscribe().disposed(by: bag)
        }
    }

    @Test("Each example of the article is in this file, word for word")
    func examples() throws {
        let here = URL(filePath: #filePath)
        let article = here.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Kits/StreamsTesting/StreamsTesting.docc/TestingWithOneVirtualWorld.md")
        let lines = { (text: Substring) in
            text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
                .joined(separator: "\n")
        }
        let tests = try lines(String(contentsOf: here, encoding: .utf8)[...])
        let examples = try String(contentsOf: article, encoding: .utf8)
            .components(separatedBy: "```swift\n").dropFirst()
            .compactMap { $0.components(separatedBy: "```").first }
        #expect(examples.count == 9)
        for example in examples { #expect(tests.contains(lines(example[...])), "not run: \(example)") }
    }
}
