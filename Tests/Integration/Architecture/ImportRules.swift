import Foundation

/// What a target may import beyond the dependencies that the manifest declares, and what it re-exports.
struct ImportRule {
    let target: String
    /// The system modules that the target may import.
    let system: Set<String>
    /// The modules of this package that the target re-exports, because its public interface uses them.
    var exports: Set<String> = []
    /// The system modules of which the target re-exports types that its public interface needs.
    var systemExports: Set<String> = []
    /// Whether Foundation may replace FoundationEssentials if that is missing.
    var allowsFoundationAsFallback = false

    private static let cLibraries: Set = ["Darwin", "Glibc", "Musl"]
    private static let essentials = cLibraries.union(["FoundationEssentials", "Synchronization"])
    private static let foundation = essentials.union(["Foundation", "Dispatch"])

    /// The rules of the modules; one that is missing here may import its dependencies only.
    static let all: [ImportRule] = [
        ImportRule(target: "Composition", system: essentials, allowsFoundationAsFallback: true),
        ImportRule(
            // Of `Swift`, the normal form of texts.
            target: "TravelDomain", system: cLibraries.union(["FoundationEssentials", "Swift"]),
            systemExports: ["FoundationEssentials"], allowsFoundationAsFallback: true),
        ImportRule(target: "TravelJSON", system: ["FoundationEssentials"], allowsFoundationAsFallback: true),
        ImportRule(target: "DatabaseAccess", system: essentials.union(["Dispatch"]), allowsFoundationAsFallback: true),
        ImportRule(target: "SQLiteStore", system: foundation, exports: ["DatabaseAccess"]),
        ImportRule(target: "PostgreSQLStore", system: foundation, exports: ["DatabaseAccess"]),
        ImportRule(
            target: "TravelDataShared", system: cLibraries.union(["FoundationEssentials"]),
            allowsFoundationAsFallback: true),
        ImportRule(target: "TravelDataSQLite", system: foundation, exports: ["TravelDomain"]),
        ImportRule(target: "TravelDataPostgreSQL", system: foundation, exports: ["TravelDomain", "PostgreSQLStore"]),
        ImportRule(target: "TravelDataInMemory", system: foundation, exports: ["TravelDomain"]),
        ImportRule(target: "TravelDataFiles", system: foundation.union(["ImageIO"]), exports: ["TravelDomain"]),
        ImportRule(target: "TravelDataRemote", system: foundation, exports: ["TravelDomain"]),
        ImportRule(
            target: "TravelDataCached", system: essentials, exports: ["TravelDomain"],
            allowsFoundationAsFallback: true),
        ImportRule(
            target: "TravelSamples", system: ["FoundationEssentials"], exports: ["TravelDomain"],
            allowsFoundationAsFallback: true),
        ImportRule(target: "Streams", system: foundation.union(["UIKit"]), systemExports: ["Dispatch"]),
        ImportRule(
            target: "ViewModels", system: ["Dispatch", "Observation", "SwiftUI", "Synchronization"],
            exports: ["Streams", "Composition"]),
        ImportRule(target: "TravelTexts", system: [], exports: ["TravelDomain"]),
        ImportRule(target: "TravelPages", system: foundation, exports: ["TravelDomain", "TravelTexts"]),
        ImportRule(
            target: "TravelPresentation", system: ["FoundationEssentials"],
            exports: ["TravelDomain", "TravelTexts", "ViewModels", "Streams"], allowsFoundationAsFallback: true),
        ImportRule(target: "TravelTerminal", system: foundation, exports: ["TravelPresentation"]),
        ImportRule(target: "TravelBrowser", system: foundation, exports: ["TravelPresentation"]),
        ImportRule(target: "TravelServer", system: foundation, exports: ["TravelDomain", "TravelPages"]),
        ImportRule(target: "traveline", system: foundation),
        ImportRule(target: "TestReporting", system: ["Foundation", "Synchronization", "XCTest", "Testing"]),
        ImportRule(target: "ContractTesting", system: [], exports: ["TestReporting"]),
        ImportRule(
            target: "CompositionTesting", system: ["FoundationEssentials", "Synchronization", "XCTest", "Testing"],
            exports: ["Composition"], allowsFoundationAsFallback: true),
        ImportRule(target: "StreamsTesting", system: foundation.union(["XCTest", "Testing"]), exports: ["Streams"]),
        ImportRule(
            target: "ViewModelsTesting", system: essentials.union(["Dispatch", "Testing"]),
            exports: ["ViewModels", "Composition", "CompositionTesting", "Streams", "StreamsTesting"],
            allowsFoundationAsFallback: true),
        ImportRule(target: "SQLiteStoreTesting", system: foundation, exports: ["SQLiteStore"]),
        ImportRule(target: "PostgreSQLStoreTesting", system: foundation, exports: ["PostgreSQLStore"]),
        ImportRule(
            target: "TravelDomainTesting",
            system: cLibraries.union(["FoundationEssentials", "Synchronization"]),
            exports: ["TravelDomain", "ContractTesting"], allowsFoundationAsFallback: true),
    ]

