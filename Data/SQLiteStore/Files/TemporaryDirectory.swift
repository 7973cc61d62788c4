#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// A directory of its own for one database, removed with the last reference.
final class TemporaryDirectory: Sendable {
    let path: String

    init() throws {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/database-XXXXXX".utf8CString)
        guard let path = mkdtemp(&template) else {
            throw SQLiteError(
                .cannotOpen, "no directory could be made in \(parent): \(String(cString: strerror(errno)))")
        }
        self.path = String(cString: path)
    }

    deinit {
        // SQLite names every file of a database after it. What is not there needs no removing.
        for suffix in ["", "-wal", "-shm", "-journal"] { unlink("\(path)/database\(suffix)") }
        rmdir(path)
    }
}
