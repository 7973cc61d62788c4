import Foundation
import TestTurns
import Testing

/// Type-checks code for SwiftUI and UIKit where they are not, against modules of declarations: `Tests/Stubs`.
@Suite("Code for SwiftUI and UIKit", .takesTurns(within: .seconds(600)))
struct AppleInterfaceTests {
    static let modes = [["5"], ["6"], ["6", "-default-isolation", "MainActor"]]

    struct Article: Sendable, CustomTestStringConvertible {
        let path: String
        let interface: String
        let library: String
        /// Correct code of the article, and what the compiler must refuse in its place.
        let mistakes: [(code: String, wrong: String)]

        var testDescription: String { interface }
    }

    static let articles = [
        Article(
            path: "Presentation/ViewModels/ViewModels.docc/AtTheEdgeSwiftUI.md", interface: "SwiftUI",
            library: "ViewModels",
            mistakes: [
                ("text: $store.text", "text: $store.movies"), (".refreshable {", ".refreshed {"),
                ("store.isPresented(\\.failure", "store.isPresented(\\.text"),
            ]),
        Article(
            path: "Presentation/Streams/Streams.docc/AtTheEdgeUIKit.md", interface: "UIKit", library: "Streams",
            mistakes: [
                ("clear.rx.tap.map { \"\" }", "clear.rx.tap.map { 0 }"), ("clear.rx.tap.as", "failure.rx.tap.as"),
                ("drive(failure.rx.isHidden)", "drive(failure.rx.text)"),
            ]),
    ]

    @Test(
        "the screens of an article compile without a warning in every mode, and wrong calls do not compile",
        arguments: articles)
    func screens(article: Article) throws {
        let text = try String(contentsOf: Repository.root.appendingPathComponent(article.path), encoding: .utf8)
        let code = text.components(separatedBy: "```swift\n").dropFirst()
            .map { $0.components(separatedBy: "```")[0] }.joined(separator: "\n")
        try #require(!code.isEmpty)

        try withStubs(of: article.interface, completing: article.library) { folder in
            func check(_ code: String, _ mode: [String]) throws -> Shell.Result {
                try SmallProgram.check(
                    "import \(article.interface)\nimport \(article.library)\n\n\(code)", mode: mode[0],
                    options: mode.dropFirst() + ["-warnings-as-errors", "-I", folder.path])
            }
            for mode in Self.modes {
                let result = try check(code, mode)
                #expect(result.status == 0, "\(mode): \(result.error)")
            }
            for (correct, wrong) in article.mistakes {
                try #require(code.contains(correct))
                #expect(try check(code.replacingOccurrences(of: correct, with: wrong), ["6"]).status != 0, "\(wrong)")
            }
        }
    }

    /// Calls `body` with a folder that has a module of the declarations, and a library compiled where that module is.
    private func withStubs(of name: String, completing library: String, _ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("stubs-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { Shell.remove(folder) }
        let stubs = Repository.root.appendingPathComponent("Tests/Stubs/\(name).swift").path
        let declared = try emit(name, [stubs], into: folder)
        try #require(declared.status == 0, "\(declared.error)")
        let sources = try Repository.swiftFiles(in: "Presentation/\(library)").map(\.path)
        let features = [
            "ExistentialAny", "InferIsolatedConformances", "InternalImportsByDefault", "MemberImportVisibility",
            "NonisolatedNonsendingByDefault",
        ]
        // The name that the package manager gives the package, for declarations with `package` access.
        let package = String(
            Repository.root.lastPathComponent.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "_" })
        let compiled = try emit(
            library, sources, into: folder,
            ["-package-name", package] + features.flatMap { ["-enable-upcoming-feature", $0] })
        #expect(compiled.status == 0 && !compiled.error.contains("warning:"), "\(compiled.error)")
        try body(folder)
    }

    private func emit(
        _ module: String, _ sources: [String], into folder: URL, _ options: [String] = []
    ) throws -> Shell.Result {
        let file = folder.appendingPathComponent("\(module).swiftmodule").path
        let output = folder.appendingPathComponent("\(module).sil").path
        // Whole modules: otherwise the compiler skips the bodies of functions.
        return try Shell.run(
            ["swiftc", "-emit-sil", "-wmo", "-o", output, "-emit-module", "-emit-module-path", file]
                + ["-module-name", module, "-swift-version", "6", "-I", folder.path] + options
                + SmallProgram.importOptions + sources)
    }
}
