import TravelDomain

/// The files that one transaction adds rows for, and those that it leaves without.
struct ImageWrite {
    /// The files that were written for it.
    private(set) var added: [ImageFile.ID] = []
    /// The files whose rows it removes.
    private(set) var abandoned: [ImageFile.ID] = []
    /// Whether the commit may have begun: from there on nobody can tell a failure from success.
    var isCommitting = false
    /// What keeps others from sweeping, as long as there are marks.
    var lock: FolderLock?
    private var files: [TravelImage.ID: ImageFile.ID] = [:]

    /// Whether there are marks of it.
    var isMarking: Bool { lock != nil }

    /// A new file for an image.
    mutating func addFile(for image: TravelImage.ID) -> ImageFile.ID {
        let file = ImageFile.ID()
        files[image] = file
        added.append(file)
        return file
    }

    /// The file of an image that gets a row.
    func file(of image: TravelImage.ID) -> ImageFile.ID {
        guard let file = files[image] else { preconditionFailure("an image without a file") }
        return file
    }

    /// Says that the rows that named these files are removed.
    mutating func abandon(_ files: [ImageFile.ID]) {
        abandoned += files
    }
}
