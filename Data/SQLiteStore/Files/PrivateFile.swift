internal import CSQLite

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

enum PrivateFile {
    /// Throws if SQLite would not interpret `path` as the path of a file.
    static func check(_ path: String) throws {
        let advice: String? =
            switch path {
            case "": "the path is empty; for a database that is removed when it closes, use .temporary"
            case ":memory:": "':memory:' is not a path; for a database in memory, use .inMemory"
            case _ where path.hasPrefix("file:"):
                "'\(path)' is a URI; pass a path, or prepend './' for a file with this name"
            case _ where path.utf8.contains(0): "the path contains a NUL, where the system would stop reading"
            default: nil
            }
        if let advice { throw SQLiteError(.misuse, advice) }
    }

    /// Returns the path from the root, because the current directory can change before a connection opens the file.
    /// `fileSystem` is the name of SQLite's file system, which may have paths of its own.
    static func absolute(_ path: String, on fileSystem: String? = nil) throws -> String {
        if path.hasPrefix("/") { return path }
        if let fileSystem {
            // SQLite reports an unknown file system.
            guard let system = sqlite3_vfs_find(fileSystem) else { return path }
            let count = Int(system.pointee.mxPathname) + 1
            return withUnsafeTemporaryAllocation(of: CChar.self, capacity: count) { bytes in
                let code = system.pointee.xFullPathname(system, path, Int32(count), bytes.baseAddress)
                // Another code of success tells of a link.
                return code & 0xFF == SQLITE_OK ? String(cString: bytes.baseAddress!) : path
            }
        }
        guard let folder = getcwd(nil, 0) else {
            throw SQLiteError(
                .cannotOpen, "cannot find \(path) without the current directory: \(String(cString: strerror(errno)))")
        }
        defer { free(folder) }
        return String(cString: folder) + "/" + path
    }

    /// Creates an empty file with permissions for its owner only, and returns whether the file is new. SQLite gives the
    /// files next to it the same permissions.
    @discardableResult
    static func create(at path: String) -> Bool {
        // If the file cannot be created, SQLite reports why. An existing file is not opened, because closing it would
        // release the locks of this process on it.
        let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if file >= 0 { close(file) }
        return file >= 0
    }

    static func remove(at path: String) {
        unlink(path)
    }

    static func hasContent(at path: String) -> Bool {
        FileStatus(at: path).map { $0.size > 0 } ?? false
    }

    /// Returns whether both paths lead to the same file, or would lead to it if it existed.
    static func isSame(_ path: String, _ other: String) -> Bool {
        func parts(_ path: String) -> (folder: String, name: Substring) {
            guard let slash = path.lastIndex(of: "/") else { return (".", path[...]) }
            return (String(path[...slash]), path[path.index(after: slash)...])
        }
        if let id = FileStatus(at: path)?.id { return FileStatus(at: other)?.id == id }
        let (one, other) = (parts(path), parts(other))
        guard let folder = FileStatus(at: one.folder)?.id else { return false }
        return one.name == other.name && FileStatus(at: other.folder)?.id == folder
    }

    static func belongsToOther(_ path: String) -> Bool {
        var info = stat()
        return stat(path, &info) == 0 && info.st_uid != geteuid()
    }

    /// Returns the URI with which SQLite opens a file as immutable (https://www.sqlite.org/uri.html).
    static func immutableURI(of path: String) -> String {
        let escaped = path.unicodeScalars.map { scalar in
            "%?#".unicodeScalars.contains(scalar) ? "%" + String(scalar.value, radix: 16) : String(scalar)
        }
        return "file:" + escaped.joined() + "?immutable=1"
    }
}

/// A directory for the files of one database, removed with the last reference.
final class TemporaryDirectory: Sendable {
    let path: String

    init() throws {
        let parent = try PrivateFile.absolute(getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp")
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

struct FileStatus {
    struct ID: Hashable {
        let device: UInt64
        let number: UInt64
    }

    let id: ID
    let size: Int64
    /// In nanoseconds.
    let modified: Int64

    /// nil if there is no file at `path`.
    init?(at path: String) {
        var info = stat()
        // Without the copy that passing the string makes.
        guard path.withCString({ stat($0, &info) }) == 0 else { return nil }
        id = ID(device: UInt64(truncatingIfNeeded: info.st_dev), number: UInt64(info.st_ino))
        size = Int64(info.st_size)
        #if canImport(Darwin)
        let time = info.st_mtimespec
        #else
        let time = info.st_mtim
        #endif
        modified = Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }

    private init(id: ID, size: Int64) {
        (self.id, self.size, modified) = (id, size, 0)
    }

    /// The status of a log. Its time is not read where that would make the next write slower.
    static func ofLog(_ path: String) -> FileStatus? {
        var (device, number, size): (UInt64, UInt64, Int64) = (0, 0, 0)
        // Also fails on old kernels and in some sandboxes.
        guard path.withCString({ csqlite_status($0, &device, &number, &size) }) != 0 else {
            return FileStatus(at: path)
        }
        return FileStatus(id: ID(device: device, number: number), size: size)
    }
}
