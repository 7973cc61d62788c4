import Foundation
import TestTurns
import Testing
import TravelDataSQLite
import TravelDomain

@testable import traveline

@Suite("What the device keeps for itself", .takesTurns)
struct DeviceStateTests {
    /// Calls `body` with an empty folder.
    private func withFolder(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("device-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { Shell.remove(folder) }
        try await body(folder.path)
    }

    @Test("each place has a session of its own, which survives a restart")
    func places() async throws {
        try await withFolder { folder in
            let (first, second) = (User.ID(), User.ID())
            let device = try await DeviceDatabase.open(path: folder + "/device.sqlite")
            let home = try await device.session(in: "own").session
            try await home.updateSession { $0 = Session(user: first) }
            let server = try await device.session(in: "server").session
            #expect(try await server.session() == nil)
            try await server.updateSession { $0 = Session(user: second) }
            await device.close()

            let reopened = try await DeviceDatabase.open(path: folder + "/device.sqlite")
            #expect(try await reopened.session(in: "own").session.session()?.user == first)
            #expect(try await reopened.session(in: "server").session.session()?.user == second)
            #expect(try await reopened.session(in: "copy", or: "server").session.session()?.user == second)
            #expect(try await reopened.session(in: "copy", or: "own").session.session()?.user == second)
            await reopened.close()
        }
    }

    @Test("another SQLite file in the place of the device file is refused and stays unchanged")
    func otherFile() async throws {
        try await withFolder { folder in
            await (try TravelDatabase.open(path: folder + "/device.sqlite")).close()
            let before = try Data(contentsOf: URL(fileURLWithPath: folder + "/device.sqlite"))
            await #expect(throws: TravelError.self) { try await DeviceDatabase.open(path: folder + "/device.sqlite") }
            #expect(try Data(contentsOf: URL(fileURLWithPath: folder + "/device.sqlite")) == before)
        }
    }

    @Test("an account that is gone with its database does not stay signed in", .enabled(if: Program.isBuilt))
    func replacedDatabase() throws {
        let command = """
            $traveline me sign-in 민지 --database db 2> note && rm -r db* && $traveline me --database db 2> note
            """
        try Program.run(command) { result, _ in
            #expect(result.status == 0)
            #expect(result.output.hasPrefix("signed in as 민지\n나그네\n"))
        }
    }

    @Test("without a data directory, a named file stores the session", .enabled(if: Program.isBuilt))
    func withoutDataDirectory() throws {
        let command = """
            unset XDG_DATA_HOME HOME && $traveline me sign-in 민지 --database db 2> note && $traveline me --database db
            """
        try Program.run(command) { result, folder in
            #expect(result.status == 0)
            #expect(result.output.hasPrefix("signed in as 민지\n민지\n"))
            #expect(!FileManager.default.fileExists(atPath: folder + "/data"))
        }
    }

    @Test("a database that moves within the data directory keeps its session", .enabled(if: Program.isBuilt))
    func movedDataDirectory() throws {
        let command = """
            $traveline me sign-in 민지 && mv data moved && export XDG_DATA_HOME=$PWD/moved && $traveline me
            """
        try Program.run(command) { result, _ in
            #expect(result.output.hasPrefix("signed in as 민지\n민지\n"))
        }
    }
}
