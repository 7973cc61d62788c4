import Foundation
import TravelDomain
import TravelPresentation

/// A photo that a person names by its path, as it is typed, or as a terminal types it when a file is dropped on it.
struct PhotoFile {
    let path: String

    /// The photo, and when it was taken, if it says so.
    ///
    /// - Throws: `TravelError.unavailable` for a file that cannot be read; `TravelError.invalid` for one that is no image of a
    ///   supported format.
    var image: PickedImage {
        get throws {
            let path = (unquoted as NSString).expandingTildeInPath
            let bytes: Data
            do {
                let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
                // One byte more than an image may have, so that a larger one is noticed.
                bytes = try file.read(upToCount: TravelImage.maximumSize + 1) ?? Data()
            } catch {
                throw TravelError.unavailable(
                    .init("\(path): the file cannot be read; check the path", canRetry: false))
            }
            let taken = ExifDate(jpeg: bytes)
            return PickedImage(try TravelImage(bytes: bytes), day: taken?.day, time: taken?.time)
        }
    }

    /// The path without what terminals put around a file that is dropped: quotes, backslashes before spaces, and a space
    /// behind it.
    var unquoted: String {
        var path = path.trimmingCharacters(in: .whitespaces)
        for quote in ["'", "\""] where path.count > 1 && path.hasPrefix(quote) && path.hasSuffix(quote) {
            return String(path.dropFirst().dropLast())
        }
        path = path.replacingOccurrences(of: "\\ ", with: " ")
        return path
    }
}
