import Foundation

/// A target as the manifest declares it.
struct ManifestTarget {
    let name: String
    /// The folder of its sources.
    let folder: String
    /// The targets that it declares as dependencies.
    let dependencies: Set<String>

    /// The targets with Swift sources that the manifest in `text` declares, each by a call with a literal name.
    static func targets(in text: String) -> [ManifestTarget] {
        let systemLibraries = text.matches(of: /\.systemLibrary\(\s*name: "(\w+)"/).map { String($0.1) }
        let call =
            #/(?:\b(library|tests)\(\s*|\.(?:target|testTarget|executableTarget)\(\s*name: )"([\w-]+)"(?!,\s*condition)/#
        let calls = text.matches(of: call)
        let names = Set(calls.map { String($0.2) } + systemLibraries)
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
            return ManifestTarget(
                name: name, folder: folder ?? name, dependencies: names.intersection(dependencies))
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
