#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
internal import Synchronization
import TravelDomain

/// The files beside a database that hold its images, one each.
///
/// A file is on the disk before the row that names it is committed, and is removed after the row is. Before either, an
/// empty file of the same name is in the folder `unsettled`, its mark, which goes when file and row agree again: so a
/// process may end at any moment, and what it leaves behind without a row has a mark. ``sweep(isNamed:)`` removes those
/// and looks at no others, however many there are. A name is used once; who removes a file can therefore never hit a
/// newer one.
///
/// Whoever is between a mark and its end shares a lock on the folder, as does whoever copies the files. A file that has
/// had a row is removed under the same lock, held alone.
final class ImageFolder: Sendable {
    let path: String
    let files: any ImageFiles
    private let isTemporary: Bool
    private let isPrepared = Mutex(false)

    /// The folder at `path`, made when the first image comes. A temporary one goes when it is closed, or with its last
    /// reference.
    init(path: String, isTemporary: Bool, files: any ImageFiles) {
        self.path = path
        self.isTemporary = isTemporary
        self.files = files
    }

    /// Where the marks are.
    var marks: String { "\(path)/unsettled" }

    deinit { close() }

    /// Removes the folder if it is a temporary one.
    func close() {
        guard isTemporary else { return }
        // What cannot be removed is left to the system, which empties that directory in the end.
        for folder in [marks, path] {
            for name in (try? files.names(in: folder)) ?? [] { try? files.remove("\(folder)/\(name)") }
            try? files.remove(folder)
        }
    }

    /// Writes the new images to files, runs `body`, which commits their rows, and removes the files that it leaves unused.
    ///
    /// Where `body` throws, nothing new is left; except that a commit that failed may have reached the disk all the same,
    /// and its files are a case for ``sweep(isNamed:)``.
    ///
    /// - Parameter isNamed: Whether a row names the file, once `body` has returned.
    func write(
        _ images: [TravelImage], isNamed: (ImageFile.ID) throws -> Bool, _ body: (inout ImageWrite) throws -> Void
    ) throws {
        var write = ImageWrite()
        do {
            try add(images, &write)
            try body(&write)
        } catch {
            // What cannot be removed has its mark.
            if !write.isCommitting { try? undo(write) }
            throw error
        }
        if !write.isMarking { return }
        write.lock = nil
        // The change is made, and what cannot be swept now is swept another time.
        try? sweep(isNamed: isNamed)
    }

    /// Marks the files that will be without a row. To be called last before the commit.
    func prepareCommit(_ write: inout ImageWrite) throws {
        try mark(write.abandoned, &write)
        write.isCommitting = true
    }

    /// The bytes in the file; `nil` when there is none.
    func read(_ file: ImageFile.ID) throws -> Data? {
        try files.read(path(of: file))
    }

    /// Removes the marked files that no row names, and all marks; unless someone is writing or copying now.
    ///
    /// - Parameter isNamed: Whether a row names the file. It is asked once the folder is locked, and must not answer from an
    ///   older state: that would lack the newest.
    func sweep(isNamed: (ImageFile.ID) throws -> Bool) throws {
        guard let lock = try files.lock(path, isShared: false) else { return }
        defer { withExtendedLifetime(lock) {} }
        let names = try files.names(in: marks)
        // Earlier versions made no marks: where they have been, it may be any file. What others have put there is not ours.
        let marked = (try names ?? files.names(in: path) ?? []).compactMap { ImageFile.ID($0) }
        let unused = try marked.filter { try !isNamed($0) }
        try remove(unused)
        if names == nil { return try files.makeFolder(marks) }
        try unmark(marked)
    }

    /// Keeps every file that has a row now until the result goes.
    func keepFiles() throws -> FolderLock? {
        try prepare()
        return try files.lock(path, isShared: true)
    }

    /// The path of a file.
    func path(of file: ImageFile.ID) -> String { "\(path)/\(file)" }

    private func add(_ images: [TravelImage], _ write: inout ImageWrite) throws {
        try mark(images.map { write.addFile(for: $0.id) }, &write)
        for (image, file) in zip(images, write.added) {
            try files.write(image.bytes, to: path(of: file))
            try files.sync(path(of: file))
        }
        if !images.isEmpty { try files.sync(path) }
    }

    /// Removes what was written for a change that is not made.
    private func undo(_ write: ImageWrite) throws {
        try remove(write.added)
        try unmark(write.added + write.abandoned)
    }

    private func mark(_ unsettled: [ImageFile.ID], _ write: inout ImageWrite) throws {
        if unsettled.isEmpty { return }
        if write.lock == nil { write.lock = try keepFiles() }
        // Some may be there still: nobody can sweep as long as there are others who write or copy.
        for file in unsettled { try files.makeFile(mark(of: file)) }
        try files.sync(marks)
    }

    private func unmark(_ settled: [ImageFile.ID]) throws {
        for file in settled { try files.remove(mark(of: file)) }
    }

    /// Removes files for good: a loss of power cannot bring them back once their marks are gone.
    private func remove(_ unused: [ImageFile.ID]) throws {
        if unused.isEmpty { return }
        for file in unused { try files.remove(path(of: file)) }
        try files.sync(path)
    }

    /// Makes the folder, and sees to it that it survives a loss of power.
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

/// One file of an ``ImageFolder``, called by its identity.
enum ImageFile {
    typealias ID = Identifier<ImageFile>
}
