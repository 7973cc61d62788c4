import TravelDomain

/// The files for which one transaction adds or removes rows.
struct ImageWrite {
    /// The new files of the transaction.
    private(set) var added: [ImageFile.ID] = []
    /// The files whose rows the transaction removes.
    private(set) var abandoned: [ImageFile.ID] = []
    /// Whether the commit may have begun; from then on, a failure does not tell whether the change is durable.
    var isCommitting = false
    /// The lock that prevents a sweep while markers exist.
    var lock: FolderLock?
    private var files: [TravelImage.ID: ImageFile.ID] = [:]

    /// Whether the transaction has created markers.
    var isMarking: Bool { lock != nil }

    /// Releases the lock, after the commit; returns whether the transaction had created markers.
    mutating func endMarking() -> Bool {
        defer { lock = nil }
        return isMarking
    }

    /// Registers a new file for an image.
    mutating func addFile(for image: TravelImage.ID) -> ImageFile.ID {
        let file = ImageFile.ID()
        files[image] = file
        added.append(file)
        return file
    }

    /// The file of a new image.
    func file(of image: TravelImage.ID) -> ImageFile.ID {
        guard let file = files[image] else { preconditionFailure("the image has no file") }
        return file
    }

    /// Registers files whose rows are removed.
    mutating func abandon(_ files: [ImageFile.ID]) {
        abandoned += files
    }
}
