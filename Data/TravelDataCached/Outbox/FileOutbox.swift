#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif
internal import TravelDomain

/// An outbox in a folder, one file for each item.
///
/// An item is written under a temporary name, synced and renamed: once the call has returned, it survives the end of
/// the process and a loss of power. The outbox locks the folder against other processes until it is released.
///
/// ```swift
/// let outbox = try FileOutbox(folder: "/home/mina/.local/share/traveline/outbox")
/// try await outbox.items().count    // the writes of the last run that were not sent
/// ```
public actor FileOutbox: Outbox {
    private let folder: String
    private let lock: FolderLock

    /// Opens the folder; creates it if necessary, but not the one that contains it.
    ///
    /// - Throws: `TravelError.unavailable` when the folder cannot be created, or when another outbox uses it.
    public init(folder: String) throws {
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw Self.failure() }
        self.folder = folder
        lock = try FolderLock(folder)
    }

    /// Returns all items, ordered by number. Drafts that were not written completely, and files of other names, are
    /// ignored; a folder with the name of an item is one without bytes.
    ///
    /// - Throws: `TravelError.unavailable` when the folder or a file cannot be read.
    public func items() async throws -> [OutboxItem] {
        try Self.reading {
            try FileManager.default.contentsOfDirectory(atPath: folder)
                .compactMap { name in Self.number(of: name) }.sorted()
                .map { OutboxItem(number: $0, bytes: try bytes(of: $0)) }
        }
    }

    /// Stores an item durably, and replaces the one with the same number.
    ///
    /// - Throws: `TravelError.unavailable` when it cannot be written.
    public func save(_ item: OutboxItem) async throws {
        let (draft, path) = (folder + "/draft", path(of: item.number))
        try Self.write(item.bytes, to: draft)
        guard rename(draft, path) == 0 else { throw Self.failure() }
        try syncFolder()
    }

    /// Removes the item with that number durably.
    ///
    /// - Throws: `TravelError.unavailable` when it cannot be removed.
    public func remove(_ number: Int) async throws {
        guard unlink(path(of: number)) == 0 || errno == ENOENT else { throw Self.failure() }
        try syncFolder()
    }

    private func path(of number: Int) -> String { "\(folder)/\(number).json" }

    private func bytes(of number: Int) throws -> Data {
        // Anything else of that name, such as a folder, is an item that cannot be read, as a file with other bytes is.
        var info = stat()
        if stat(path(of: number), &info) == 0, info.st_mode & S_IFMT != S_IFREG { return Data() }
        return try Data(contentsOf: URL(filePath: path(of: number)))
    }

    /// The largest number of an item. Files with larger ones are those of others: 30 million years of an item a second.
    private static let largestNumber = 999_999_999_999_999

    /// The number of the item in the file of that name; `nil` for other files.
    private static func number(of name: String) -> Int? {
        guard let number = Int(name.dropLast(".json".count)), 1...largestNumber ~= number, name == "\(number).json"
        else { return nil }
        return number
    }

    private static func write(_ bytes: Data, to path: String) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure() }
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
        try sync(file)
    }

    private func syncFolder() throws {
        try Self.sync(lock.directory)
    }

    private static func sync(_ file: Int32) throws {
        #if canImport(Darwin)
            // fsync does not flush the drive's cache on Darwin; not every file system supports F_FULLFSYNC.
            if fcntl(file, F_FULLFSYNC) == 0 { return }
        #endif
        guard fsync(file) == 0 else { throw failure() }
    }

    private static func reading<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch is CocoaError {
            throw TravelError.unavailable(.init("The outbox cannot be read: check its permissions.", canRetry: false))
        }
    }

    /// Converts `errno` to an error of the domain.
    fileprivate static func failure(_ code: Int32 = errno) -> TravelError {
        let isFull = code == ENOSPC || code == EDQUOT
        return .unavailable(
            isFull
                ? .init("The disk is full.", canRetry: true)
                : .init("Accessing the outbox failed: \(String(cString: strerror(code))).", canRetry: false))
    }
}

/// An exclusive lock on a folder, until it is released.
private final class FolderLock: Sendable {
    let directory: Int32

    init(_ folder: String) throws {
        directory = open(folder, O_RDONLY | O_CLOEXEC)
        guard directory >= 0 else { throw FileOutbox.failure() }
        guard flock(directory, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            close(directory)
            throw code == EWOULDBLOCK
                ? TravelError.unavailable(.init("The outbox is in use by another process.", canRetry: true))
                : FileOutbox.failure(code)
        }
    }

    deinit {
        // The lock belongs to the file descriptor.
        close(directory)
    }
}

// A global function, because a method of the same name would shadow the C function.
private func systemWrite(_ file: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(file, bytes.baseAddress, bytes.count)
}
