import Foundation
import TestTurns
import Testing

/// Articles whose headings are messages of the compiler: below each, the first example causes the message, and the second
/// one is what to write instead.
@Suite("Compiler messages in articles", .compilesExamples, .takesTurns)
struct CompilerMessageTests {
    struct Article: Sendable, CustomTestStringConvertible {
        let path: String
        let module: String
        var options: [String] = []

        var testDescription: String { path }
    }

    static let articles = [
        Article(path: "Presentation/Streams/Streams.docc/CompilerMessages.md", module: "Streams"),
        Article(path: "Presentation/ViewModels/ViewModels.docc/CompilerMessages.md", module: "ViewModels"),
        Article(path: "Data/SQLiteStore/SQLiteStore.docc/CompilerMessages.md", module: "SQLiteStore"),
        Article(
            path: "Presentation/ViewModels/ViewModels.docc/MainActorModules.md", module: "ViewModels",
            options: ["-default-isolation", "MainActor"]),
    ]

    @Test(
        "the first example of each message causes it, and the second one compiles without a warning",
        arguments: articles)
    func messages(article: Article) throws {
        let text = try String(contentsOf: Repository.root.appendingPathComponent(article.path), encoding: .utf8)
        let sections = text.components(separatedBy: "\n## ").dropFirst()
        #expect(!sections.isEmpty)
        for section in sections {
            let message = section.prefix { $0 != "\n" }
            let examples = section.components(separatedBy: "```swift\n").dropFirst()
                .map { "import \(article.module)\n\n" + $0.components(separatedBy: "```")[0] }
            // A message of another article is a link to it.
            if examples.isEmpty, section.contains("<doc:") { continue }
            try #require(examples.count == 2, "\(message)")
            let (mistake, remedy) = (
                try SmallProgram.check(examples[0], mode: "6", options: article.options),
                try SmallProgram.check(examples[1], mode: "6", options: article.options + ["-warnings-as-errors"])
            )
            #expect(mistake.error.contains(message), "\(message): \(mistake.error)")
            #expect(remedy.status == 0, "\(message): \(remedy.error)")
        }
    }
}

@Suite("The article about RxSwift", .compilesExamples, .takesTurns)
struct RxSwiftArticleTests {
    @Test("the examples of the article about RxSwift compile without a warning", arguments: ["5", "6"])
    func examples(mode: String) throws {
        let article = "Presentation/Streams/Streams.docc/MovingFromRxSwift.md"
        let text = try String(contentsOf: Repository.root.appendingPathComponent(article), encoding: .utf8)
        let examples = text.components(separatedBy: "```swift\n").dropFirst()
            .map { "import Foundation\nimport Streams\n\n" + $0.components(separatedBy: "```")[0] }
        try #require(!examples.isEmpty)
        for example in examples {
            let result = try SmallProgram.check(example, mode: mode, options: ["-warnings-as-errors"])
            #expect(result.status == 0, "\(result.error)")
        }
    }

    @Test("modules that export the streams stand for those of RxSwift")
    func exportingModules() throws {
        let folder = try Shell.temporaryFolder()
        defer { Shell.remove(folder) }
        for (name, exported) in [("RxSwift", "Streams"), ("RxTest", "StreamsTesting")] {
            let source = folder.appendingPathComponent("\(name).swift")
            try "@_exported import \(exported)".write(to: source, atomically: true, encoding: .utf8)
            let module = folder.appendingPathComponent("\(name).swiftmodule")
            let arguments = ["swiftc", "-emit-module", "-o", module.path, "-module-name", name, source.path]
            let result = try Shell.run(arguments + SmallProgram.importOptions)
            #expect(result.status == 0, "\(result.error)")
        }
        let program = """
            import RxSwift
            import RxTest

            let numbers: RxSwift.Observable<Int> = BehaviorRelay(value: 1).asObservable()
            let events = RxTest.TestScheduler(initialClock: 0).start { numbers }.events
            """
        let result = try SmallProgram.check(program, mode: "5", options: ["-I", folder.path])
        #expect(result.status == 0, "\(result.error)")
    }
}
