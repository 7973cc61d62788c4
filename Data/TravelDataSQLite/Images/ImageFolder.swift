internal import SQLiteStore
internal import Synchronization
internal import TravelDataShared
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
///
/// The subfolder `sizes` has smaller pictures, which can be made again: each is named after the file of its image, and is
/// removed before it.
final class ImageFolder: Sendable {
    /// The name of a file.
    typealias FileID = Identifier<ImageFolder>

    let path: String
    let files: any FileAccess
    private let isTemporary: Bool
    private let isPrepared = Mutex(false)

    /// Creates a reference to the folder at `path`; the folder itself is created with the first image. A temporary
    /// folder is removed by ``close()``, or with the last reference, and does not wait for the disk.
    init(path: String, isTemporary: Bool, files: any FileAccess) {
        self.path = path
        self.isTemporary = isTemporary
        self.files = files
    }

    var marks: String { "\(path)/unsettled" }
    private var sizes: String { "\(path)/sizes" }
    /// How the names of smaller pictures that are being written to ``marks`` end.
    private static let draftSuffix = ".draft"

    deinit { close() }

    func close() {
        guard isTemporary else { return }
        // The system eventually empties that directory.
        for folder in [marks, sizes, path] {
            for name in (try? files.names(in: folder)) ?? [] { try? files.remove("\(folder)/\(name)") }
            try? files.remove(folder)
        }
    }

    /// Writes new images to files, durably. Afterwards, a transaction adds their rows and ends with
    /// ``prepareCommit(_:)``; when it fails, ``undo(_:)`` removes the files.
    func add(_ images: [TripImage], _ write: inout ImageWrite) throws {
        let new = images.map { write.addFile(for: $0.id) }
        try mark(new, &write)
        for (image, file) in zip(images, new) {
            try files.write(image.bytes, to: path(of: file))
            try sync(path(of: file))
        }
        if !images.isEmpty { try sync(path) }
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

    func read(_ file: ImageFolder.FileID) throws -> Data? {
        try files.read(path(of: file))
    }

    /// Reads a smaller picture of an image; `nil` when none is kept.
    func read(_ size: PictureSize, of file: ImageFolder.FileID) throws -> Data? {
        try files.read(path(of: file, in: size))
    }

    /// Stores a smaller picture of an image, unless there is one. The caller holds the lock of ``keepFiles()``, and has found
    /// the row of the image since.
    ///
    /// The picture is there as a whole or not at all, also after a loss of power, and whoever else stores it.
    func keep(_ picture: Data, _ size: PictureSize, of file: ImageFolder.FileID) throws {
        let target = path(of: file, in: size)
        guard try files.read(target) == nil else { return }
        try files.makeFolder(sizes)
        let draft = "\(marks)/\(ImageFolder.FileID())\(Self.draftSuffix)"
        do {
            try files.write(picture, to: draft)
            try sync(draft)
            try files.move(draft, to: target)
        } catch {
            // The next sweep removes what cannot be removed now.
            try? files.remove(draft)
            // Another process may have been faster.
            guard try files.read(target) != nil else { throw error }
        }
    }

    /// Removes all markers, and the marked files to which no row refers; does nothing while any task writes or copies
    /// files.
    ///
    /// - Parameter isNamed: Whether a row refers to the file. Called while the folder is locked; its answer must not
    ///   come from an older snapshot, which lacks the newest rows.
    func sweep(isNamed: (ImageFolder.FileID) throws -> Bool) throws {
        guard let lock = try files.lock(path, isShared: false) else { return }
        defer { withExtendedLifetime(lock) {} }
        let names = try files.names(in: marks)
        for name in names ?? [] where name.hasSuffix(Self.draftSuffix) { try files.remove("\(marks)/\(name)") }
        // A loss of power may have taken the folder of markers: every file may be unused then. Ignores files of other
        // programs.
        let marked = (try names ?? files.names(in: path) ?? []).compactMap { ImageFolder.FileID($0) }
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

    func path(of file: ImageFolder.FileID) -> String { "\(path)/\(file)" }

    func path(of file: ImageFolder.FileID, in size: PictureSize) -> String { "\(sizes)/\(file).\(size.rawValue)" }

    private func mark(_ unsettled: [ImageFolder.FileID], _ write: inout ImageWrite) throws {
        if unsettled.isEmpty { return }
        if write.lock == nil { write.lock = try keepFiles() }
        // Markers may exist already: sweeping is impossible while other tasks write or copy.
        for file in unsettled { try files.makeFile(mark(of: file)) }
        try sync(marks)
    }

    private func unmark(_ settled: [ImageFolder.FileID]) throws {
        for file in settled { try files.remove(mark(of: file)) }
    }

    /// Removes files durably: they cannot reappear after a loss of power once their markers are gone.
    private func remove(_ unused: [ImageFolder.FileID]) throws {
        if unused.isEmpty { return }
        for file in unused {
            for size in PictureSize.allCases { try files.remove(path(of: file, in: size)) }
        }
        // Without a smaller picture, there is no such folder.
        try? sync(sizes)
        for file in unused { try files.remove(path(of: file)) }
        try sync(path)
    }

    func prepare() throws {
        try isPrepared.withLock { isPrepared in
            if isPrepared { return }
            try files.makeFolder(path)
            if !isTemporary { try files.syncName(of: path) }
            try files.makeFolder(marks)
            isPrepared = true
        }
    }

    /// Waits until a file, or the names in a folder, are durable. A temporary folder need not be.
    private func sync(_ path: String) throws {
        if !isTemporary { try files.sync(path) }
    }

    private func mark(of file: ImageFolder.FileID) -> String { "\(marks)/\(file)" }
}

extension ImageFolder {
    /// Removes the files that a process has left without rows because it ended early. Files that cannot be removed
    /// now are harmless and stay for the next sweep.
    func sweep(_ database: Database) async throws {
        try await database.read { db in
            // The first query runs after the folder is locked, and determines the snapshot of the read.
            try? self.sweep { try ImageRecord.isNamed($0, db) }
        }
    }
}

/// The files for which one transaction adds or removes rows.
struct ImageWrite {
    private(set) var added: [ImageFolder.FileID] = []
    /// The files whose rows the transaction removes.
    private(set) var abandoned: [ImageFolder.FileID] = []
    /// Whether the commit may have begun; from then on, a failure does not tell whether the change is durable.
    var isCommitting = false
    /// The lock that prevents a sweep while markers exist.
    var lock: FolderLock?
    private var files: [TripImage.ID: ImageFolder.FileID] = [:]

    /// Releases the lock, after the commit; returns whether the transaction had created markers.
    mutating func endMarking() -> Bool {
        defer { lock = nil }
        return lock != nil
    }

    mutating func addFile(for image: TripImage.ID) -> ImageFolder.FileID {
        let file = ImageFolder.FileID()
        files[image] = file
        added.append(file)
        return file
    }

    func file(of image: TripImage.ID) -> ImageFolder.FileID {
        guard let file = files[image] else { preconditionFailure("the image has no file") }
        return file
    }

    mutating func abandon(_ files: [ImageFolder.FileID]) {
        abandoned += files
    }
}
