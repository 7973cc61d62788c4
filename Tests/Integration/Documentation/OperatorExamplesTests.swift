import Foundation
import Testing
import TestConcurrency

/// Runs the examples with results in the documentation of Streams; see ``OperatorExample``.
@Suite("Examples of operators", .compilesExamples, .limitedConcurrency(within: .seconds(900)))
struct OperatorExamplesTests {
    @Test("each example has the result in its comment, and an example with another result is reported")
    func examplesHold() throws {
        let examples = try Repository.swiftFiles(in: "Presentation/Streams").sorted { $0.path < $1.path }
            .flatMap(OperatorExample.all(in:))
        #expect(examples.count >= 120)
        let wrong = [
            ["Observable.of(1, 2).map { $0 + 1 }    // 1 2 |"],
            [
                "// ticks:  1 at 1 s, | at 2 s",
                "ticks.delay(.seconds(1), scheduler: scheduler)    // 1 at 1 s, | at 3 s",
            ],
            [
                "let subject = PublishSubject<Int>()", "subject.subscribe { print($0) }",
                "subject.onNext(1)    // prints 1",
            ],
        ].flatMap { OperatorExample.all(in: $0, at: "here:1") }

        let result = try SmallProgram.run(
            modules: ["Streams", "StreamsTesting"],
            main: ([Self.prelude] + (examples + wrong).map(\.check) + ["print(\"done\")"]).joined(separator: "\n"))

        let lines = result.output.split(separator: "\n")
        #expect(
            lines.filter { $0.hasPrefix("mismatch: ") } == [
                "mismatch: here:1: 2 3 |, expected 1 2 |",
                "mismatch: here:1: 1 at 2 s, | at 3 s, expected 1 at 1 s, | at 3 s",
                "mismatch: here:1: next(1), expected 1",
            ])
        #expect(result.status == 0 && lines.last == "done", "\(result.error)")
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

/// An example in the documentation with its expected result.
///
/// The comment at its end determines one of three kinds:
/// - `Observable.of(1, 2).map { $0 * 2 }    // 2 4 |`: the events of a stream on subscription;
/// - `ticks.delay(.seconds(1), scheduler: scheduler)    // 1 at 1 s, | at 3 s`: the events in virtual time, with `…` if
///   more follow. Comments at the beginning, `// ticks:  1 at 0 s, | at 2 s`, define the source streams;
/// - `subject.onNext(2)    // prints 2`: the output of the code.
struct OperatorExample {
    let place: String
    /// The call that checks the example.
    let check: String

    /// The examples in the documentation comments of a file.
    static func all(in file: URL) throws -> [OperatorExample] {
        let lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
            .map { $0.trimmingCharacters(in: .whitespaces) }
        var examples: [OperatorExample] = []
        var block: [String]?
        for (number, line) in lines.enumerated() {
            switch line {
            case "/// ```swift": block = []
            case "/// ```":
                examples += block.map { all(in: $0, at: "\(file.lastPathComponent):\(number)") } ?? []
                block = nil
            default: block?.append(String(line.dropFirst(4)))
            }
        }
        return examples
    }

    /// The examples in a block of code: one for each comment with a result.
    static func all(in block: [String], at place: String) -> [OperatorExample] {
        if block.contains(where: { $0.contains("  // prints ") }) { return [printing(block, at: place)] }
        var sources: [String] = []
        var code: [String] = []
        var examples: [OperatorExample] = []
        for line in block {
            if code.isEmpty, line.hasPrefix("// ") {
                sources.append(line)
                continue
            }
            guard let comment = line.range(of: "  // ", options: .backwards) else {
                code.append(line)
                continue
            }
            let expression = line[..<comment.lowerBound].trimmingCharacters(in: .newlines)
            if !expression.allSatisfy(\.isWhitespace) { code.append(expression) }
            let result = String(line[comment.upperBound...])
            let body = returning(code)
            if result.contains(#/ at [0-9.]+ s/#) {
                examples.append(timed(body, sources.compactMap(source), result, at: place))
            } else if result.hasSuffix("|") || result.hasPrefix("RxError") {
                let check = "says(\"\(place)\", #\"\(result)\"#) {\n\(body)\n}"
                examples.append(OperatorExample(place: place, check: check))
            }
            code.removeSubrange(startOfExpression(code)...)
        }
        return examples
    }

    /// Creates an example with the events of a stream on subscription.
    init(place: String, code: [String], result: String) {
        self.init(place: place, check: "says(\"\(place)\", #\"\(result)\"#) {\n\(Self.returning(code))\n}")
    }

    private init(place: String, check: String) {
        self.place = place
        self.check = check
    }

    private static func printing(_ block: [String], at place: String) -> OperatorExample {
        let printed = block.compactMap { line in
            line.range(of: "  // prints ").map { line[$0.upperBound...].prefix { $0 != "," } }
        }
        let code = block.joined(separator: "\n")
        return OperatorExample(
            place: place,
            check: "try await prints(\"\(place)\", \"\(printed.joined(separator: " "))\") { print in\n\(code)\n}")
    }

    private static func timed(
        _ body: String, _ sources: [(name: String, events: String)], _ result: String, at place: String
    ) -> OperatorExample {
        let streams = sources.map { "let \($0.name) = stream(of: scheduler, [\($0.events)])" }
        return OperatorExample(
            place: place,
            check: """
                timed("\(place)", #"\(result)"#) { scheduler, api in
                \((streams + [body]).joined(separator: "\n"))
                }
                """)
    }

    /// Parses `// ticks:  1 at 0 s, | at 2 s` into the name and a list of Swift values.
    private static func source(_ comment: String) -> (name: String, events: String)? {
        let parts = comment.dropFirst(3).components(separatedBy: ": ")
        guard parts.count == 2, parts[1].hasSuffix(" s") else { return nil }
        let events = parts[1].components(separatedBy: ", ").map { event -> String in
            let words = event.trimmingCharacters(in: .whitespaces).components(separatedBy: " at ")
            let time = words[1].dropLast(" s".count)
            return switch words[0] {
            case "|": "(\(time), .completed)"
            case let error where error.hasPrefix("RxError"): "(\(time), .error(\(error)))"
            case "()": "(\(time), .next(()))"
            case let number where Int(number) != nil: "(\(time), .next(\(number)))"
            case let text: "(\(time), .next(\"\(text)\"))"
            }
        }
        return (parts[0], events.joined(separator: ", "))
    }

    /// The code with `return` before its last expression.
    private static func returning(_ code: [String]) -> String {
        let start = startOfExpression(code)
        return code.enumerated().map { $0.offset == start ? "return \($0.element)" : $0.element }
            .joined(separator: "\n")
    }

    private static func startOfExpression(_ code: [String]) -> Int {
        code.lastIndex { !$0.hasPrefix(" ") && !$0.hasPrefix(".") && !$0.hasPrefix("}") } ?? 0
    }
}
