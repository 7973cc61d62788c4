import Foundation
import TestTurns
import Testing

@Suite("The use cases of the travel log", .takesTurns)
struct UseCaseTests {
    /// The types in the folder of use cases that can be called like a function.
    private static func useCases() throws -> [String] {
        try Repository.swiftFiles(in: "Domain/TravelDomain/UseCases").compactMap { file in
            let text = try String(contentsOf: file, encoding: .utf8)
            let name = file.deletingPathExtension().lastPathComponent
            let isUseCase = text.contains("public struct \(name)") && text.contains("public func callAsFunction(")
            return isUseCase ? name : nil
        }
    }

    @Test("each is reached by a screen or a command")
    func areReached() throws {
        let files = try ["TravelPresentation", "TravelTerminal", "traveline"].flatMap {
            try Repository.swiftFiles(in: "Presentation/\($0)")
        }
        let code = try files.flatMap { file in
            try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter {
                !$0.drop { $0 == " " }.hasPrefix("//")
            }
        }.joined(separator: "\n")
        let useCases = try Self.useCases()
        #expect(useCases.count > 15)
        let unreached = try useCases.filter { name in
            try !code.contains(Regex("\\b\(name)\\("))
        }
        #expect(unreached == [])
    }
}
