#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
internal import Synchronization
import TravelDomain

/// A copy of a database and its images that is being made, under another name until it is whole.
final class TravelDraft: Sendable {
    /// Where the database is copied to.
    let path: String
    private let target: String
    private let source: ImageFolder
    private let images: ImageFolder
    private let state = Mutex(State())

    private struct State {
        var hasImages = false
        /// Whether the images, and whether the database, are where they are to be.
        var hasPublishedImages = false
        var isPublished = false
    }

    /// A draft of what is to be at `target`, with the images that are in `source`.
    init(of target: String, from source: ImageFolder) {
        self.target = target
        self.source = source
        path = "\(target).\(ImageFile.ID()).draft"
        images = ImageFolder(path: "\(path)-images", isTemporary: false, files: source.files)
    }

    private var files: any ImageFiles { source.files }

    /// Throws unless there is nothing where the copy is to be.
    func requireFreePath() throws {
        let isTaken = ["", "-wal", "-journal", "-images"].contains {
            FileManager.default.fileExists(atPath: target + $0)
        }
        guard !isTaken else {
            throw TravelError.unavailable(
                .init("There is something at the path of the backup already: choose another.", canRetry: false))
        }
    }

    /// Copies an image.
    func copy(_ image: ImageRecord) throws {
        try state.withLock { state in
            if !state.hasImages { try images.prepare() }
            state.hasImages = true
        }
        guard let bytes = try image.bytes(in: source) else { throw ImageRecord.missing }
        try files.write(bytes, to: images.path(of: image.file))
    }

    /// Returns once the copy of an image survives a loss of power.
    func sync(_ image: ImageRecord) throws {
        try files.sync(images.path(of: image.file))
    }

    /// Gives the copy its name: the images first, so that whoever finds the database finds all of it.
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

    /// Removes what there is of the copy.
    func remove() {
        let state = state.withLock { $0 }
        // What cannot be removed has a name that tells what it is.
        if state.isPublished { try? files.remove(target) }
        for name in ["", "-wal", "-shm", "-journal"] { try? files.remove(path + name) }
        let path = state.hasPublishedImages ? "\(target)-images" : images.path
        ImageFolder(path: path, isTemporary: true, files: files).close()
    }
}
