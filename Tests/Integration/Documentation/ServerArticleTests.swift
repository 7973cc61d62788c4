import Foundation
import TestConcurrency
import Testing

/// Type-checks the code for servers of other packages against modules of declarations: `Tests/Stubs`.
@Suite("Code for other servers", .compilesExamples, .limitedConcurrency)
struct ServerArticleTests {
    private static let article = "Presentation/traveline/traveline.docc/UseCasesInAServer.md"
    private static let servers = ["Vapor", "Hummingbird"]

    @Test(
        "the code of the article compiles without a warning, and wrong calls do not compile",
        arguments: [
            ("Vapor", "keyword: keyword", "keyword: 1"), ("Vapor", "Trip.ID(id)", "id"),
            ("Hummingbird", "-> Response {", "-> Request {"), ("Hummingbird", "as: UUID.self", "as: Trip.self"),
        ])
    func code(server: String, correct: String, wrong: String) throws {
        let text = try String(contentsOf: Repository.root.appendingPathComponent(Self.article), encoding: .utf8)
        let code = text.components(separatedBy: "\n## ")
            .filter { section in !Self.servers.contains { $0 != server && section.hasPrefix("\($0)\n") } }
            .flatMap { section in
                section.components(separatedBy: "```swift\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
            }
            .joined(separator: "\n")
        try #require(code.contains("import \(server)") && code.contains(correct))
        let folder = try Shell.temporaryFolder()
        defer { Shell.remove(folder) }
        let stub = try Shell.run(
            [
                "swiftc", "-emit-module", "-emit-module-path",
                folder.appendingPathComponent("\(server).swiftmodule").path,
                "-module-name", server, "-swift-version", "6", "-enable-upcoming-feature", "InternalImportsByDefault",
                Repository.root.appendingPathComponent("Tests/Stubs/\(server).swift").path,
            ], in: folder)
        try #require(stub.status == 0, "\(stub.error)")

        func check(_ code: String) throws -> Shell.Result {
            try SmallProgram.check(code, mode: "6", options: ["-warnings-as-errors", "-I", folder.path])
        }
        let result = try check(code)
        #expect(result.status == 0, "\(result.error)")
        #expect(try check(code.replacingOccurrences(of: correct, with: wrong)).status != 0)
    }
}
