#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// A directory for the files of one database, removed with the last reference.
final class TemporaryDirectory: Sendable {
    let path: String

    init() throws {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/database-XXXXXX".utf8CString)
        guard let path = mkdtemp(&template) else {
            throw SQLiteError(
                .cannotOpen, "cannot create a directory in \(parent): \(String(cString: strerror(errno)))")
        }
        self.path = String(cString: path)
    }

    deinit {
        // The names of all files of a database begin with its name. Missing files are ignored.
        for suffix in ["", "-wal", "-shm", "-journal"] { unlink("\(path)/database\(suffix)") }
        rmdir(path)
    }
}
