import Foundation
import TestConcurrency
import Testing

/// Articles whose headings are messages of the compiler: below each, the first example causes the message, and the second
/// one is what to write instead.
@Suite("Compiler messages in articles", .compilesExamples, .limitedConcurrency)
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

/// What the compiler makes of code that races, with the settings that users copy.
@Suite("Settings against data races", .compilesExamples, .limitedConcurrency)
struct RaceSettingsTests {
    struct Program: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let code: String
        var isOnMainActorByDefault = false

        func check(with settings: [String]) throws -> Shell.Result {
            let isolation = isOnMainActorByDefault ? ["-default-isolation", "MainActor"] : []
            return try SmallProgram.check("import ViewModels\n\n\(code)", mode: "6", options: isolation + settings)
        }
    }

    private static let total = """
        @MainActor final class Total {
            private(set) var total: Int
            init(_ total: Int) { self.total = total }
            func add(_ number: Int) -> Int { total += number; return total }
            static func sum(_ number: Int) -> Int { number }
            subscript(_ number: Int) -> Int { total + number }
        }
        """

    private static let search = """
        struct Search: ViewModel {
            struct Input {}
            struct Output {}
            struct Word { let text: String }
            func transform(_ input: Input) -> Output { Output() }
        }
        """

    static let calls = [
        Program(
            testDescription: "a method",
            code: "\(total)\nfunc f(_ n: Observable<Int>, _ t: Total) -> Observable<Int> { n.map { t.add($0) } }"),
        Program(
            testDescription: "a method by name",
            code: "\(total)\nfunc f(_ n: Observable<Int>, _ t: Total) -> Observable<Int> { n.map(t.add) }"),
        Program(
            testDescription: "a static method",
            code: "\(total)\nfunc f(_ n: Observable<Int>) -> Observable<Int> { n.map { Total.sum($0) } }"),
        Program(
            testDescription: "an initializer",
            code: "\(total)\nfunc f(_ n: Observable<Int>) -> Observable<Total> { n.map { Total($0) } }"),
        Program(
            testDescription: "a static method, on the main actor by default",
            code: """
                enum Counter {
                    static var value = 0
                    static func bump() -> Int { value += 1; return value }
                }
                func f(_ n: Observable<Int>) -> Observable<Int> { n.map { _ in Counter.bump() } }
                """, isOnMainActorByDefault: true),
        Program(
            testDescription: "a method in an extension of a nested type, on the main actor by default",
            code: """
                \(search)
                extension Search.Word { func shortened() -> String { String(text.prefix(20)) } }
                func f(_ n: Observable<String>) -> Observable<String> { n.map { Search.Word(text: $0).shortened() } }
                """, isOnMainActorByDefault: true),
        Program(
            testDescription: "a method of a type in an extension, on the main actor by default",
            code: """
                \(search)
                extension Search { struct Words { static func first(_ text: String) -> String { text } } }
                func f(_ n: Observable<String>) -> Observable<String> { n.map { Search.Words.first($0) } }
                """, isOnMainActorByDefault: true),
        Program(
            testDescription: "a captured variable",
            code: """
                func f(_ n: Observable<Int>) -> Observable<Int> {
                    var count = 0
                    return n.map { _ in count += 1; return count }
                }
                """),
    ]

    static let properties = [
        Program(
            testDescription: "a property",
            code: "\(total)\nfunc f(_ n: Observable<Int>, _ t: Total) -> Observable<Int> { n.map { _ in t.total } }"),
        Program(
            testDescription: "a subscript",
            code: "\(total)\nfunc f(_ n: Observable<Int>, _ t: Total) -> Observable<Int> { n.map { t[$0] } }"),
        Program(
            testDescription: "a property in an extension of a nested type, on the main actor by default",
            code: """
                \(search)
                extension Search.Word { var short: String { String(text.prefix(20)) } }
                func f(_ n: Observable<String>) -> Observable<String> { n.map { Search.Word(text: $0).short } }
                """, isOnMainActorByDefault: true),
    ]

    @Test(
        "the settings of the README, of the article about main-actor modules, and of this package refuse the program",
        arguments: calls)
    func refuses(program: Program) throws {
        for file in ["README.md", "Presentation/ViewModels/ViewModels.docc/MainActorModules.md", "Package.swift"] {
            let text = try String(contentsOf: Repository.root.appendingPathComponent(file), encoding: .utf8)
            let settings = text.matches(of: #/\.treatWarning\("(\w+)", as: \.error\)/#).flatMap {
                ["-Werror", String($0.1)]
            }
            #expect(try program.check(with: settings).status != 0, "\(file)")
        }
        #expect(try program.check(with: ["-warnings-as-errors"]).status != 0)
    }

    @Test("only the settings of the examples refuse the program, as the articles say", arguments: properties)
    func warns(program: Program) throws {
        let settings = ["-Werror", "ActorIsolatedCall", "-Werror", "SendableClosureCaptures"]
        let warned = try program.check(with: settings)
        #expect(warned.status == 0 && warned.error.contains("warning: main actor-isolated"), "\(warned.error)")
        for example in ["Counter", "Notes", "Rooms", "Reader", "Lines"] {
            let manifest = Repository.root.appendingPathComponent("Tests/Examples/\(example)/Package.swift")
            #expect(try String(contentsOf: manifest, encoding: .utf8).contains(".treatAllWarnings(as: .error)"))
        }
        #expect(try program.check(with: ["-warnings-as-errors"]).status != 0)
    }
}

@Suite("The article about RxSwift", .compilesExamples, .limitedConcurrency)
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

    @Test("the compiler checks closures without annotations with little work")
    func unannotatedClosures() throws {
        let file = "Tests/LanguageModes/Shared/UnannotatedExpressions.swift"
        let expressions = try String(contentsOf: Repository.root.appendingPathComponent(file), encoding: .utf8)
        // A number of steps instead of a time, which depends on the machine. The expressions need a third of it.
        let options = ["-Xfrontend", "-solver-scope-threshold=100000"]
        let result = try SmallProgram.check(expressions, mode: "6", options: options)
        #expect(result.status == 0, "\(result.error)")
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
