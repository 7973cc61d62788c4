#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import SQLiteStore

/// The group `sqlite`: compares SQLiteStore with the C API, on the same file with the same pragmas.
///
/// The column `SQLiteStore` uses the default configuration, except that commits do not wait for the disk, which would
/// hide all other costs. `SQLiteStore, inline` runs accesses on the caller's executor.
enum SQLiteBenchmarks {
    static func run(_ report: inout Report) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "benchmark-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let world = try await World(path: folder.appending(path: "database").path())
        try await fetchOrders(&report, world)
        try await fetchByKey(&report, world)
        try await ownReads(&report, world)
        try await insertBatch(&report, world)
        try await records(&report, world)
        try await singles(&report, world)
        try await readers(&report, world)
        try await mixed(&report, world)
        try await longAmongShort(&report, world)
        try await observeLatency(&report, world)
        try await indexTexts(world)
        try await searchRare(&report, world)
        try await fullTextPages(&report, world)
        try await blob(&report, world)
        try await openMigrated(&report, folder.appending(path: "migrated").path())
        await world.inline.close()
        await world.standard.close()
        try FileManager.default.removeItem(at: folder)
    }

    /// One file, opened in every compared way.
    struct World {
        let standard: Database
        let inline: Database
        let c: CConnection
        let third: CConnection
        let path: String

        init(path: String) async throws {
            let configuration = Database.Configuration().with { $0.synchronous = .normal }
            let migrations = [
                Migration("orders", script: Order.schema),
                Migration("notes", script: Note.schema),
                Migration("rows", revision: "1", Order.insertAll),
            ]
            standard = try await Database.open(.file(path), configuration: configuration, migrations: migrations)
            inline = try await Database.open(
                .file(path), configuration: configuration.with { $0.execution = .inline }, migrations: migrations)
            c = CConnection(path: path)
            third = CConnection(path: path)
            self.path = path
        }
    }
}
