import Foundation
import TravelDataInMemory
import TravelDataSQLite
import TravelDomain

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A database of sample trips, for the first run.
///
/// It is made beside its place and moved there when it is whole: a run that is interrupted leaves nothing behind
/// that a later one would take for a database, and of two first runs at once one wins and the other uses its work.
struct SampleDatabase {
    let path: String

    func create() async throws {
        let directory = URL(fileURLWithPath: path).deletingLastPathComponent().path
        do {
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        } catch {
            throw FileError(path: directory, reason: "the directory cannot be made.", code: .unavailable)
        }
        let draft = "\(path).\(UUID().uuidString.prefix(8)).new"
        defer { removeDraft(draft) }

        let database = try await TravelDatabase.open(path: draft)
        let travels = database.travels
        try await travels.add(SampleTrips.all.map(\.travel))
        for trip in SampleTrips.all {
            for user in trip.likedBy { try await travels.setLiked(true, travel: trip.travel.id, by: user) }
        }
        await database.close()
        try publish(draft)
    }

    /// Gives the draft its name, unless another process was first.
    private func publish(_ draft: String) throws {
        if link(draft, path) == 0 || errno == EEXIST { return }
        // Some file systems have no hard links.
        guard rename(draft, path) == 0 else {
            throw FileError(path: path, reason: String(cString: strerror(errno)), code: .unavailable)
        }
    }

    private func removeDraft(_ draft: String) {
        for suffix in ["", "-wal", "-shm"] { unlink(draft + suffix) }
    }
}
