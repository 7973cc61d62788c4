import Foundation
import Testing
import TestTurns

@Suite("Examples of landing pages", .takesTurns(within: .seconds(600)))
struct LandingPageTests {
    @Test("the example of SQLiteStore compiles at the top level of a main.swift", arguments: ["5", "6"])
    func sqliteStore(mode: String) throws {
        let page = try String(
            contentsOf: Repository.root.appendingPathComponent("Data/SQLiteStore/SQLiteStore.docc/SQLiteStore.md"),
            encoding: .utf8)
        let example = try #require(page.components(separatedBy: "```swift\n").dropFirst().first)
            .components(separatedBy: "```")[0]
        let result = try SmallProgram.check(
            """
            import Observation
            import SQLiteStore

            let (path, name, population) = ("cities.sqlite", "Seoul", 9_400_000)
            @Observable final class Model {}
            func show(_ names: [String]) {}

            \(example)
            """, mode: mode)
        #expect(result.status == 0, "\(result.error)")
    }

    @Test(
        "the landing page of a module groups exactly its public types and functions",
        arguments: [
            "Domain/TravelDomain", "Data/SQLiteStore", "Data/TravelDataSQLite", "Data/TravelDataInMemory",
            "Data/TravelDataFiles", "Data/TravelDataCached", "Data/TravelDataRemote", "Data/TravelSamples",
            "Presentation/ViewModels", "Presentation/TravelPresentation",
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

    @Test(
        "main-actor state in a plain subscription causes the warning of the article, and what it recommends causes none",
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

@Suite("Bindings of an observed store", .takesTurns(within: .seconds(600)))
struct ObservedStoreBindingTests {
    @Test("bindings of an observed store compile without a warning where SwiftUI is", arguments: ["5", "6"])
    func bindings(mode: String) throws {
        let file = Repository.root.appendingPathComponent("Presentation/ViewModels/Binding/ObservedStore.swift")
        let parts = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "#if canImport(SwiftUI)\n")
        let part = try #require(parts.count == 2 ? parts[1].components(separatedBy: "#endif").first : nil)
            .replacing("public import SwiftUI", with: "")
        let result = try SmallProgram.check(Self.swiftUI + part, mode: mode)
        #expect(result.status == 0 && !result.error.contains("warning:"), "\(result.error)")
    }

    /// The part of SwiftUI that the bindings use, and a view that uses them.
    private static let swiftUI = """
        import Observation
        import ViewModels

        public struct Binding<Value> {
            public init(
                get: @escaping @isolated(any) @Sendable () -> Value,
                set: @escaping @isolated(any) @Sendable (Value) -> Void
            ) {}
        }

        struct Search: Flow {
            struct State: Equatable, Sendable { var text = "" }
            enum Action: Equatable, Sendable { case typed(String) }
            var initialState: State { State() }
            func reduce(_ state: inout State, _ action: Action) -> Next<Never, Never> { .none }
        }

        @MainActor struct SearchView {
            let store: ObservedStore<Search.State, Search.Action, Never>
            var text: Binding<String> { store.binding(\\.text, send: Search.Action.typed) }
            var sameText: Binding<String> { store.binding(\\.text) { .typed($0) } }
        }

        """
}
