import Foundation
import TestConcurrency
import Testing

@Suite("The articles on the ten names", .limitedConcurrency)
struct TenNamesTests {
    static let libraries = [
        "Presentation/Streams", "Presentation/ViewModels", "Presentation/Composition", "Data/SQLiteStore",
        "Data/PostgreSQLStore",
    ]

    @Test("the example is that of the package outside, which runs it", arguments: libraries)
    func exampleIsRun(library: String) throws {
        let name = try #require(library.split(separator: "/").last)
        let source = try Repository.text(of: "Tests/Outside/\(name)/TenNames.swift")
        let example = try #require(source.components(separatedBy: "// The example of the article:\n").last)
            .components(separatedBy: "// Its results:")[0]
        #expect(try Self.example(of: library) == example.trimmingCharacters(in: .newlines))
    }

    @Test("the table has ten names, each of which the example uses", arguments: libraries)
    func namesAreUsed(library: String) throws {
        let names = try Self.article(of: library).matches(of: #/\n\| `+(?<name>[^`]+)`+ \|/#).map { match in
            // `Next/latest(_:id:)` is used as `latest`.
            String(match.output.name.split(separator: "(")[0].split { "/.".contains($0) }.last ?? "")
        }
        #expect(Set(names).count == 10)
        let words = Set(try Self.example(of: library).split { !$0.isLetter }.map(String.init))
        #expect(names.filter { !words.contains($0) } == [])
    }

    private static func article(of library: String) throws -> String {
        let name = library.split(separator: "/").last ?? ""
        return try Repository.text(of: "\(library)/\(name).docc/TheTenNames.md")
    }

    /// The only block of code of the article.
    private static func example(of library: String) throws -> String {
        let blocks = try article(of: library).components(separatedBy: "```swift\n").dropFirst()
        try #require(blocks.count == 1)
        return try #require(blocks.first).components(separatedBy: "\n```")[0]
    }
}
