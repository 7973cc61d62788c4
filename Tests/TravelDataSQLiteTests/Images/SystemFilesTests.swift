import Foundation
import SQLiteStoreTesting
import TestConcurrency
import Testing
import TravelDataShared
import TravelDomain

@testable import TravelDataSQLite

@Suite("The system's files", .limitedConcurrency)
struct SystemFilesTests {
    let files = SystemFiles()

    @Test("reading returns the bytes that were written", arguments: [0, 1, 4_096, 300_000])
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

    @Test("writing does not overwrite an existing file")
    func noOverwriting() async throws {
        try await withTemporaryFolder { folder in
            try files.write(Data("first".utf8), to: folder + "/file")
            #expect(throws: TravelError.self) { try files.write(Data("second".utf8), to: folder + "/file") }
            #expect(try files.read(folder + "/file") == Data("first".utf8))
        }
    }

    @Test("creating a file does not change an existing one")
    func emptyFiles() async throws {
        try await withTemporaryFolder { folder in
            for _ in 0..<2 { try files.makeFile(folder + "/empty") }
            #expect(try files.read(folder + "/empty") == Data())
            try files.write(Data("full".utf8), to: folder + "/full")
            try files.makeFile(folder + "/full")
            #expect(try files.read(folder + "/full") == Data("full".utf8))
        }
    }

    @Test("moving a file or folder does not replace anything")
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

    @Test("reading a missing file returns nil, and removing it has no effect")
    func missing() async throws {
        try await withTemporaryFolder { folder in
            #expect(try files.read(folder + "/file") == nil)
            #expect(try files.names(in: folder + "/folder") == nil)
            try files.remove(folder + "/file")
            #expect(throws: TravelError.self) { try files.sync(folder + "/file") }
        }
    }

    @Test("creating a folder twice has no effect, and only an empty folder is removed")
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
        "the enclosing folder of a path is correct, also at the root",
        arguments: [("/a/b/c.db", "/a/b"), ("/c.db", "/"), ("/사진/여 행.db", "/사진"), ("/a/b.db-images", "/a")])
    func folders(path: String, folder: String) {
        #expect(SystemFiles.folder(of: path) == folder)
    }

    @Test("the enclosing folder of a bare name is the current one")
    func presentFolder() {
        #expect(SystemFiles.folder(of: "c.db") == FileManager.default.currentDirectoryPath)
    }

    @Test("an error has the message of the system without a path")
    func errors() {
        #expect(
            throws: TravelError.unavailable(
                .init(
                    "Accessing the images of the travel database failed: No such file or directory.",
                    cause: .inaccessible, canRetry: false)
            )
        ) {
            try files.write(Data(), to: "/no/such/folder/file")
        }
    }
}
