import Foundation
import Synchronization
import TravelDataSQLite

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A new database, made beside its place and moved there when it is whole: a run that is interrupted leaves nothing
/// behind that a later one would take for a database.
final class DraftDatabase: Sendable {
    let path: String
    private let draft: String
    private let state = Mutex(State.none)

    private enum State {
        case none, open, abandoned, published
    }

    /// A draft of the database that is to be at `path`.
    init(path: String) {
        self.path = path
        draft = "\(path).\(getpid()).new"
    }

    /// Makes a database, lets `fill` fill it, and gives it its name; false if another process was first.
    func create(_ fill: (TravelDatabase) async throws -> Void) async throws -> Bool {
        let directory = URL(fileURLWithPath: path).deletingLastPathComponent().path
        do {
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        } catch {
            throw FileError(path: directory, reason: "the directory cannot be made.", code: .unavailable)
        }
        removeAbandonedDrafts()
        defer { remove(draft) }
        let database = try await TravelDatabase.open(path: draft)
        state.withLock { $0 = .open }
        do {
            try await fill(database)
        } catch {
            await database.close()
            throw error
        }
        await database.close()
        return try publish()
    }

    /// Removes the draft while it is being filled, as a process does that ends now; false if there is none, because it is
    /// not made yet or is whole.
    func abandon() -> Bool {
        state.withLock { state in
            if state == .open {
                remove(draft)
                state = .abandoned
            }
            return state == .abandoned
        }
    }

    private func publish() throws -> Bool {
        try state.withLock { state in
            if state == .abandoned { throw CancellationError() }
            state = .published
            if link(draft, path) == 0 { return true }
            if errno == EEXIST { return false }
            // Some file systems have no hard links.
            guard rename(draft, path) == 0 else {
                throw FileError(path: path, reason: String(cString: strerror(errno)), code: .unavailable)
            }
            return true
        }
    }

    private func remove(_ draft: String) {
        for suffix in ["", "-wal", "-shm"] { unlink(draft + suffix) }
    }

    /// Removes what processes have left that were killed meanwhile.
    func removeAbandonedDrafts() {
        let place = URL(fileURLWithPath: path)
        let (name, directory) = (place.lastPathComponent, place.deletingLastPathComponent().path)
        // A directory that cannot be listed holds nothing that could be removed.
        for file in (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? [] {
            guard file.hasPrefix(name + "."), file.hasSuffix(".new"),
                let process = pid_t(file.dropFirst(name.count + 1).dropLast(4)), kill(process, 0) != 0, errno == ESRCH
            else { continue }
            remove("\(directory)/\(file)")
        }
    }
}
