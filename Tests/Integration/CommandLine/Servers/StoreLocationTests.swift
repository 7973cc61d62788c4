import Foundation
import Testing
import TestConcurrency
import TravelDataSQLite
import TravelDomain
@testable import traveline
import TravelPresentation

@Suite("The place of a database on the command line")
struct StoreLocationTests {
    @Test(
        "a password in the address of a server is never shown",
        arguments: [
            ("postgresql://mina:s3cret@db.example.org/travel", "postgresql://mina@db.example.org/travel"),
            ("postgres://mina:s3cret@db:5433/travel?sslmode=require", "postgresql://mina@db:5433/travel"),
            ("postgresql://db/travel?user=mina&password=s3cret", "postgresql://db/travel"),
            ("postgresql://db/travel?password=s3@cret", "postgresql://db/travel"),
            ("postgresql://mina:s3@cret@db/travel", "postgresql://…"),
            ("postgresql://mina:s3/cret@db/travel", "postgresql://…"),
            ("postgresql://mina:s3cret", "postgresql://…"),
            ("postgresql://a:1,b:2/travel", "postgresql://a:1,b:2/travel"),
            ("postgresql://[::1]:5432/travel", "postgresql://[::1]:5432/travel"),
            ("postgresql:///travel?service=trips", "postgresql:///travel?service=trips"),
            ("postgresql://", "postgresql://"),
        ])
    func passwords(text: String, shown: String) throws {
        let address = try #require(DatabaseAddress(text))
        #expect("\(address)" == shown)
        #expect("\(StoreLocation.server(address))" == shown)
        var dumped = ""
        dump(address, to: &dumped)
        for text in ["\(address)", dumped, String(reflecting: StoreLocation.server(address)), address.place(in: [:])] {
            #expect(!text.contains("s3") && !text.contains("cret"))
        }
    }

    @Test("a server is the same place for each of its users, and another one for another database or environment")
    func places() throws {
        func place(_ text: String, _ environment: [String: String] = [:]) throws -> String {
            try #require(StoreLocation(text)).place(in: environment)
        }
        #expect(try place("postgresql://mina@db/travel") == place("postgres://root:x@db/travel"))
        #expect(try place("postgresql://db/travel") != place("postgresql://db/other"))
        #expect(try place("postgresql:///travel", ["PGHOST": "a"]) != place("postgresql:///travel", ["PGHOST": "b"]))
    }

    @Test("the database in the data directory is the same place wherever that directory is, and by whatever path")
    func ownPlace() throws {
        let environment = ["XDG_DATA_HOME": "/tmp/data"]
        let path = try DataDirectory.databasePath(in: environment)
        #expect(StoreLocation.file(path).isOwn(in: environment))
        #expect(StoreLocation.file("/tmp/x/../data/traveline/trips.sqlite").isOwn(in: environment))
        #expect(!StoreLocation.file(path).isOwn(in: ["XDG_DATA_HOME": "/tmp/other"]))
    }

    @Test("the environment names a database for all commands, and the command line another one")
    func environment() throws {
        let environment = ["TRAVELINE_DATABASE": "postgresql://db/travel", "HOME": "/home/mina"]
        var options = StoreOptions()
        #expect(try "\(options.location(in: environment).location)" == "postgresql://db/travel")
        #expect(try options.location(in: ["HOME": "/home/mina"]).isNamed == false)
        options.database = .file("x.sqlite")
        #expect(try options.location(in: environment).location == .file("x.sqlite"))
        let error = try #require(throws: UsageError.self) {
            try StoreOptions().location(in: ["TRAVELINE_DATABASE": "mysql://mina:s3cret@db"])
        }
        #expect(error.description.hasPrefix("TRAVELINE_DATABASE needs") && !error.description.contains("s3cret"))
    }

    @Test(
        "a command that acts for one user refuses a PostgreSQL database, whose URL gives access to every account",
        .enabled(if: Program.isBuilt), arguments: ["search", "me", "like 0326c600", "export 0326c600"])
    func withoutOwner(command: String) throws {
        try Program.run("$traveline \(command) --database 'postgresql://mina:s3cret@127.0.0.1:1/travel'") { result, _ in
            #expect(result.status == ExitCode.noPermission.rawValue)
            #expect(result.error.contains("traveline serve") && result.error.contains("--owner"))
            #expect(!result.error.contains("s3cret"))
        }
    }

    #if !PostgreSQL
    @Test(
        "a program without PostgreSQL refuses a server and says how it is built with it",
        .enabled(if: Program.isBuilt),
        arguments: ["search --owner", "doctor", "seed --count 1", "copy --to", "me --owner"])
    func withoutTheTrait(command: String) throws {
        let option = command.hasSuffix("--to") ? "" : "--database"
        let address = "postgresql://mina:s3cret@127.0.0.1:1/travel"
        try Program.run("$traveline seed --count 1 > list && $traveline \(command) \(option) '\(address)'") {
            result, _ in
            #expect(result.status == ExitCode.unavailable.rawValue)
            #expect(result.error.contains("swift build --traits PostgreSQL"))
            #expect(!result.error.contains("s3cret"))
        }
    }
    #endif
}

@Suite("What the device keeps for itself", .limitedConcurrency)
struct DeviceStateTests {
    /// Calls `body` with an empty folder.
    private func withFolder(_ body: (String) async throws -> Void) async throws {
        let folder = try Shell.temporaryFolder()
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

    @Test("a device file that cannot be opened is an error, not a sign-out", .enabled(if: Program.isBuilt))
    func inaccessibleDeviceFile() throws {
        let command = """
            $traveline me sign-in 민지 && rm data/traveline/device.sqlite && mkdir data/traveline/device.sqlite
            $traveline me
            """
        try Program.run(command) { result, _ in
            #expect(result.status == ExitCode.unavailable.rawValue)
            #expect(result.output == "signed in as 민지\n")
            #expect(result.error.contains("data/traveline/device.sqlite: "))
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
