import Foundation
import Testing
import TestConcurrency

@Suite("Examples of landing pages", .limitedConcurrency)
struct LandingPageTests {
    struct Page: Sendable, CustomTestStringConvertible {
        let path: String
        /// What the first example of the page uses, and its imports.
        let prelude: String
        /// Whether the examples use declarations that only this package sees.
        var isInPackage = false

        var testDescription: String { path }
    }

    static let pages = [
        Page(
            path: "Data/SQLiteStore/SQLiteStore.docc/SQLiteStore.md",
            prelude: """
                import Observation
                import SQLiteStore

                let (path, name, population) = ("cities.sqlite", "Seoul", 9_400_000)
                @Observable final class Model {}
                func show(_ names: [String]) {}

                """),
        Page(
            path: "Presentation/Streams/Streams.docc/Streams.md",
            prelude: """
                import Streams

                let bag = DisposeBag()
                func search(_ text: String) async throws -> [String] { [] }

                """),
        Page(path: "Presentation/ViewModels/ViewModels.docc/ViewModels.md", prelude: ""),
        Page(
            path: "Presentation/Composition/Composition.docc/Composition.md",
            prelude: """
                import Composition

                enum GreetingKey: DependencyKey { static let liveValue = "Hello" }

                extension DependencyValues {
                    var greeting: String {
                        get { self[GreetingKey.self] }
                        set { self[GreetingKey.self] = newValue }
                    }
                }

                """),
    ]

    @Test(
        "the first example of a landing page compiles at the top level of a main.swift", .compilesExamples,
        arguments: pages, ["5", "6"])
    func firstExample(page: Page, mode: String) throws {
        let text = try String(contentsOf: Repository.root.appendingPathComponent(page.path), encoding: .utf8)
        let example = try #require(text.components(separatedBy: "```swift\n").dropFirst().first)
            .components(separatedBy: "```")[0]
        let result = try SmallProgram.check("\(page.prelude)\n\(example)", mode: mode)
        #expect(result.status == 0, "\(result.error)")
    }

    /// What all examples of a page use together.
    static let wholePages = [
        Page(
            path: "Data/SQLiteStore/SQLiteStore.docc/SQLiteStore.md",
            prelude: """
                import SQLiteStore

                let (path, name, population) = ("cities.sqlite", "Seoul", 9_400_000)
                func show(_ names: [String]) {}

                """),
        Page(
            path: "Data/TravelDataCached/TravelDataCached.docc/TravelDataCached.md",
            prelude: """
                import TravelDomain

                func given<Value>() -> Value { fatalError() }
                let (trips, query): (CachedTripRepository, TripQuery) = given()

                """),
        Page(
            path: "Data/TravelDataFiles/TravelDataFiles.docc/TravelDataFiles.md",
            prelude: """
                import TravelDomain

                func given<Value>() -> Value { fatalError() }
                let exported: ExportedTrip = given()

                """),
        Page(path: "Data/TravelDataInMemory/TravelDataInMemory.docc/TravelDataInMemory.md", prelude: ""),
        Page(path: "Data/TravelDataRemote/TravelDataRemote.docc/TravelDataRemote.md", prelude: "import TravelDomain\n"),
        Page(path: "Data/TravelDataSQLite/TravelDataSQLite.docc/TravelDataSQLite.md", prelude: ""),
        Page(path: "Data/TravelSamples/TravelSamples.docc/TravelSamples.md", prelude: "import TravelDomain\n"),
        Page(path: "Domain/TravelDomain/TravelDomain.docc/TravelDomain.md", prelude: ""),
        Page(
            path: "Presentation/TravelPresentation/TravelPresentation.docc/TravelPresentation.md",
            prelude: """
                import TravelPresentation

                func given<Value>() -> Value { fatalError() }
                let useCases: ScreenUseCases = given()

                """),
        Page(
            path: "Presentation/TravelPages/TravelPages.docc/TravelPages.md",
            prelude: """
                import TravelDomain

                var header: [String: String] = [:]
                func given<Value>() -> Value { fatalError() }
                let (trip, trips, search): (RecordedTrip, [Trip], SearchTrips) = given()
                let pictures: [TripImage.ID: PagePicture] = given()

                """),
        Page(path: "Presentation/TravelTexts/TravelTexts.docc/TravelTexts.md", prelude: ""),
        Page(
            path: "Presentation/TravelTerminal/TravelTerminal.docc/TravelTerminal.md",
            prelude: """
                import Composition
                import Foundation
                import TravelDataSQLite
                import TravelSamples
                import TravelTerminal

                func given<Value>() -> Value { fatalError() }
                let database: TravelDatabase = given()
                func photo(at path: String) throws -> PickedImage { given() }
                func save(_ language: Language) throws {}

                """, isInPackage: true),
        Page(
            path: "Tests/Kits/SQLiteStoreTesting/SQLiteStoreTesting.docc/SQLiteStoreTesting.md",
            prelude: "let (migrations, region): ([Migration], String) = ([], \"south\")\n"),
    ]

