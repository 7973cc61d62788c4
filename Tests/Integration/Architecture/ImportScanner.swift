import Foundation

/// Finds the imports of a Swift file.
enum ImportScanner {
    /// An import: the module, its visibility, and whether it applies only without FoundationEssentials.
    struct Import: Hashable {
        let module: String
        let isPublic: Bool
        let isExported: Bool
        let isFallbackForEssentials: Bool
    }

    /// The imports in `source`, with any attributes, access levels, kinds and submodules.
    static func imports(in source: String) -> [Import] {
        var conditions: [(isEssentials: Bool, isElse: Bool)] = []
        return uncommented(source).split(whereSeparator: \.isNewline).compactMap { line in
            let words = line.split(whereSeparator: \.isWhitespace)
            switch words.first {
            case "#if": conditions.append((line.contains("canImport(FoundationEssentials)"), false))
            case "#else" where !conditions.isEmpty: conditions[conditions.count - 1].isElse = true
            case "#elseif" where !conditions.isEmpty: conditions[conditions.count - 1].isEssentials = false
            case "#endif": _ = conditions.popLast()
            default: break
            }
            guard let keyword = words.firstIndex(of: "import"), words[..<keyword].allSatisfy(isModifier) else {
                return nil
            }
            let kinds: Set<Substring> = ["typealias", "struct", "class", "enum", "protocol", "let", "var", "func"]
            guard let path = words[(keyword + 1)...].first(where: { !kinds.contains($0) }) else { return nil }
            return Import(
                module: String(path.prefix { $0 != "." && $0 != ";" }),
                isPublic: words[..<keyword].contains("public"), isExported: words[..<keyword].contains("@_exported"),
                isFallbackForEssentials: conditions.contains { $0.isEssentials && $0.isElse })
        }
    }

    private static func isModifier(_ word: Substring) -> Bool {
        word.hasPrefix("@") || ["public", "package", "internal", "fileprivate", "private"].contains(word)
    }

    /// The source without comments and multi-line string literals, in which `import` is only a word.
    private static func uncommented(_ source: String) -> String {
        var inString = false
        var depth = 0
        return source.split(separator: "\n", omittingEmptySubsequences: false).map { line -> Substring in
            if line.components(of: "\"\"\"") % 2 == 1 {
                inString.toggle()
                return ""
            }
            if inString { return "" }
            if line.drop(while: \.isWhitespace).hasPrefix("/*") { depth += 1 }
            if depth > 0 {
                if line.contains("*/") { depth -= 1 }
                return ""
            }
            return line.drop(while: \.isWhitespace).hasPrefix("//") ? "" : line
        }.joined(separator: "\n")
    }
}

extension Substring {
    /// The number of occurrences of `text`.
    fileprivate func components(of text: String) -> Int {
        ranges(of: text).count
    }
}

/// A source file with its imports. All files are read once for all tests.
struct ScannedFile {
    let url: URL
    let imports: [ImportScanner.Import]

    /// The files of a target.
    static func of(_ target: String) throws -> [ScannedFile] { try all.get()[target] ?? [] }

    private static let all: Result<[String: [ScannedFile]], any Error> = Result {
        var files: [String: [ScannedFile]] = [:]
        for target in ManifestTarget.all {
            files[target.name] = try Repository.swiftFiles(in: target.folder).map { url in
                let source = try String(contentsOf: url, encoding: .utf8)
                return ScannedFile(url: url, imports: ImportScanner.imports(in: source))
            }
        }
        return files
    }
}
