import Foundation
import Testing

/// An article of the module's documentation, whose examples a test file runs.
struct Article {
    /// The examples in Swift, less those that begin with `// Combine` or the like: code of elsewhere, for comparison.
    let examples: [String]

    init(_ name: String) throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let file = root.appending(path: "Presentation/ViewModels/ViewModels.docc/\(name).md")
        examples = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "```swift\n").dropFirst()
            .compactMap { $0.components(separatedBy: "```").first }
            .filter { !$0.hasPrefix("// ") }
    }

    /// Fails the test for each example that is not in the file that asks, word for word but for its place.
    func expectExamples(in file: String = #filePath, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let source = try Self.lines(String(contentsOf: URL(filePath: file), encoding: .utf8))
        #expect(!examples.isEmpty, sourceLocation: sourceLocation)
        for example in examples {
            #expect(source.contains(Self.lines(example)), "not run: \(example)", sourceLocation: sourceLocation)
        }
    }

    private static func lines(_ text: String) -> String {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
            .joined(separator: "\n")
    }
}
