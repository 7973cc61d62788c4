import Foundation
import TravelDomain
import TravelPresentation

/// A photo that a person names by its path.
struct PhotoFile {
    let path: String

    /// The photo.
    ///
    /// - Throws: `TravelError.invalid` for a file that is no image of a supported format; `TravelError.unavailable` for one
    ///   that cannot be read.
    var image: PickedImage {
        get throws {
            let bytes: Data
            do {
                bytes = try Data(contentsOf: URL(fileURLWithPath: (trimmed as NSString).expandingTildeInPath))
            } catch {
                throw TravelError.unavailable(.init("\(trimmed): the file cannot be read", canRetry: false))
            }
            return PickedImage(try TravelImage(bytes: bytes))
        }
    }

    /// The path without what a terminal puts around it when a file is dropped: quotes, and a space behind it.
    private var trimmed: String {
        var path = path.trimmingCharacters(in: .whitespaces)
        for quote in ["'", "\""] where path.count > 1 && path.hasPrefix(quote) && path.hasSuffix(quote) {
            path = String(path.dropFirst().dropLast())
        }
        return path
    }
}
