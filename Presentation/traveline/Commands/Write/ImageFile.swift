import Foundation
import TravelDomain

/// Reads pictures from files.
enum ImageFile {
    /// The picture in the file at `path`.
    ///
    /// - Throws: `FileError` when it cannot be read, or is not a picture.
    static func image(at path: String) throws -> TravelImage {
        let bytes: Data
        do {
            let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            // One byte more than an image may have, so that a larger one is noticed.
            bytes = try file.read(upToCount: TravelImage.maximumSize + 1) ?? Data()
        } catch {
            throw FileError(path: path, reason: "the picture cannot be read; check the path", code: .noInput)
        }
        do {
            return try TravelImage(bytes: bytes)
        } catch {
            throw FileError(path: path, reason: "\(error)", code: .dataError)
        }
    }
}
