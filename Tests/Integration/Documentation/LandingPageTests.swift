import Foundation
import TestTurns
import Testing

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
            "Data/TravelDataFiles", "Data/TravelDataCached", "Data/TravelSamples", "Presentation/ViewModels",
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
}
