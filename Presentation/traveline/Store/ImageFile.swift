import Foundation
import TravelDataFiles
import TravelDomain
import TravelPresentation

/// A picture that a user names by its path.
struct ImageFile {
    let path: String
    /// The bytes of the file; one more than an image may have where there are more. `nil` if it cannot be read.
    private var bytes: Data? {
        guard let file = try? FileHandle(forReadingFrom: URL(fileURLWithPath: path)) else { return nil }
        return try? file.read(upToCount: TripImage.maximumSize + 1) ?? Data()
    }

    /// The picture, and when and where it was taken, if it says so.
    ///
    /// - Throws: `TravelError.unavailable` for a file that cannot be read; `TravelError.invalid` for one that is no
    ///   image of a supported format; `CancellationError`.
    func picked() async throws -> PickedImage {
        guard let bytes else {
            throw TravelError.unavailable(
                .init("\(path): the file cannot be read; check the path", cause: .inaccessible, canRetry: false))
        }
        let picked = try await Self.picked(TripImage(bytes: bytes), by: App.pictures)
        // The next start may be in another folder.
        return PickedImage(
            picked.image, taken: picked.taken, coordinate: picked.coordinate, path: URL(fileURLWithPath: path).path)
    }

    /// The picture with that ID, without what its file says; `nil` if the file cannot be read, or its metadata cannot be
    /// removed.
    ///
    /// - Throws: `CancellationError`.
    func picture(_ id: TripImage.ID) async throws -> TripImage? {
        guard let bytes else { return nil }
        return try await Self.picture(id, bytes)
    }

    /// The picture with that ID and these bytes, without what they say; `nil` if they are none, or their metadata cannot be
    /// removed.
    ///
    /// - Throws: `CancellationError`.
    static func picture(_ id: TripImage.ID, _ bytes: Data) async throws -> TripImage? {
        guard let image = try? TripImage(id: id, bytes: bytes) else { return nil }
        do {
            return try await picked(image, by: App.pictures).image
        } catch is TravelError {
            return nil
        }
    }

    /// The picture without what its file says about the place, the time, the camera and the person, because whoever sees
    /// a trip gets its pictures.
    ///
    /// JPEG, PNG, WebP and GIF are not decoded. HEIC, AVIF and JPEG in the colours of print become JPEG in those of screens.
    ///
    /// - Throws: `TravelError.invalid` for a picture from which that cannot be removed: a damaged one, and one of HEIC or
    ///   AVIF without a `converter`; `CancellationError`.
    static func picked(_ image: TripImage, by converter: PictureConverter?) async throws -> PickedImage {
        let shared: SharedPicture?
        do {
            shared = try await SharedPicture(image, by: converter)
        } catch let error as PictureConversionError {
            throw TravelError(error)
        }
        guard let shared else { throw TravelError.invalid(.init(.image, .keepsMetadata)) }
        return PickedImage(
            try TripImage(id: image.id, bytes: shared.bytes), taken: App.photos.photoDate(of: image),
            coordinate: App.photos.photoCoordinate(of: image))
    }

    /// The picture in the file at `path`, for a command; `nil` without a path, and for `none`.
    ///
    /// - Throws: `FileError` when it cannot be read, or is not a picture.
    static func picked(at path: String?) async throws -> PickedImage? {
        guard let path, path != "none" else { return nil }
        return try await picked(in: path)
    }

    /// The pictures in the files at `paths`, for a command.
    ///
    /// - Throws: `FileError` when one cannot be read, or is not a picture.
    static func picked(in paths: [String]) async throws -> [PickedImage] {
        var pictures: [PickedImage] = []
        for path in paths { pictures.append(try await picked(in: path)) }
        return pictures
    }

    /// The picture in the file at `path`, for a command.
    ///
    /// - Throws: `FileError` when it cannot be read, or is not a picture.
    static func picked(in path: String) async throws -> PickedImage {
        guard let bytes = ImageFile(path: path).bytes else {
            throw FileError(path, "the picture cannot be read; check the path", "사진을 읽을 수 없습니다. 경로를 확인하세요", .noInput)
        }
        do {
            return try await picked(TripImage(bytes: bytes), by: App.pictures)
        } catch let error as TravelError {
            throw FileError(path, "\(error)", error.text.korean, .dataError)
        }
    }
}

extension TravelError {
    fileprivate init(_ error: PictureConversionError) {
        self =
            switch error {
            case .tooManyPixels(let maximum): .invalid(.init(.image, .outOfRange("at most \(maximum) pixels")))
            case .undecodable: .invalid(.init(.image, .malformed(expected: "a complete picture")))
            case .noWorkingFolder:
                .unavailable(
                    .init(
                        "There is no room for temporary files: free space on the disk.", cause: .diskFull,
                        canRetry: true))
            }
    }
}

extension ImageFile {
    /// A path as a user types it, or as a terminal types it when a file is dropped on it: in quotation marks or with
    /// backslashes before spaces, with a space behind it, or with a tilde for the home directory.
    init(typed text: String) {
        var path = text.trimmingCharacters(in: .whitespaces)
        if let quote = path.first, "'\"".contains(quote), path.count > 1, path.last == quote {
            path = String(path.dropFirst().dropLast())
        } else {
            path = path.replacingOccurrences(of: "\\ ", with: " ")
        }
        self.path = (path as NSString).expandingTildeInPath
    }
}
