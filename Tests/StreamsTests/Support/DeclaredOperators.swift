import Foundation
import Testing

/// The operators that the source files of the module declare.
struct DeclaredOperator: Hashable {
    /// The name in documentation notation, `static take(until:behavior:)`, without the parameters of the call site.
    let signature: String
    /// Whether it takes a throwing function.
    let throwsErrors: Bool

    /// The public methods of streams in the given folders of the module.
    static func all(in folders: [String]) throws -> Set<DeclaredOperator> {
        let module = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Presentation/Streams").standardizedFileURL
        var operators: Set<DeclaredOperator> = []
        for folder in folders {
            let files = try FileManager.default.contentsOfDirectory(
                at: module.appending(path: folder), includingPropertiesForKeys: nil)
            for file in files where file.pathExtension == "swift" {
                operators.formUnion(declared(in: try String(contentsOf: file, encoding: .utf8)))
            }
        }
        return operators
    }

    private static func declared(in source: String) -> [DeclaredOperator] {
        let code = source.components(separatedBy: "\n")
            .filter { !$0.trimmingCharacters(in: .whitespaces).hasPrefix("//") }.joined(separator: "\n")
        return code.components(separatedBy: "\nextension ").dropFirst(code.hasPrefix("extension ") ? 0 : 1)
            .flatMap { part -> [DeclaredOperator] in
                let name = part.hasPrefix("extension ") ? String(part.dropFirst("extension ".count)) : part
                guard name.hasPrefix("ObservableType") || name.hasPrefix("ConnectableObservableType") else { return [] }
                // The extension ends with a brace at the beginning of a line.
                return part.components(separatedBy: "\n}")[0].components(separatedBy: "public ").dropFirst()
                    .compactMap(DeclaredOperator.init)
            }
    }

    /// Parses the declaration at the start of the text, from `func` or `static func` on.
    private init?(_ declaration: String) {
        let isStatic = declaration.hasPrefix("static ")
        let text = isStatic ? declaration.dropFirst("static ".count) : declaration[...]
        guard text.hasPrefix("func ") else { return nil }
        let name = text.dropFirst("func ".count).prefix { $0 != "(" && $0 != "<" }
        // The parameters: the text between the first parenthesis outside the generic parameters and its counterpart.
        var parameters = [""]
        var depth = 0
        var angles = 0
        var previous: Character = " "
        for character in text.dropFirst("func ".count + name.count) {
            if character == "<" { angles += 1 }
            if character == ">", previous != "-" { angles -= 1 }
            previous = character
            if depth == 0, character != "(" || angles > 0 { continue }
            if character == "(" || character == "[" { depth += 1 }
            if character == ")" || character == "]" { depth -= 1 }
            if depth == 0 { break }
            if depth == 1, angles == 0, character == "," {
                parameters.append("")
            } else {
                parameters[parameters.count - 1].append(character)
            }
        }
        let labels = parameters.compactMap { parameter -> String? in
            let words = parameter.drop { $0 == "(" }.split { $0.isWhitespace || $0 == ":" }
            return words.first { !$0.hasPrefix("@") }.map(String.init)
        }
        let shown = labels.filter { !["file", "line", "function"].contains($0) }.map { "\($0):" }.joined()
        signature = (isStatic ? "static " : "") + name.filter { $0 != "`" } + "(\(shown))"
        throwsErrors = parameters.contains { $0.contains("throws") }
    }
}

@Suite("The tables of operators")
struct DeclaredOperatorTests {
    private static let folders = ["Transforming", "Filtering", "Combining", "Timing", "Errors", "Sharing", "Debugging"]

    @Test("every declared operator has a row in the table")
    func nothingIsMissing() throws {
        let declared = try DeclaredOperator.all(in: Self.folders)
        #expect(declared.count > 90)
        let missing = Set(declared.map(\.signature)).subtracting(Operator.all.map(\.signature))
        #expect(missing == ["debug(_:trimOutput:)"], "`debug` prints events and is otherwise `do`")
    }

    @Test("every operator with a throwing function has a row in the table")
    func noFunctionIsMissing() throws {
        let throwing = try DeclaredOperator.all(in: Self.folders).filter(\.throwsErrors).map(\.signature)
        #expect(throwing.count > 30)
        #expect(Set(throwing).subtracting(ThrowingOperator.all.map(\.signature)) == [])
    }
}
