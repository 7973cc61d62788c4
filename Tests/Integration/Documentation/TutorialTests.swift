import Foundation
import TestConcurrency
import Testing

/// The tutorial builds the example `Notes`: at its last step each file is one of the example.
@Suite("The tutorial", .limitedConcurrency)
struct TutorialTests {
    private static let folder = Repository.root.appendingPathComponent("Tests/Examples/Tutorial.docc")
    private static let example = Repository.root.appendingPathComponent("Tests/Examples/Notes")

    /// What each step shows: the name of a file, and the resource with its contents.
    private static func steps() throws -> [(name: String, resource: URL)] {
        let tutorial = try String(
            contentsOf: folder.appendingPathComponent("FromEntityToScreen.tutorial"), encoding: .utf8)
        return tutorial.matches(of: #/@Code\(name: "([^"]+)", file: "([^"]+)"\)/#).map {
            (String($0.1), folder.appendingPathComponent("Resources/\($0.2)"))
        }
    }

    @Test("the last step of each file shows the file of the example, and every file of the example is shown")
    func endsAsTheExample() throws {
        let last = Dictionary(try Self.steps().map { ($0.name, $0.resource) }, uniquingKeysWith: { $1 })
        let sources = try #require(FileManager.default.enumerator(at: Self.example, includingPropertiesForKeys: nil))
            .compactMap { $0 as? URL }
            .filter { $0.pathExtension == "swift" && !$0.path.contains("/.build/") }
        #expect(Set(sources.map(\.lastPathComponent)) == Set(last.keys))
        for source in sources {
            let resource = try #require(last[source.lastPathComponent])
            #expect(resource.resolvingSymlinksInPath() == source.resolvingSymlinksInPath())
        }
    }

    @Test(
        "what earlier steps show is used by a step, and compiles with the files that were shown before",
        .compilesExamples)
    func earlierStepsCompile() throws {
        var shown: [String: URL] = [:]
        var partial: Set<String> = []
        for (name, resource) in try Self.steps() {
            shown[name] = resource
            // The last step of a file is compiled with the example.
            guard resource.lastPathComponent != name else { continue }
            partial.insert(resource.lastPathComponent)
            let result = try check(shown.filter { $0.key != "Package.swift" })
            #expect(result.status == 0, "\(resource.lastPathComponent): \(result.error)")
        }
        let resources = try FileManager.default.contentsOfDirectory(
            atPath: Self.folder.appendingPathComponent("Resources").path)
        #expect(partial == Set(resources.filter { $0.contains("-") }))
    }

    /// Type-checks files of several targets as one module.
    private func check(_ files: [String: URL]) throws -> Shell.Result {
        let folder = try Shell.temporaryFolder()
        defer { Shell.remove(folder) }
        for (name, resource) in files {
            let code = try String(contentsOf: resource, encoding: .utf8).replacing(#/import Notes\w+\n/#, with: "")
            try code.write(to: folder.appendingPathComponent(name), atomically: true, encoding: .utf8)
        }
        let plugins = "\(try SmallProgram.toolchainLibraries())/host/plugins/testing"
        return try Shell.run(
            // As a whole: otherwise each file has a compiler of its own, which reads all files.
            ["swiftc", "-typecheck", "-wmo", "-swift-version", "6", "-module-name", "Notes", "-package-name", "notes"]
                + ["-warnings-as-errors", "-plugin-path", plugins] + SmallProgram.importOptions
                + files.keys.map { folder.appendingPathComponent($0).path })
    }
}
