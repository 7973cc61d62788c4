import Foundation
import TestConcurrency
import Testing

/// Type-checks code for SwiftUI and UIKit where they are not, against modules of declarations: `Tests/Stubs`.
@Suite("Code for SwiftUI and UIKit", .compilesExamples, .limitedConcurrency)
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
                ("clear.rx.tap.map { \"\" }", "clear.rx.tap.map { 0 }"), ("clear.rx.tap.map", "field.rx.tap.map"),
                ("drive(failure.rx.isHidden)", "drive(failure.rx.text)"), ("save.rx.tap", "navigationItem.rx.tap"),
                ("bar.rx.text", "table.rx.text"), ("bar.rx.searchButtonClicked", "bar.rx.itemSelected"),
                ("table.rx.reachedBottom", "failure.rx.reachedBottom"), ("(offset: 200)", "(offset: true)"),
                ("cellType: UITableViewCell.self", "cellType: UIView.self"),
                ("{ _, movie, cell in", "{ movie, cell in"),
                ("table.rx.modelSelected(Movie.self)", "table.rx.modelSelected(String.self)"),
                ("failure.rx.tapGesture().map { _ in }", "failure.rx.tapGesture().when(true).map { _ in }"),
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

        try withLibrary(for: article) { folder, options in
            func check(_ code: String, _ mode: [String]) throws -> Shell.Result {
                try SmallProgram.check(
                    "import \(article.interface)\nimport \(article.library)\n\n\(code)", mode: mode[0],
                    options: mode.dropFirst() + ["-warnings-as-errors", "-I", folder.path] + options)
            }
            for mode in Self.modes {
                let result = try check(code, mode)
                #expect(result.status == 0, "\(mode): \(result.error)")
            }
            // A copy without a mistake, and one for each mistake, compiled together.
            let copies =
                try [code]
                + article.mistakes.map { correct, wrong in
                    try #require(code.contains(correct))
                    return code.replacingOccurrences(of: correct, with: wrong)
                }
            let result = try check(copies.enumerated().map { "enum Copy\($0) {\n\($1)\n}\n" }.joined(), ["6"])
            let (firstLine, lines) = (4, code.components(separatedBy: "\n").count + 2)
            let refused = result.error.matches(of: #/main\.swift:(\d+):\d+: error:/#)
                .map { ((Int($0.1) ?? 0) - firstLine) / lines }
            #expect(!refused.contains(0), "\(result.error)")
            for (number, mistake) in article.mistakes.enumerated() {
                #expect(refused.contains(number + 1), "\(mistake.wrong): \(result.error)")
            }
        }
    }

    /// Calls `body` with a folder that has modules of the declarations, and of the library's code for them; and with what
    /// the compiler needs to use them.
    private func withLibrary(for article: Article, _ body: (URL, [String]) throws -> Void) throws {
        let folder = try Shell.temporaryFolder()
        defer { Shell.remove(folder) }
        // A module of its own, because the rest of the library is built already: it uses what is public or package.
        var code = try Repository.swiftFiles(in: "Presentation/\(article.library)")
            .filter { try String(contentsOf: $0, encoding: .utf8).contains("#if canImport(\(article.interface))") }
            .map(\.path)
        try #require(!code.isEmpty)
        var options: [String] = []
        if article.interface == "UIKit" {
            // Selectors, and protocols with optional methods. The compiler has them on every platform, but cannot build
            // the rest of the library with them.
            options = [
                "-Xfrontend", "-enable-objc-interop", "-Xfrontend", "-disable-objc-attr-requires-foundation-module",
            ]
            try emit("ObjectiveC", stubs("ObjectiveC"), into: folder, options)
            let conformance = folder.appendingPathComponent("NSObject.swift")
            try "public import Streams\npublic import UIKit\nextension NSObject: ReactiveCompatible {}"
                .write(to: conformance, atomically: true, encoding: .utf8)
            code.append(conformance.path)
        }
        let module = article.library + article.interface
        try emit(article.interface, stubs(article.interface), into: folder, options)
        try emit(module, code, into: folder, libraryOptions + options + importing(article.library))
        try body(folder, options + importing(module))
    }

    /// What makes the compiler import a module in every file.
    private func importing(_ module: String) -> [String] { ["-Xfrontend", "-import-module", "-Xfrontend", module] }

    private func stubs(_ module: String) -> [String] {
        [Repository.root.appendingPathComponent("Tests/Stubs/\(module).swift").path]
    }

    private var libraryOptions: [String] {
        let features = [
            "ExistentialAny", "InferIsolatedConformances", "InternalImportsByDefault", "MemberImportVisibility",
            "NonisolatedNonsendingByDefault",
        ]
        return SmallProgram.packageOptions + features.flatMap { ["-enable-upcoming-feature", $0] }
    }

    /// Compiles a module without a warning.
    private func emit(
        _ module: String, _ sources: [String], into folder: URL, _ options: [String] = []
    ) throws {
        let file = folder.appendingPathComponent("\(module).swiftmodule").path
        let output = folder.appendingPathComponent("\(module).sil").path
        // Whole modules: otherwise the compiler skips the bodies of functions.
        let result = try Shell.run(
            ["swiftc", "-emit-sil", "-wmo", "-o", output, "-emit-module", "-emit-module-path", file]
                + ["-module-name", module, "-swift-version", "6", "-I", folder.path] + options
                + SmallProgram.importOptions + sources)
        try #require(result.status == 0 && !result.error.contains("warning:"), "\(result.error)")
    }
}
