import Foundation
import Testing

/// An article of the module's documentation, whose examples a test file compiles and runs.
struct Article {
    /// The Swift examples, without those that begin with `// Combine` or similar: other code for comparison.
    let examples: [String]

    init(_ name: String) throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let file = root.appending(path: "Presentation/ViewModels/ViewModels.docc/\(name).md")
        examples = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "```swift\n").dropFirst()
            .compactMap { $0.components(separatedBy: "```").first }
            .filter { !$0.hasPrefix("// ") }
    }

    /// Fails the test for each example that the calling file does not contain, word for word except its indentation.
    func expectExamples(in file: String = #filePath, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let source = try Self.lines(String(contentsOf: URL(filePath: file), encoding: .utf8))
        #expect(!examples.isEmpty, sourceLocation: sourceLocation)
        for example in examples {
            #expect(
                source.contains(Self.lines(example)), "missing in the test file: \(example)",
                sourceLocation: sourceLocation)
        }
    }

    private static func lines(_ text: String) -> String {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
            .joined(separator: "\n")
    }
}
