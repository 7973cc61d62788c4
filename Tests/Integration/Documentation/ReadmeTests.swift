import Foundation
import TestConcurrency
import Testing

@Suite("Examples in the README", .limitedConcurrency)
struct ReadmeTests {
    @Test(
        "the code blocks equal the code that this test target compiles and runs",
        arguments: [
            ("view model", "ReadmeViewModel"), ("view model test", "ReadmeExamples"),
            ("swap a repository", "ReadmeExamples"), ("test a use case", "ReadmeExamples"),
            ("flow", "ReadmeFlow"), ("test a flow", "ReadmeExamples"), ("SQLite repository", "ReadmeSQLiteRepository"),
        ])
    func blockIsCompiled(name: String, file: String) throws {
        let source = try String(
            contentsOf: Repository.root.appendingPathComponent("Tests/Integration/Documentation/\(file).swift"),
            encoding: .utf8)
        let block = try Readme.example(name)
        #expect(Self.unindented(source).contains(Self.unindented(block)), "\(file).swift differs from the README")
    }

    @Test("every relative link of the README and of the articles about the package leads to a file")
    func linksLeadToFiles() throws {
        for page in try Readme.pages() {
            // Those that begin with a slash lead to pages of the site.
            let links = try String(contentsOf: page, encoding: .utf8)
                .matches(of: #/\]\((?<path>[^)#:\/][^)#:]*)\)/#).map { String($0.output.path) }
            for link in links {
                let path = page.deletingLastPathComponent().appendingPathComponent(link).standardized.path
                #expect(FileManager.default.fileExists(atPath: path), "\(link), in \(page.lastPathComponent)")
            }
        }
    }

    @Test("the README has at most 250 lines")
    func isShort() throws {
        #expect(try Readme.text().split(separator: "\n", omittingEmptySubsequences: false).count <= 251)
    }

    @Test("the example of one module prints the documented output, and its manifest depends on that module")
    func oneModule() throws {
        let result = try SmallProgram.run(modules: ["Streams"], main: Readme.example("one module"))
        #expect(result.status == 0, "\(result.error)")
        #expect(result.output == "taps: 1\ntaps: 2\n")
        let package = try SmallPackage.describe(manifest: Readme.manifest(), name: "counter")
        #expect(package.status == 0, "\(package.error)")
        #expect(package.output.contains("\"Streams\""))
    }

    @Test(
        "a package with a target of the same name as a module uses the module by the documented alias",
        .compilesExamples)
    func moduleAlias() throws {
        let product = #".product(name: "Streams", package: "traveline")"#
        let aliased = try Readme.example("module alias").trimmingCharacters(in: .whitespacesAndNewlines)
        let manifest = try Readme.manifest()
            .replacingOccurrences(of: product, with: #""Streams", \#(aliased)"#)
            .replacingOccurrences(of: "targets: [\n", with: "targets: [\n.target(name: \"Streams\"),\n")
        let main = try Readme.example("one module")
            .replacingOccurrences(of: "import Streams\n", with: "import Streams\nimport TravelineStreams\nprint(own)\n")

        let result = try SmallPackage.run(
            manifest: manifest, name: "counter", main: main,
            libraries: ["Streams": "public let own = \"a Streams of one's own\"\n"])

        #expect(result.status == 0, "\(result.error)")
        #expect(result.output == "a Streams of one's own\ntaps: 1\ntaps: 2\n")
    }

    @Test("the version of the program is the newest of the changelog")
    func versions() throws {
        let changelog = try String(
            contentsOf: Repository.root.appendingPathComponent("Presentation/traveline/traveline.docc/Changelog.md"),
            encoding: .utf8)
        let program = try String(
            contentsOf: Repository.root.appendingPathComponent("Presentation/traveline/Traveline.swift"),
            encoding: .utf8)
        let newest = try #require(changelog.firstMatch(of: #/\n## (\d+\.\d+\.\d+)\n/#))
        #expect(program.contains("static let version = \"\(newest.1)\""))
    }

    @Test("the first command block sets up and runs the main job, the second runs the tests")
    func commandsAreTwo() throws {
        let readme = try Readme.text()
        let commands = readme.components(separatedBy: "```sh\n").dropFirst().map {
            $0.components(separatedBy: "```")[0]
        }
        try #require(commands.count == 2)
        #expect(commands[0].contains("libsqlite3-dev"))
        #expect(commands[0].contains("swift run traveline search --keyword 바다"))
        #expect(commands[1] == "swift test\n")
    }

    private static func unindented(_ text: String) -> String {
        text.split(separator: "\n").map { $0.drop(while: \.isWhitespace) }.joined(separator: "\n")
    }
}

/// The README and the articles about the package, with their marked examples.
enum Readme {
    static func text() throws -> String {
        try String(contentsOf: Repository.root.appendingPathComponent("README.md"), encoding: .utf8)
    }

    static func pages() throws -> [URL] {
        let folder = Repository.root.appendingPathComponent("Presentation/traveline/traveline.docc")
        let articles = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "md" }
        try #require(!articles.isEmpty)
        return [Repository.root.appendingPathComponent("README.md")] + articles
    }

    /// The Swift code after `<!-- example: NAME -->`, which is on one of the pages.
    static func example(_ name: String) throws -> String {
        let all = try pages().map { try String(contentsOf: $0, encoding: .utf8) }.joined(separator: "\n")
        let parts = all.components(separatedBy: "<!-- example: \(name) -->\n```swift\n")
        try #require(parts.count == 2, "there is not one example '\(name)'")
        return parts[1].components(separatedBy: "```")[0]
    }

    /// The manifest, with this working copy in place of the address of the repository.
    static func manifest() throws -> String {
        let text = try example("manifest")
        let dependency = #/\.package\(url: "[^"]+", branch: "main"\)/#
        try #require(text.firstMatch(of: dependency) != nil)
        return text.replacing(dependency, with: #".package(path: "../traveline")"#)
    }
}
