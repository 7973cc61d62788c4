#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// Paths of files, before SQLite opens them.
enum PrivateFile {
    /// Throws if SQLite would understand something other than a file by the path.
    static func check(_ path: String) throws {
        let advice: String? =
            switch path {
            case "": "the path is empty; for a database that is removed when it closes use .temporary"
            case ":memory:": "':memory:' is no path; for a database in memory use .inMemory"
            case _ where path.hasPrefix("file:"):
                "'\(path)' is a URI; give the path alone, or begin it with './' for a file of this name"
            case _ where path.utf8.contains(0): "there is a NUL in the path, where the system would stop reading"
            default: nil
            }
        if let advice { throw SQLiteError(.misuse, advice) }
    }

    /// Makes an empty file that only its owner may read, and returns whether there was none before. SQLite gives the files
    /// beside it the same permissions.
    @discardableResult
    static func create(at path: String) -> Bool {
        // Where it cannot be made, SQLite says why. One that was there is not opened, because closing it would drop the
        // locks that this process holds on it.
        let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if file >= 0 { close(file) }
        return file >= 0
    }

    /// Removes a file that has been made in vain.
    static func remove(at path: String) {
        unlink(path)
    }

    /// Whether there is a file of more than nothing.
    static func hasContent(at path: String) -> Bool {
        var info = stat()
        return stat(path, &info) == 0 && info.st_size > 0
    }

    /// The name under which SQLite opens a file as one that nobody changes (https://www.sqlite.org/uri.html).
    static func immutableURI(of path: String) -> String {
        let hexadecimal = Array("0123456789ABCDEF".utf8)
        var uri = Array("file:".utf8)
        for byte in path.utf8 {
            switch byte {
            case UInt8(ascii: "%"), UInt8(ascii: "?"), UInt8(ascii: "#"):
                uri += [UInt8(ascii: "%"), hexadecimal[Int(byte >> 4)], hexadecimal[Int(byte & 15)]]
            default: uri.append(byte)
            }
        }
        return String(decoding: uri, as: UTF8.self) + "?immutable=1"
    }
}
