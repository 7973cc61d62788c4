import Foundation
import SQLiteStoreTesting
import TestTurns
import Testing
import TravelDomain

@testable import TravelDataSQLite

@Suite("The system's files", .takesTurns)
struct SystemFilesTests {
    let files = SystemFiles()

    @Test("what was written is read back", arguments: [0, 1, 4_096, 300_000])
    func roundTrip(size: Int) async throws {
        try await withTemporaryFolder { folder in
            let bytes = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            try files.write(bytes, to: folder + "/file")
            try files.sync(folder + "/file")
            try files.sync(folder)
            #expect(try files.read(folder + "/file") == bytes)
            #expect(try files.names(in: folder) == ["file"])
        }
    }

    @Test("a file that is there is not written over")
    func noOverwriting() async throws {
        try await withTemporaryFolder { folder in
            try files.write(Data("first".utf8), to: folder + "/file")
            #expect(throws: TravelError.self) { try files.write(Data("second".utf8), to: folder + "/file") }
            #expect(try files.read(folder + "/file") == Data("first".utf8))
        }
    }

    @Test("an empty file is made where there is none, and a file that is there stays as it is")
    func emptyFiles() async throws {
        try await withTemporaryFolder { folder in
            for _ in 0..<2 { try files.makeFile(folder + "/empty") }
            #expect(try files.read(folder + "/empty") == Data())
            try files.write(Data("full".utf8), to: folder + "/full")
            try files.makeFile(folder + "/full")
            #expect(try files.read(folder + "/full") == Data("full".utf8))
        }
    }

    @Test("a file or a folder is moved to where there is nothing, and nowhere else")
    func moving() async throws {
        try await withTemporaryFolder { folder in
            try files.write(Data("a".utf8), to: folder + "/file")
            try files.makeFolder(folder + "/folder")
            try files.write(Data("b".utf8), to: folder + "/folder/inner")
            for taken in ["/file", "/folder"] {
                #expect(throws: TravelError.self) { try files.move(folder + "/file", to: folder + taken) }
                #expect(throws: TravelError.self) { try files.move(folder + "/folder", to: folder + taken) }
            }
            try files.move(folder + "/file", to: folder + "/file 2")
            try files.move(folder + "/folder", to: folder + "/folder 2")
            #expect(Set(try #require(try files.names(in: folder))) == ["file 2", "folder 2"])
            #expect(try files.read(folder + "/file 2") == Data("a".utf8))
            #expect(try files.read(folder + "/folder 2/inner") == Data("b".utf8))
        }
    }

    @Test("what is not there is nothing to read, and nothing to remove")
    func missing() async throws {
        try await withTemporaryFolder { folder in
            #expect(try files.read(folder + "/file") == nil)
            #expect(try files.names(in: folder + "/folder") == nil)
            try files.remove(folder + "/file")
            #expect(throws: TravelError.self) { try files.sync(folder + "/file") }
        }
    }

    @Test("a folder is made once, and removed when it is empty")
    func folders() async throws {
        try await withTemporaryFolder { folder in
            let inner = folder + "/inner"
            try files.makeFolder(inner)
            try files.makeFolder(inner)
            try files.write(Data(), to: inner + "/file")
            #expect(throws: TravelError.self) { try files.remove(inner) }
            try files.remove(inner + "/file")
            try files.remove(inner)
            #expect(try files.names(in: folder) == [])
        }
    }

    @Test(
        "the folder of a path is told, that of what lies at the root too",
        arguments: [("/a/b/c.db", "/a/b"), ("/c.db", "/"), ("/사진/여 행.db", "/사진"), ("/a/b.db-images", "/a")])
    func folders(path: String, folder: String) {
        #expect(SystemFiles.folder(of: path) == folder)
    }

    @Test("the folder of a name alone is the present one")
    func presentFolder() {
        #expect(SystemFiles.folder(of: "c.db") == FileManager.default.currentDirectoryPath)
    }

    @Test("an error says what the system says, and not where")
    func errors() {
        #expect(
            throws: TravelError.unavailable(
                .init("The images of the travel database failed: No such file or directory.", canRetry: false))
        ) {
            try files.write(Data(), to: "/no/such/folder/file")
        }
    }
}
