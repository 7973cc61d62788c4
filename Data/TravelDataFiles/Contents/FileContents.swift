import Foundation

/// Reads files.
enum FileContents {
    /// Reads the whole file at `url`, which may also be a pipe.
    ///
    /// Stops as soon as more than `limit` bytes have arrived, so that an endless source cannot fill the memory.
    static func data(at url: URL, limit: Int) throws(TravelFileError) -> Data {
        var data = Data()
        do {
            let file = try FileHandle(forReadingFrom: url)
            while data.count <= limit, let more = try file.read(upToCount: 1 << 20), !more.isEmpty {
                data.append(more)
            }
        } catch {
            throw TravelFileError(.unreadable(reason(for: error)))
        }
        return data
    }

    /// Describes an error of the system in words, without the name of the file.
    static func reason(for error: any Error) -> String {
        let error = error as NSError
        let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
        return switch (cause.domain, cause.code) {
        case (NSPOSIXErrorDomain, Int(ENOENT)), (NSPOSIXErrorDomain, Int(ENOTDIR)),
            (NSCocoaErrorDomain, CocoaError.fileReadNoSuchFile.rawValue),
            (NSCocoaErrorDomain, CocoaError.fileNoSuchFile.rawValue):
            "there is no such file"
        case (NSPOSIXErrorDomain, Int(EACCES)), (NSPOSIXErrorDomain, Int(EPERM)),
            (NSCocoaErrorDomain, CocoaError.fileReadNoPermission.rawValue):
            "permission denied"
        case (NSPOSIXErrorDomain, Int(EISDIR)): "it is a directory"
        default: "the system answered with error \(cause.code) of \(cause.domain)"
        }
    }
}