    static func of(_ target: String) -> ImportRule {
        all.first { $0.target == target } ?? ImportRule(target: target, system: [])
    }

    /// The imports that are neither dependencies of the target nor allowed by this rule.
    func violations(among imports: [ImportScanner.Import]) -> [String] {
        let dependencies = ManifestTarget.named(target)?.dependencies ?? []
        return imports.filter { found in
            !system.contains(found.module) && !dependencies.contains(found.module)
                && !(found.module == "Foundation" && allowsFoundationAsFallback && found.isFallbackForEssentials)
        }.map(\.module)
    }

    /// The modules that an import of `module` makes visible in addition: its re-exports, transitively.
    static func reached(from module: String) -> Set<String> {
        let exports = of(module).exports
        return exports.reduce(into: exports) { $0.formUnion(reached(from: $1)) }
    }
}

/// The direction of imports between layers.
enum Layers {
    /// The layers whose modules a module of `layer` may see.
    private static let visible: [String: Set<String>] = [
        "Domain": ["Domain"],
        "Data": ["Domain", "Data"],
        "Presentation": ["Domain", "Presentation"],
        "Tests/Kits": ["Domain", "Data", "Presentation", "Tests/Kits"],
    ]

    /// The modules that `target` sees, by name or through re-exports, although its layer must not. The executable, which
    /// composes the app, sees all layers.
    static func violations(of target: ManifestTarget) -> [String] {
        guard target.name != "traveline" else { return [] }
        let seen = target.dependencies.reduce(into: target.dependencies) { $0.formUnion(ImportRule.reached(from: $1)) }
        return seen.filter { name in
            guard let layer = ManifestTarget.named(name)?.layer else { return true }
            return visible[target.layer]?.contains(layer) != true
        }.sorted()
    }
}

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
        return statements(in: source).compactMap { line in
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

    /// The lines that may have an import or a condition, outside of comments and multi-line string literals.
    ///
    /// By functions of Foundation: those of collections are slow in a debug build, and there are 150,000 lines. Most of
    /// them follow the last import.
    private static func statements(in source: String) -> [String] {
        guard let last = source.range(of: "import", options: .backwards) else { return [] }
        let end = source[last.upperBound...].firstIndex(of: "\n") ?? source.endIndex
        let code = source[..<end].components(separatedBy: "\"\"\"").enumerated()
            .filter { $0.offset.isMultiple(of: 2) }.map(\.element).joined()
        var depth = 0
        return code.components(separatedBy: "\n").compactMap { line in
            let line = line.trimmingCharacters(in: .whitespacesAndNewlines)
            if line.hasPrefix("/*") { depth += 1 }
            if depth > 0 {
                if line.hasSuffix("*/") { depth -= 1 }
                return nil
            }
            if line.hasPrefix("#") { return line }
            return starts.contains(where: line.hasPrefix) && line.range(of: "import") != nil ? line : nil
        }
    }

    private static let starts = ["import", "@", "public", "package", "internal", "fileprivate", "private"]
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

/// The files of this repository.
enum Repository {
    /// The folder of `Package.swift`.
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static func text(of path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    /// All Swift files in a folder and its subfolders.
    static func swiftFiles(in folder: String) throws -> [URL] {
        let folder = root.appendingPathComponent(folder)
        return try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".swift") }
            .map { folder.appendingPathComponent($0) }
    }

    /// The names of the direct subfolders of a folder.
    static func folders(in folder: String) throws -> [String] {
        let folder = root.appendingPathComponent(folder)
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { name in
            var isFolder: ObjCBool = false
            let exists = FileManager.default.fileExists(
                atPath: folder.appendingPathComponent(name).path, isDirectory: &isFolder)
            return exists && isFolder.boolValue
        }
    }
}

