import Foundation
import TestTurns
import Testing

/// Type-checks code for SwiftUI and UIKit where they are not, against modules of declarations: `Tests/Stubs`.
@Suite("Code for SwiftUI and UIKit", .takesTurns)
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

        try withLibrary(for: article.interface) { folder, options in
            func check(_ code: String, _ mode: [String]) throws -> Shell.Result {
                try SmallProgram.check(
                    "import \(article.interface)\nimport \(article.library)\n\n\(code)", mode: mode[0],
                    options: mode.dropFirst() + ["-warnings-as-errors", "-I", folder.path] + options)
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

    /// Calls `body` with a folder that has modules of the declarations, and the library's code for them; and with what the
    /// compiler needs to use it.
    private func withLibrary(for interface: String, _ body: (URL, [String]) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("stubs-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { Shell.remove(folder) }
        switch interface {
        case "UIKit":
            // Selectors, and protocols with optional methods. The compiler has them on every platform, but cannot build
            // the rest of the library with them: a module of its own has the code for UIKit.
            let objectiveC = [
                "-Xfrontend", "-enable-objc-interop", "-Xfrontend", "-disable-objc-attr-requires-foundation-module",
            ]
            try emit("ObjectiveC", stubs("ObjectiveC"), into: folder, objectiveC)
            try emit("UIKit", stubs("UIKit"), into: folder, objectiveC)
            let conformance = folder.appendingPathComponent("NSObject.swift")
            try "public import Streams\npublic import UIKit\nextension NSObject: ReactiveCompatible {}"
                .write(to: conformance, atomically: true, encoding: .utf8)
            let code = try Repository.swiftFiles(in: "Presentation/Streams/Traits").map(\.path)
                .filter { $0.contains("/UIKit") }
            try #require(!code.isEmpty)
            try emit(
                "StreamsUIKit", code + [conformance.path], into: folder,
                libraryOptions + objectiveC + ["-Xfrontend", "-import-module", "-Xfrontend", "Streams"])
            try body(folder, objectiveC + ["-Xfrontend", "-import-module", "-Xfrontend", "StreamsUIKit"])
        default:
            try emit(interface, stubs(interface), into: folder)
            let code = try Repository.swiftFiles(in: "Presentation/ViewModels").map(\.path)
            try emit("ViewModels", code, into: folder, libraryOptions)
            try body(folder, [])
        }
    }

    private func stubs(_ module: String) -> [String] {
        [Repository.root.appendingPathComponent("Tests/Stubs/\(module).swift").path]
    }

    private var libraryOptions: [String] {
        let features = [
            "ExistentialAny", "InferIsolatedConformances", "InternalImportsByDefault", "MemberImportVisibility",
            "NonisolatedNonsendingByDefault",
        ]
        // The name that the package manager gives the package, for declarations with `package` access.
        let package = String(
            Repository.root.lastPathComponent.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "_" })
        return ["-package-name", package] + features.flatMap { ["-enable-upcoming-feature", $0] }
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
