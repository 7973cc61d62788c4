import Foundation
import Testing

/// Cases with values cannot be listed by the compiler: tests list a sample of each by hand, and one that is forgotten there
/// is tested nowhere.
@Suite("Tests that list a sample of each case")
struct CaseListTests {
    struct List: Sendable, CustomTestStringConvertible {
        /// The enumeration, and the file that declares it.
        let type: String
        let source: String
        let tests: String

        var testDescription: String { "\(type) in \(tests)" }
    }

    private static let errors = "Domain/TravelDomain/Errors/TravelError.swift"

    static let lists = [
        List(
            type: "Screen", source: "Presentation/TravelPresentation/Screen.swift",
            tests: "Tests/TravelPresentationTests/Coordinator/CoordinatorFlowTests.swift"),
        List(type: "Rule", source: errors, tests: "Tests/TravelDomainTests/Errors/ErrorDescriptionTests.swift"),
        List(type: "Rule", source: errors, tests: "Tests/TravelDomainTests/TravelJSON/ProblemTests.swift"),
        List(type: "Rule", source: errors, tests: "Tests/TravelTextsTests/TextTests.swift"),
        List(type: "Field", source: errors, tests: "Tests/TravelDomainTests/TravelJSON/ProblemTests.swift"),
    ]

    @Test("the list has every case", arguments: lists)
    func isComplete(list: List) throws {
        let cases = Self.cases(of: list.type, in: try Repository.text(of: list.source))
        try #require(cases.count > 10)
        let listed = Self.members(in: try Repository.text(of: list.tests))
        #expect(cases.filter { !listed.contains($0) } == [])
    }

    @Test("the cases of an enumeration are found, and none of another one")
    func casesAreFound() {
        let source = """
            enum Outer {
                enum One: Sendable {
                    /// The case of a value.
                    case first(Int)
                    indirect case second

                    var number: Int {
                        switch self {
                        case .first(let number): number
                        }
                    }
                }
                enum Other {
                    case third
                }
            }
            """
        #expect(Self.cases(of: "One", in: source) == ["first", "second"])
        #expect(Self.members(in: "[.first(1), Outer.One.second, third]") == ["first", "One", "second"])
    }

    /// The names of the cases, of which each has a line of its own.
    private static func cases(of type: String, in source: String) -> [String] {
        let lines = source.components(separatedBy: "\n")
        guard let start = lines.firstIndex(where: { $0.contains("enum \(type):") || $0.contains("enum \(type) {") })
        else {
            return []
        }
        let end = lines[start].prefix { $0 == " " } + "}"
        return lines[start...].prefix { $0 != end }.compactMap { line in
            line.prefixMatch(of: #/ *(?:indirect )?case (\w+)/#).map { String($0.1) }
        }
    }

    /// The names that follow a point.
    private static func members(in text: String) -> Set<String> {
        Set(text.split(separator: ".").dropFirst().map { String($0.prefix(while: \.isLetter)) }.filter { !$0.isEmpty })
    }
}
