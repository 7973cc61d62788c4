import Foundation

/// A source file with its imports. All files are read once for all tests.
struct ScannedFile {
    let url: URL
    let imports: [ImportScanner.Import]

    /// The files of a target.
    static func of(_ rule: ImportRule) throws -> [ScannedFile] { try all.get()[rule.target] ?? [] }

    private static let all: Result<[String: [ScannedFile]], any Error> = Result {
        var files: [String: [ScannedFile]] = [:]
        for rule in ImportRule.all {
            files[rule.target] = try Repository.swiftFiles(in: "\(rule.folder)/\(rule.target)").map { url in
                let source = try String(contentsOf: url, encoding: .utf8)
                return ScannedFile(url: url, imports: ImportScanner.imports(in: source))
            }
        }
        return files
    }
}
