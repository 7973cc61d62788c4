import Foundation
import TravelDomain
import TravelPresentation

/// Reads pictures from files.
enum ImageFile {
    /// The picture in the file at `path`.
    ///
    /// - Throws: `FileError` when it cannot be read, or is not a picture.
    static func image(at path: String, in language: Language) throws -> TravelImage {
        let bytes: Data
        do {
            let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            // One byte more than an image may have, so that a larger one is noticed.
            bytes = try file.read(upToCount: TravelImage.maximumSize + 1) ?? Data()
        } catch {
            throw FileError(
                path: path,
                reason: language.say("the picture cannot be read; check the path", "사진을 읽을 수 없습니다. 경로를 확인하세요"),
                code: .noInput)
        }
        do {
            return try TravelImage(bytes: bytes)
        } catch {
            throw FileError(path: path, reason: language.say("\(error)", error.korean), code: .dataError)
        }
    }
}
