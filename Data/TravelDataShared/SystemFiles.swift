#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif
package import TravelDomain

/// The file system operations of stores.
///
/// ``SystemFiles`` implements them with system calls. Tests use other implementations to inject faults at each step.
package protocol FileAccess: Sendable {
    /// Creates the folder at `path`, if it does not exist.
    func makeFolder(_ path: String) throws

    /// Creates an empty file at `path`, if no file exists there.
    func makeFile(_ path: String) throws

    /// Writes a new file. It is durable only after ``sync(_:)``.
    func write(_ bytes: Data, to path: String) throws

    /// Makes the content of a file, or the list of names in a folder, durable.
    func sync(_ path: String) throws

    /// Moves the file or folder to another path on the same volume, where nothing may exist yet.
    func move(_ path: String, to newPath: String) throws

    /// Reads the content of the file; `nil` when it does not exist.
    func read(_ path: String) throws -> Data?

    /// Removes the file or the empty folder, if it exists.
    func remove(_ path: String) throws

    /// Lists the names in the folder; `nil` when it does not exist.
    func names(in folder: String) throws -> [String]?

    /// Locks the folder, across processes, for the lifetime of the result; `nil` when the folder does not exist, or
    /// when an exclusive lock is not available.
    ///
    /// - Parameter isShared: Whether the lock is shared or exclusive. A request for a shared lock waits while the
    ///   folder is locked exclusively; a request for an exclusive lock does not wait.
    func lock(_ folder: String, isShared: Bool) throws -> FolderLock?
}

extension FileAccess {
    /// Makes durable whether a file or folder exists at `path`, by syncing the enclosing folder.
    package func syncName(of path: String) throws {
        try sync(Self.folder(of: path))
    }

    package static func folder(of path: String) -> String {
        URL(filePath: path).deletingLastPathComponent().path
    }
}

/// A lock that is released with its last reference, or when the process ends.
package final class FolderLock: Sendable {
    private let release: @Sendable () -> Void

    package init(release: @escaping @Sendable () -> Void) { self.release = release }

    deinit { release() }
}

package struct SystemFiles: FileAccess {
    private let subject: String

    /// Creates operations on files that are, in errors, those of `subject`.
    package init(of subject: String = "the images of the travel database") { self.subject = subject }

    /// Returns the path from the root: a relative one begins in the current directory of now.
    package func absolute(_ path: String) throws -> String {
        if path.hasPrefix("/") { return path }
        guard let folder = getcwd(nil, 0) else { throw failure() }
        defer { free(folder) }
        return String(cString: folder) + "/" + path
    }

    package func makeFolder(_ path: String) throws {
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw failure() }
    }

    package func makeFile(_ path: String) throws {
        close(try opened(path, O_WRONLY | O_CREAT))
    }

    package func write(_ bytes: Data, to path: String) throws {
        let file = try opened(path, O_WRONLY | O_CREAT | O_EXCL)
        defer { close(file) }
        try bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = systemWrite(file, UnsafeRawBufferPointer(rebasing: rest))
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { throw failure() }
                rest = rest.dropFirst(count)
            }
        }
    }

    package func sync(_ path: String) throws {
        let file = try opened(path, O_RDONLY)
        defer { close(file) }
        #if canImport(Darwin)
        // fsync does not flush the drive's cache on Darwin; not every file system supports F_FULLFSYNC.
        if fcntl(file, F_FULLFSYNC) == 0 { return }
        #endif
        guard fsync(file) == 0 else { throw failure() }
    }

    package func read(_ path: String) throws -> Data? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            guard errno == ENOENT else { throw failure() }
            return nil
        }
        defer { close(file) }
        var information = stat()
        guard fstat(file, &information) == 0 else { throw failure() }
        var bytes = Data(count: Int(information.st_size))
        var size = 0
        try bytes.withUnsafeMutableBytes { bytes in
            while size < bytes.count {
                let count = systemRead(file, UnsafeMutableRawBufferPointer(rebasing: bytes[size...]))
                if count < 0 && errno == EINTR { continue }
                guard count >= 0 else { throw failure() }
                if count == 0 { return }
                size += count
            }
        }
        return bytes.prefix(size)
    }

    package func move(_ path: String, to newPath: String) throws {
        if link(path, newPath) == 0 { return try remove(path) }
        guard errno != EEXIST else { throw failure() }
        // Folders have no hard links, nor do files on some volumes. rename does not replace a non-empty folder.
        guard access(newPath, F_OK) != 0 else { throw failure(EEXIST) }
        guard rename(path, newPath) == 0 else { throw failure() }
    }

    /// Writes the file of that name durably, in place of the one there: after a crash, it has the bytes of one of them.
    ///
    /// The bytes are first written to the file `draft` of the folder. Therefore only one caller at a time may do this.
    package func replace(_ name: String, in folder: String, with bytes: Data) throws {
        let draft = try makeDraft(in: folder, bytes)
        guard rename(draft, "\(folder)/\(name)") == 0 else { throw failure() }
        try sync(folder)
    }

    /// Throws unless a file of that size can be written now, as ``replace(_:in:with:)`` does.
    package func requireRoom(for count: Int, in folder: String) throws {
        try remove(makeDraft(in: folder, Data(count: count)))
    }

    private func makeDraft(in folder: String, _ bytes: Data) throws -> String {
        let draft = folder + "/draft"
        // An earlier process may have left one.
        try remove(draft)
        try write(bytes, to: draft)
        try sync(draft)
        return draft
    }

    package func remove(_ path: String) throws {
        // remove(3) removes a file or an empty folder.
        guard systemRemove(path) == 0 || errno == ENOENT else { throw failure() }
    }

    package func names(in folder: String) throws -> [String]? {
        guard let directory = opendir(folder) else {
            guard errno == ENOENT else { throw failure() }
            return nil
        }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names
    }

    package func lock(_ folder: String, isShared: Bool) throws -> FolderLock? {
        let directory = open(folder, O_RDONLY | O_CLOEXEC)
        guard directory >= 0 else {
            guard errno == ENOENT else { throw failure() }
            return nil
        }
        // The file descriptor owns the lock and is closed with it. A process that is being started has a copy of it until
        // it executes its program; closing alone would leave the lock to that copy.
        let lock = FolderLock {
            flock(directory, LOCK_UN)
            close(directory)
        }
        while flock(directory, isShared ? LOCK_SH : LOCK_EX | LOCK_NB) != 0 {
            switch errno {
            case EINTR: continue
            case EWOULDBLOCK: return nil
            default: throw failure()
            }
        }
        return lock
    }

    private func opened(_ path: String, _ flags: Int32) throws -> Int32 {
        let file = open(path, flags | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure() }
        return file
    }

    private func failure(_ code: Int32 = errno) -> TravelError {
        let isFull = code == ENOSPC || code == EDQUOT
        return .unavailable(
            isFull
                ? .init("The disk is full: free space on it.", cause: .diskFull, canRetry: true)
                : .init(
                    "Accessing \(subject) failed: \(String(cString: strerror(code))).",
                    cause: .inaccessible, canRetry: false))
    }
}

// Global functions, because methods of the same names would shadow the C functions.
private func systemWrite(_ file: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(file, bytes.baseAddress, bytes.count)
}

private func systemRead(_ file: Int32, _ bytes: UnsafeMutableRawBufferPointer) -> Int {
    read(file, bytes.baseAddress, bytes.count)
}

private func systemRemove(_ path: String) -> Int32 { remove(path) }
