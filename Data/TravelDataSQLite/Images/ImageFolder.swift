#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
internal import Synchronization
import TravelDomain

/// The folder that holds the images of a database, one file each.
///
/// A file is durable before its row is committed, and is removed after its row. Before either, a marker, which is an
/// empty file of the same name, is created in the subfolder `unsettled`; it is removed once file and row agree. A
/// process may therefore end at any time: each file that it leaves without a row has a marker. ``sweep(isNamed:)``
/// removes these files and inspects no others, however many there are. File names are never reused, so that removing
/// a file can never affect a newer one.
///
/// A task holds a shared lock on the folder while it has markers or copies files. Files of deleted rows are removed
/// under an exclusive lock.
final class ImageFolder: Sendable {
    let path: String
    let files: any ImageFiles
    private let isTemporary: Bool
    private let isPrepared = Mutex(false)

    /// Creates a reference to the folder at `path`; the folder itself is created with the first image. A temporary
    /// folder is removed by ``close()``, or with the last reference.
    init(path: String, isTemporary: Bool, files: any ImageFiles) {
        self.path = path
        self.isTemporary = isTemporary
        self.files = files
    }

    /// The folder of the markers.
    var marks: String { "\(path)/unsettled" }

    deinit { close() }

    /// Removes the folder if it is a temporary one.
    func close() {
        guard isTemporary else { return }
        // The system eventually empties that directory.
        for folder in [marks, path] {
            for name in (try? files.names(in: folder)) ?? [] { try? files.remove("\(folder)/\(name)") }
            try? files.remove(folder)
        }
    }

    /// Writes new images to files, durably. Afterwards, a transaction adds their rows and ends with
    /// ``prepareCommit(_:)``; when it fails, ``undo(_:)`` removes the files.
    func add(_ images: [TravelImage], _ write: inout ImageWrite) throws {
        try mark(images.map { write.addFile(for: $0.id) }, &write)
        for (image, file) in zip(images, write.added) {
            try files.write(image.bytes, to: path(of: file))
            try files.sync(path(of: file))
        }
        if !images.isEmpty { try files.sync(path) }
    }

    /// Removes the files of a change that was not committed. Does nothing after a failed commit, which may be durable
    /// nevertheless; its files are left to ``sweep(isNamed:)``.
    func undo(_ write: ImageWrite) throws {
        guard !write.isCommitting else { return }
        try remove(write.added)
        try unmark(write.added + write.abandoned)
    }

    /// Creates markers for the files whose rows are removed. Must be called last before the commit.
    func prepareCommit(_ write: inout ImageWrite) throws {
        try mark(write.abandoned, &write)
        write.isCommitting = true
    }

    /// Reads the bytes of the file; `nil` when it does not exist.
    func read(_ file: ImageFile.ID) throws -> Data? {
        try files.read(path(of: file))
    }

    /// Removes all markers, and the marked files to which no row refers; does nothing while any task writes or copies
    /// files.
    ///
    /// - Parameter isNamed: Whether a row refers to the file. Called while the folder is locked; its answer must not
    ///   come from an older snapshot, which lacks the newest rows.
    func sweep(isNamed: (ImageFile.ID) throws -> Bool) throws {
        guard let lock = try files.lock(path, isShared: false) else { return }
        defer { withExtendedLifetime(lock) {} }
        let names = try files.names(in: marks)
        // Earlier versions created no markers, so that every file may be unused. Ignores files of other programs.
        let marked = (try names ?? files.names(in: path) ?? []).compactMap { ImageFile.ID($0) }
        let unused = try marked.filter { try !isNamed($0) }
        try remove(unused)
        if names == nil { return try files.makeFolder(marks) }
        try unmark(marked)
    }

    /// Prevents the removal of files that have rows, for the lifetime of the result.
    func keepFiles() throws -> FolderLock? {
        try prepare()
        return try files.lock(path, isShared: true)
    }

    /// The path of a file.
    func path(of file: ImageFile.ID) -> String { "\(path)/\(file)" }

    private func mark(_ unsettled: [ImageFile.ID], _ write: inout ImageWrite) throws {
        if unsettled.isEmpty { return }
        if write.lock == nil { write.lock = try keepFiles() }
        // Markers may exist already: sweeping is impossible while other tasks write or copy.
        for file in unsettled { try files.makeFile(mark(of: file)) }
        try files.sync(marks)
    }

    private func unmark(_ settled: [ImageFile.ID]) throws {
        for file in settled { try files.remove(mark(of: file)) }
    }

    /// Removes files durably: they cannot reappear after a loss of power once their markers are gone.
    private func remove(_ unused: [ImageFile.ID]) throws {
        if unused.isEmpty { return }
        for file in unused { try files.remove(path(of: file)) }
        try files.sync(path)
    }

    /// Creates the folder durably.
    func prepare() throws {
        try isPrepared.withLock { isPrepared in
            if isPrepared { return }
            try files.makeFolder(path)
            try files.syncName(of: path)
            try files.makeFolder(marks)
            isPrepared = true
        }
    }

    private func mark(of file: ImageFile.ID) -> String { "\(marks)/\(file)" }
}

/// A file of an ``ImageFolder``, named by its ID.
enum ImageFile {
    typealias ID = Identifier<ImageFile>
}
