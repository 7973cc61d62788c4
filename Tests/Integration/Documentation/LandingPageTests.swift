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
}
