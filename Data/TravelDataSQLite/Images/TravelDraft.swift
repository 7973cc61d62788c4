#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
internal import Synchronization
import TravelDataShared
import TravelDomain

/// A copy of a database and its images under a temporary name, which is renamed once it is complete.
final class TravelDraft: Sendable {
    /// The temporary path of the database.
    let path: String
    private let target: String
    private let source: ImageFolder
    private let images: ImageFolder
    private let state = Mutex(State())

    private struct State {
        var hasImages = false
        /// Whether the images and the database have their final names.
        var hasPublishedImages = false
        var isPublished = false
    }

    /// Creates a draft of a copy at `target` with the images in `source`.
    init(of target: String, from source: ImageFolder) {
        self.target = target
        self.source = source
        path = "\(target).\(ImageFolder.FileID()).draft"
        images = ImageFolder(path: "\(path)-images", isTemporary: false, files: source.files)
    }

    private var files: any FileAccess { source.files }

    /// Throws unless the final paths are free.
    func requireFreePath() throws {
        let isTaken = ["", "-wal", "-journal", "-images"].contains {
            FileManager.default.fileExists(atPath: target + $0)
        }
        guard !isTaken else {
            throw TravelError.unavailable(
                .init("The path of the backup already exists: choose another one.", cause: .fileExists, canRetry: false)
            )
        }
    }

    func copy(_ image: ImageRecord) throws {
        try state.withLock { state in
            if !state.hasImages { try images.prepare() }
            state.hasImages = true
        }
        guard let bytes = try image.bytes(in: source) else { throw ImageRecord.missing }
        try files.write(bytes, to: images.path(of: image.file))
    }

    func sync(_ image: ImageRecord) throws {
        try files.sync(images.path(of: image.file))
    }

    /// Renames the copy: the images first, so that the database is never without its images.
    func publish() throws {
        try state.withLock { state in
            if state.hasImages {
                try files.sync(images.path)
                try files.move(images.path, to: "\(target)-images")
                state.hasPublishedImages = true
            }
            try files.move(path, to: target)
            state.isPublished = true
            try files.syncName(of: target)
        }
    }

    /// Removes the parts of the copy that exist.
    func remove() {
        let state = state.withLock { $0 }
        // Files that cannot be removed have a name that identifies them as a draft.
        if state.isPublished { try? files.remove(target) }
        for name in ["", "-wal", "-shm", "-journal"] { try? files.remove(path + name) }
        let path = state.hasPublishedImages ? "\(target)-images" : images.path
        ImageFolder(path: path, isTemporary: true, files: files).close()
    }
}
