import Foundation
import TestTurns
import Testing

/// Runs the examples with results in the documentation of Streams; see ``OperatorExample``.
@Suite("Examples of operators", .takesTurns(within: .seconds(900)))
struct OperatorExamplesTests {
    @Test("each example has the result in its comment")
    func examplesHold() throws {
        let examples = try Repository.swiftFiles(in: "Presentation/Streams").sorted { $0.path < $1.path }
            .flatMap(OperatorExample.all(in:))
        #expect(examples.count >= 120)

        let result = try Self.run(examples)

        #expect(result.status == 0, "\(result.error)")
        let lines = result.output.split(separator: "\n")
        #expect(lines.filter { $0.hasPrefix("mismatch: ") } == [])
        #expect(lines.last == "\(examples.count) examples")
    }

    @Test("an example with another result is reported")
    func mismatchIsNoticed() throws {
        let blocks = [
            ["Observable.of(1, 2).map { $0 + 1 }    // 1 2 |"],
            [
                "// ticks:  1 at 1 s, | at 2 s",
                "ticks.delay(.seconds(1), scheduler: scheduler)    // 1 at 1 s, | at 3 s",
            ],
            [
                "let subject = PublishSubject<Int>()", "subject.subscribe { print($0) }",
                "subject.onNext(1)    // prints 1",
            ],
        ]

        let result = try Self.run(blocks.flatMap { OperatorExample.all(in: $0, at: "here:1") })

        #expect(
            result.output == """
                mismatch: here:1: 2 3 |, expected 1 2 |
                mismatch: here:1: 1 at 2 s, | at 3 s, expected 1 at 1 s, | at 3 s
                mismatch: here:1: next(1), expected 1
                3 examples

                """, "\(result.error)")
    }

    private static func run(_ examples: [OperatorExample]) throws -> Shell.Result {
        try SmallProgram.run(
            modules: ["Streams", "StreamsTesting"],
            main: """
                \(prelude)

                \(examples.map(\.check).joined(separator: "\n"))
                print("\(examples.count) examples")

                """)
    }

    /// The functions that check the examples, and the values that the examples use.
    private static let prelude = """
        import Foundation
        import Streams
        import StreamsTesting

        func compare(_ place: String, _ found: String, _ expected: String) {
            if found != expected { print("mismatch: \\(place): \\(found), expected \\(expected)") }
        }

        func text<Element>(_ event: Event<Element>) -> String {
            switch event {
            case .next(let element): "\\(element)"
            case .completed: "|"
            case .error(RxError.timeout): "RxError.timeout"
            case .error(RxError.moreThanOneElement): "RxError.moreThanOneElement"
            case .error(let error): "\\(error)"
            }
        }

        func says<Stream: ObservableConvertibleType>(_ place: String, _ expected: String, _ make: () -> Stream) {
            var words: [String] = []
            _ = make().asObservable().subscribe { words.append(text($0)) }
            compare(place, words.joined(separator: " "), expected)
        }

            /// In virtual time, with ticks of one millisecond.
        func timed<Stream: ObservableConvertibleType>(
            _ place: String, _ expected: String, _ make: (TestScheduler, Api) -> Stream
        ) {
            let scheduler = TestScheduler(initialClock: 0, resolution: 0.001, simulateProcessingDelay: false)
            let observer = scheduler.createObserver(Stream.Element.self)
            let subscription = scheduler.perform {
                make(scheduler, Api(clock: scheduler.virtualClock)).asObservable().subscribe(observer)
            }
            let goesOn = expected.hasSuffix(" …")
            let events = goesOn ? String(expected.dropLast(2)) : expected
            let end = events.components(separatedBy: " at ").last?.dropLast(2) ?? ""
            scheduler.advanceTo(Int((Double(end) ?? 0) * 1000) + (goesOn ? 0 : 100_000))
            subscription.dispose()
            let found = observer.events.map { event in
                let seconds = String(Double(event.time) / 1000)
                return "\\(text(event.value)) at \\(seconds.hasSuffix(".0") ? String(seconds.dropLast(2)) : seconds) s"
            }
            compare(place, found.joined(separator: ", "), events)
        }

            /// A cold stream that emits these events at these times after each subscription.
        func stream<Element>(
            of scheduler: TestScheduler, _ events: [(seconds: Double, event: Event<Element>)]
        ) -> Observable<Element> {
            scheduler.createColdObservable(
                events.map { Recorded(time: Int($0.seconds * 1000), value: $0.event) }
            ).asObservable()
        }

        func prints(_ place: String, _ expected: String, _ run: (@escaping (Any...) -> Void) async throws -> Void)
            async throws
        {
            var words: [String] = []
            try await run { words += $0.map { "\\($0)" } }
            compare(place, words.joined(separator: " "), expected)
        }

            /// An asynchronous operation that takes one second.
        struct Api: Sendable {
            let clock: VirtualClock

            func load(_ id: Int) async throws -> String {
                try await clock.sleep(for: .seconds(1))
                return "user \\(id)"
            }
        }

        final class Screen: Sendable {
            let title = "home"
        }

        let screen = Screen()
        let numbers = AsyncStream<Int> { continuation in
            continuation.yield(1)
            continuation.yield(2)
            continuation.finish()
        }
        """
}