    @Test(
        "the examples of a landing page compile together at the top level of a main.swift", .compilesExamples,
        arguments: wholePages)
    func allExamples(page: Page) throws {
        let text = try String(contentsOf: Repository.root.appendingPathComponent(page.path), encoding: .utf8)
        let examples = text.components(separatedBy: "```swift\n").dropFirst()
            .map { $0.components(separatedBy: "```")[0] }.joined(separator: "\n")
        try #require(!examples.isEmpty)
        let result = try SmallProgram.check(
            "\(page.prelude)\n\(examples)", mode: "6", options: page.isInPackage ? SmallProgram.packageOptions : [])
        #expect(result.status == 0, "\(result.error)")
    }

    @Test(
        "the landing page of a module groups exactly its public types and functions",
        arguments: [
            "Domain/TravelDomain", "Data/SQLiteStore", "Data/TravelDataSQLite", "Data/TravelDataInMemory",
            "Data/TravelDataFiles", "Data/TravelDataCached", "Data/TravelDataRemote", "Data/TravelSamples",
            "Presentation/ViewModels", "Presentation/TravelTexts", "Presentation/TravelPages",
            "Presentation/TravelPresentation",
            "Tests/Kits/TravelDomainTesting", "Tests/Kits/SQLiteStoreTesting",
        ])
    func groupsAllTypes(folder: String) throws {
        let name = folder.split(separator: "/").last ?? ""
        let page = try String(
            contentsOf: Repository.root.appendingPathComponent("\(folder)/\(name).docc/\(name).md"), encoding: .utf8)
        let listed = page.matches(of: #/- ``(?<name>\w+)/#).map { String($0.output.name) }
        let declared = try Repository.swiftFiles(in: folder).flatMap { file in
            let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            // Filtered first: regular expressions are slow in a debug build.
            return lines.filter { $0.hasPrefix("public ") }.compactMap { line in
                line.prefixMatch(of: #/public (final )?(struct|enum|class|actor|protocol|typealias|func) (?<name>\w+)/#)
                    .map { String($0.output.name) }
            }
        }
        #expect(listed.count == Set(listed).count)
        #expect(Set(listed) == Set(declared))
    }

    @Test("every article is at most two clicks away from the landing page of the package")
    func everyArticleIsTwoClicksAway() throws {
        let paths = try ["Domain", "Data", "Presentation", "Tests/Kits"].flatMap { folder in
            try Repository.folders(in: folder).map { "\(folder)/\($0)/\($0).docc" }
        }.filter { FileManager.default.fileExists(atPath: Repository.root.appendingPathComponent($0).path) }
        var pages: [ArticleName: String] = [:]
        for path in paths {
            let module = try #require(path.split(separator: "/").dropLast().last)
            for file in try FileManager.default.contentsOfDirectory(
                atPath: Repository.root.appendingPathComponent(path).path) where file.hasSuffix(".md")
            {
                let name = ArticleName(module: String(module), title: String(file.dropLast(3)))
                pages[name] = try Repository.text(of: "\(path)/\(file)")
            }
        }
        #expect(pages.count > 60)

        let start = ArticleName(module: "traveline", title: "traveline")
        var reached: Set = [start]
        for _ in 1...2 {
            reached.formUnion(reached.flatMap { page in ArticleName.links(in: pages[page] ?? "", of: page.module) })
        }
        #expect(Set(pages.keys).subtracting(reached).map(\.description).sorted() == [])
    }

    @Test("links of an article to a module, to its articles and to those of others are found")
    func linksOfArticles() {
        let links = ArticleName.links(
            in: "``/Streams``, <doc:Promises>, [the form](doc:/ViewModels/ChoosingAForm), <doc:/Composition>, ``Flow``",
            of: "SQLiteStore")
        #expect(
            links.map(\.description).sorted() == [
                "Composition/Composition", "SQLiteStore/Promises", "Streams/Streams", "ViewModels/ChoosingAForm",
            ])
    }

    @Test("the landing page of Composition names every built-in dependency")
    func namesBuiltInDependencies() throws {
        func text(_ path: String) throws -> String {
            try String(contentsOf: Repository.root.appendingPathComponent("Presentation/\(path)"), encoding: .utf8)
        }
        let listed = try text("Composition/Composition.docc/Composition.md").matches(of: #/\n\| `(\w+)`/#).map {
            String($0.1)
        }
        let declared = try ["Composition/BuiltInDependencies.swift", "ViewModels/DependencyValues+Schedulers.swift"]
            .flatMap {
                try text($0).matches(of: #/    public var (\w+): [\w <>]+ \{\n        get/#).map { String($0.1) }
            }
        #expect(declared.count >= 7)
        #expect(listed == declared)
    }

    @Test("the landing page of Streams links every operator")
    func linksOperators() throws {
        let page = try String(
            contentsOf: Repository.root.appendingPathComponent("Presentation/Streams/Streams.docc/Streams.md"),
            encoding: .utf8)
        let linked = Set(page.matches(of: #/- ``\w+\/(?<name>\w+)/#).map { String($0.output.name) })
        let folders = [
            "Async", "Combining", "Creating", "Errors", "Filtering", "Sharing", "Timing", "Transforming",
        ]
        let operators = try folders.flatMap { try Repository.swiftFiles(in: "Presentation/Streams/\($0)") }
            .flatMap { file in
                try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
                    .filter { $0.hasPrefix("    public ") && $0.contains(" func ") }
                    .compactMap { $0.firstMatch(of: #/func `?(?<name>\w+)/#).map { String($0.output.name) } }
            }
        #expect(Set(operators).count > 60)
        // Of types, not of streams.
        let methods: Set = ["makeAsyncIterator", "next", "asObservable", "connect"]
        #expect(Set(operators).subtracting(methods).subtracting(linked).sorted() == [])
    }

    @Test(
        "main-actor state in a plain subscription causes the warning of the article, and what it recommends causes none",
        .compilesExamples,
        arguments: [["5"], ["6"], ["6", "-default-isolation", "MainActor"]])
    func mainActorState(mode: [String]) throws {
        let article = try String(
            contentsOf: Repository.root.appendingPathComponent("Presentation/Streams/Streams.docc/MainActorState.md"),
            encoding: .utf8)
        let message = try #require(article.split(separator: "\n").first { $0.hasPrefix("## ") }).dropFirst(3)
        let examples = article.components(separatedBy: "```swift\n").dropFirst()
            .map { $0.components(separatedBy: "```")[0] }
        let mistake = try "import Streams\n\n" + #require(examples.first)
        let recommended = """
            import Streams

            @MainActor final class Profile {
                private let bag = DisposeBag()
                private(set) var title = ""

                \(examples.dropFirst().enumerated()
                    .map { "func show\($0)(_ name: Observable<String>) { \($1) }" }.joined(separator: "\n"))
                func show(_ name: Observable<String>) async throws {
                    for try await name in name.values { title = name }
                }
            }
            """
        #expect(examples.count == 3 && article.contains("for try await name in name.values { title = name }"))
        let options = Array(mode.dropFirst())

        let warned = try SmallProgram.check(mistake, mode: mode[0], options: options)
        #expect(warned.status == 0 && warned.error.contains("warning: \(message)"), "\(warned.error)")
        let failed = try SmallProgram.check(mistake, mode: mode[0], options: options + ["-warnings-as-errors"])
        #expect(failed.status != 0 && failed.error.contains("error: \(message)"), "\(failed.error)")
        let accepted = try SmallProgram.check(recommended, mode: mode[0], options: options + ["-warnings-as-errors"])
        #expect(accepted.status == 0, "\(accepted.error)")
    }
}

/// A page of the documentation: a landing page has the name of its module.
private struct ArticleName: Hashable, CustomStringConvertible {
    let module: String
    let title: String

    var description: String { "\(module)/\(title)" }

    /// The pages to which a page of that module links.
    static func links(in text: String, of module: String) -> Set<ArticleName> {
        let articles = text.matches(of: #/doc:(?<path>[\w\/]+)/#).map { match in
            let parts = match.output.path.split(separator: "/").map(String.init)
            return match.output.path.hasPrefix("/")
                ? ArticleName(module: parts[0], title: parts.last ?? "") : ArticleName(module: module, title: parts[0])
        }
        let modules = text.matches(of: #/``\/(?<name>\w+)``/#).map {
            ArticleName(module: String($0.output.name), title: String($0.output.name))
        }
        return Set(articles + modules)
    }
}
