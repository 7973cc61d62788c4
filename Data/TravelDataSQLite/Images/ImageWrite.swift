import TravelDomain

/// The files that one transaction adds rows for, and those that it leaves without.
struct ImageWrite {
    /// The files that were written for it.
    private(set) var added: [ImageFile.ID] = []
    /// The files that no row will name once it is committed.
    private(set) var unused: [ImageFile.ID] = []
    /// Whether the commit may have begun: from there on nobody can tell a failure from success.
    var isCommitting = false
    private var files: [TravelImage.ID: ImageFile.ID] = [:]

    /// A new file for an image.
    mutating func addFile(for image: TravelImage.ID) -> ImageFile.ID {
        let file = ImageFile.ID()
        files[image] = file
        added.append(file)
        unused.append(file)
        return file
    }

    /// The file of an image that gets a row.
    mutating func use(_ image: TravelImage.ID) -> ImageFile.ID {
        guard let file = files[image] else { preconditionFailure("an image without a file") }
        unused.removeAll { $0 == file }
        return file
    }

    /// Says that the rows that named these files are removed.
    mutating func abandon(_ files: [ImageFile.ID]) {
        unused += files
    }
}