/// A target as the manifest, the one list of modules, declares it.
struct ManifestTarget {
    let name: String
    /// The folder of its sources.
    let folder: String
    /// The targets that it declares as dependencies: exactly the modules of this package that it imports.
    let dependencies: Set<String>

    /// The folder of its layer: `Domain`, `Data`, `Presentation`, or one in `Tests`.
    var layer: String { folder.split(separator: "/").dropLast().joined(separator: "/") }

    /// The targets of this package.
    static let all: [ManifestTarget] = (try? targets(in: Repository.text(of: "Package.swift"))) ?? []

    /// The targets of the layers and the kits: those that users depend on, and the executable.
    static let modules = all.filter { ["Domain", "Data", "Presentation", "Tests/Kits"].contains($0.layer) }

    /// The names of the modules that other packages can import.
    static let products: Set<String> = {
        let manifest = (try? Repository.text(of: "Package.swift")) ?? ""
        return Set(manifest.matches(of: /\.library\(name: "(\w+)"/).map { String($0.1) })
    }()

    static func named(_ name: String) -> ManifestTarget? { all.first { $0.name == name } }

    /// The targets that the manifest in `text` declares, each by a call with a literal name.
    static func targets(in text: String) -> [ManifestTarget] {
        let call =
            #/(?:\b(library|tests)\(\s*|\.(?:target|testTarget|executableTarget|systemLibrary)\(\s*name: )"([\w-]+)"(?!,\s*condition)/#
        let calls = text.matches(of: call)
        let names = Set(calls.map { String($0.2) })
        return calls.map { call in
            let arguments = text[call.range.lowerBound...].enclosed(by: "(", ")")
            let name = String(call.2)
            let folder =
                switch call.1 {
                case "library": arguments.firstMatch(of: /in: "([^"]+)"/).map { "\($0.1)/\(name)" }
                case "tests": "Tests/\(name)"
                default: arguments.firstMatch(of: /path: "([^"]+)"/).map { String($0.1) }
                }
            let list = arguments.firstMatch(of: #/(?:uses|dependencies): /#).map {
                arguments[$0.range.upperBound...].enclosed(by: "[", "]")
            }
            let dependencies = (list ?? "").matches(of: /"([\w-]+)"/).map { String($0.1) }
            return ManifestTarget(name: name, folder: folder ?? name, dependencies: names.intersection(dependencies))
        }
    }
}

extension Substring {
    /// The text from the first `open` to the `close` that belongs to it.
    fileprivate func enclosed(by open: Character, _ close: Character) -> Substring {
        guard let start = firstIndex(of: open) else { return "" }
        var depth = 0
        for index in self[start...].indices {
            if self[index] == open { depth += 1 }
            if self[index] == close { depth -= 1 }
            if depth == 0 { return self[start...index] }
        }
        return self[start...]
    }
}
