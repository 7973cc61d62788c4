#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
internal import Synchronization
import TravelDomain

/// The files beside a database that hold its images, one each.
///
/// A file is on the disk before the row that names it is committed, and is removed after the row is: so a process may end
/// at any moment, and what it leaves behind is a file that no row names. ``sweep(keeping:)`` removes those. A name is used
/// once; who removes a file can therefore never hit a newer one.
///
/// Whoever is between a file and its row shares a lock on the folder, without which nobody sweeps.
final class ImageFolder: Sendable {
    let path: String
    private let files: any ImageFiles
    private let isTemporary: Bool
    private let isPrepared = Mutex(false)

    /// The folder at `path`, made when the first image comes. A temporary one goes when it is closed, or with its last
    /// reference.
    init(path: String, isTemporary: Bool, files: any ImageFiles) {
        self.path = path
        self.isTemporary = isTemporary
        self.files = files
    }

    deinit { close() }

    /// Removes the folder if it is a temporary one.
    func close() {
        guard isTemporary else { return }
        // What cannot be removed is left to the system, which empties that directory in the end.
        for name in (try? files.names(in: path)) ?? [] { try? files.remove("\(path)/\(name)") }
        try? files.remove(path)
    }

    /// Writes the new images to files, runs `body`, which commits their rows, and removes the files that it leaves unused.
    ///
    /// Where `body` throws, nothing new is left; except that a commit that failed may have reached the disk all the same,
    /// and its files are a case for ``sweep(keeping:)``.
    func write(_ images: [TravelImage], _ body: (inout ImageWrite) throws -> Void) throws {
        var write = ImageWrite()
        if images.isEmpty {
            try body(&write)
            return remove(write.unused)
        }
        try prepare()
        let lock = try files.lock(path, isShared: true)
        defer { withExtendedLifetime(lock) {} }
        do {
            for image in images {
                let file = path(of: write.addFile(for: image.id))
                try files.write(image.bytes, to: file)
                try files.sync(file)
            }
            try files.sync(path)
            try body(&write)
        } catch {
            if !write.isCommitting { remove(write.added) }
            throw error
        }
        remove(write.unused)
    }

    /// The bytes in the file; `nil` when there is none.
    func read(_ file: ImageFile.ID) throws -> Data? {
        try files.read(path(of: file))
    }

    /// Removes the files that are not among those that `keeping` returns, unless someone is writing now.
    func sweep(keeping: () throws -> [ImageFile.ID]) throws {
        guard let lock = try files.lock(path, isShared: false) else { return }
        defer { withExtendedLifetime(lock) {} }
        // What others have put there is not ours to remove.
        let present = (try files.names(in: path) ?? []).compactMap { ImageFile.ID($0) }
        if present.isEmpty { return }
        remove(Array(Set(present).subtracting(try keeping())))
    }

    /// Makes the folder, and sees to it that it survives a loss of power.
    private func prepare() throws {
        try isPrepared.withLock { isPrepared in
            if isPrepared { return }
            try files.makeFolder(path)
            try files.sync(path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ".")
            isPrepared = true
        }
    }

    private func remove(_ unused: [ImageFile.ID]) {
        // A file that cannot be removed now is swept another time.
        for file in unused { try? files.remove(path(of: file)) }
    }

    private func path(of file: ImageFile.ID) -> String { "\(path)/\(file)" }
}

/// One file of an ``ImageFolder``, called by its identity.
enum ImageFile {
    typealias ID = Identifier<ImageFile>
}
