import Foundation
import Testing

/// Runs the examples in the documentation of the operators that end in what the stream says:
/// `Observable.of(1, 2, 3).map { $0 * 2 }    // 2 4 6 |`.
@Suite("The examples of the operators", .timeLimit(.minutes(10)))
struct OperatorExamplesTests {
    @Test("each says what its comment says")
    func examplesHold() throws {
        let examples = try Repository.swiftFiles(in: "Presentation/Streams").sorted { $0.path < $1.path }
            .flatMap(OperatorExample.all(in:))
        #expect(examples.count >= 50)

        let result = try SmallPackage.run(module: "Streams", main: Self.program(examples))

        #expect(result.status == 0, "\(result.error)")
        let lines = result.output.split(separator: "\n")
        #expect(lines.filter { $0.hasPrefix("not so: ") } == [])
        #expect(lines.last == "\(examples.count) examples")
    }

    @Test("an example that says something else is noticed")
    func mismatchIsNoticed() throws {
        let example = OperatorExample(place: "here:1", code: ["Observable.of(1, 2).map { $0 + 1 }"], result: "1 2 |")

        let result = try SmallPackage.run(module: "Streams", main: Self.program([example]))

        #expect(result.output == "not so: here:1: 2 3 |, not 1 2 |\n1 examples\n")
    }

    private static func program(_ examples: [OperatorExample]) -> String {
        """
        import Foundation
        import Streams

        final class Said: @unchecked Sendable { var words: [String] = [] }

        func check<Stream: ObservableConvertibleType>(_ place: String, _ expected: String, _ make: () -> Stream) {
            let said = Said()
            _ = make().asObservable().subscribe { event in
                switch event {
                case .next(let element): said.words.append("\\(element)")
                case .error(let error): said.words.append("\\(error)")
                case .completed: said.words.append("|")
                }
            }
            let found = said.words.joined(separator: " ")
            if found != expected { print("not so: \\(place): \\(found), not \\(expected)") }
        }

        \(examples.map(\.check).joined(separator: "\n"))
        print("\(examples.count) examples")

        """
    }
}

/// An example of a stream, with what it says.
struct OperatorExample {
    let place: String
    let code: [String]
    let result: String

    /// The call that checks it: the last expression of the code is the stream.
    var check: String {
        let start = code.lastIndex { !$0.hasPrefix(" ") && !$0.hasPrefix(".") && !$0.hasPrefix("}") } ?? 0
        let lines = code.enumerated().map { $0.offset == start ? "return \($0.element)" : $0.element }
        return "check(\"\(place)\", #\"\(result)\"#) {\n\(lines.joined(separator: "\n"))\n}"
    }

    /// The examples in the documentation comments of a file that end in `// … |`, and need neither a scheduler nor a task.
    static func all(in file: URL) throws -> [OperatorExample] {
        let lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
            .map { $0.trimmingCharacters(in: .whitespaces) }
        var examples: [OperatorExample] = []
        var block: [String]?
        for (number, line) in lines.enumerated() {
            switch line {
            case "/// ```swift": block = []
            case "/// ```":
                if let example = block.flatMap({ OperatorExample($0, "\(file.lastPathComponent):\(number)") }) {
                    examples.append(example)
                }
                block = nil
            default: block?.append(String(line.dropFirst(4)))
            }
        }
        return examples
    }

    private init?(_ block: [String], _ place: String) {
        guard let last = block.last, let comment = last.range(of: "  // ", options: .backwards),
            last.hasSuffix("|"), !block.joined().contains("scheduler"), !block.joined().contains("await")
        else { return nil }
        self.place = place
        code = block.dropLast() + [last[..<comment.lowerBound].trimmingCharacters(in: .whitespaces)]
        result = String(last[comment.upperBound...])
    }

    init(place: String, code: [String], result: String) {
        self.place = place
        self.code = code
        self.result = result
    }
}
