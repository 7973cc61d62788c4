import Foundation
import TestTurns
import Testing
import TravelDataSQLite

@testable import traveline

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

@Suite("The executable", .takesTurns)
struct ProgramTests {
    private static let isBuilt = Program.isBuilt

    private func run<Value>(
        _ command: String, _ check: (_ result: Shell.Result, _ folder: String) throws -> Value
    ) throws -> Value {
        try Program.run(command, check)
    }

    @Test(
        "a failure to write output exits with 74 and prints one line with the reason",
        .enabled(if: isBuilt && FileManager.default.fileExists(atPath: "/dev/full")),
        arguments: [
            "--version > /dev/full", "help > /dev/full", "--version >&-", "search >&-",
            "search --database db > /dev/full",
        ])
    func unwritableOutput(arguments: String) throws {
        try run("$traveline \(arguments)") { result, _ in
            #expect(result.status == 74)
            let lines = result.error.split(separator: "\n")
            #expect(lines.last?.hasPrefix("traveline: standard output cannot be written: ") == true)
            #expect(lines.count == (arguments.contains("db") ? 2 : 1))
        }
    }

    @Test(
        "a missing database is created with a note, and closing it leaves a single file",
        .enabled(if: isBuilt))
    func newDatabase() throws {
        try run("$traveline search --database db --limit 1 && $traveline search --database db --limit 1 2> second") {
            result, folder in
            #expect(result.status == 0)
            #expect(
                result.error == """
                    traveline: db: there was no such file; a new database with sample trips was created (to remove them: delete --samples)
                    traveline: 1 of 79 trips; for more: --after 0326c600

                    """)
            let files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
            #expect(files == ["data", "db", "second"])
            let second = try String(contentsOf: URL(fileURLWithPath: folder + "/second"), encoding: .utf8)
            #expect(second == "traveline: 1 of 79 trips; for more: --after 0326c600\n")
        }
    }

    @Test(
        "a database in a missing folder, or a file that is not a database, is an error that names the path",
        .enabled(if: isBuilt))
    func wrongPaths() throws {
        try run("$traveline search --database tpyo/db") { result, folder in
            #expect(result.status == ExitCode.usage.rawValue)
            #expect(result.error.hasPrefix("traveline: tpyo/db: there is no directory "))
            let files = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(files == [])
        }
        try run("echo 'this is a letter, and no database at all' > letter && $traveline search --database letter") {
            result, _ in
            #expect(result.status != 0)
            #expect(result.error.hasPrefix("traveline: letter: "))
        }
        try run("$traveline search --database :memory:") { result, folder in
            #expect(result.status == ExitCode.usage.rawValue)
            let files = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(files == [])
        }
    }

    @Test("only the owner can access the data directory and the database", .enabled(if: isBuilt))
    func permissions() throws {
        try run("umask 022; $traveline search --limit 1") { result, folder in
            #expect(result.status == 0)
            for (path, mode) in [("data/traveline", 0o700), ("data/traveline/travels.sqlite", 0o600)] {
                let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(path)")
                #expect(attributes[.posixPermissions] as? Int == mode, "\(path)")
            }
        }
    }

    @Test("another process removes a draft only after its lock is released")
    func drafts() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("drafts-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { Shell.remove(URL(fileURLWithPath: folder)) }
        for name in [
            "db.1.draft", "db.1.draft-wal", "db.1.draft-lock", "db.2.draft", "db.2.draft-lock", "db.3.draft-lock",
        ] {
            try Data("x".utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
        }
        let lock = open(folder + "/db.2.draft-lock", O_RDWR)
        #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
        DatabaseDraft(of: folder + "/db").removeAbandoned()
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["db.2.draft", "db.2.draft-lock"])
        close(lock)
        DatabaseDraft(of: folder + "/db").removeAbandoned()
        let files = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(files == [])
    }
}
