import Foundation

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
