import Foundation
import TestConcurrency
import Testing

@Suite("The article on where things go", .limitedConcurrency)
struct WhereThingsGoTests {
    private static func names(in article: String) -> Set<String> {
        Set(article.matches(of: #/`([^`\n]+)`/#).map { String($0.1) })
    }

    @Test("every file and every name of the article exists")
    func everythingExists() throws {
        let article = try Repository.text(of: "Presentation/traveline/traveline.docc/WhereThingsGo.md")
        let names = Self.names(in: article)
        #expect(names.count > 60)
        let paths = try [".ci", "Domain", "Data", "Presentation", "Tests"].flatMap { folder in
            try FileManager.default.subpathsOfDirectory(atPath: Repository.root.appending(path: folder).path)
                .map { "/\(folder)/\($0)" }
        }.filter { !$0.contains("/.build/") }
        // Without this file, which has the names that do not exist.
        let words = try Self.words(
            in: paths.filter { $0.hasSuffix(".swift") && !$0.hasSuffix("/WhereThingsGoTests.swift") })
        #expect(names.filter { !Self.exists($0, paths, words) }.sorted() == [])
        #expect(!Self.exists("App/ScreenViews.swift", paths, words) && !Self.exists("ViewFactory", paths, words))
    }

    /// Whether it is the end of a path, or has only words of the sources.
    private static func exists(_ name: String, _ paths: [String], _ words: Set<Substring>) -> Bool {
        paths.contains { $0.hasSuffix("/\(name)") }
            || !name.contains("/") && !name.hasSuffix(".swift")
                && name.split { !$0.isLetter && !$0.isNumber }.allSatisfy(words.contains)
    }

    private static func words(in paths: [String]) throws -> Set<Substring> {
        var words: Set<Substring> = []
        for path in paths {
            let text = try Repository.text(of: String(path.dropFirst()))
            // Of bytes, which are faster to compare than characters in a debug build.
            words.formUnion(
                text.utf8.split { !(0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 || 0x61...0x7A ~= $0) }.map { Substring($0) }
            )
        }
        return words
    }
}
