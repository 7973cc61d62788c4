internal import Synchronization

/// Makes the smaller pictures of pages, and remembers which cannot be made.
///
/// ```swift
/// let smaller = SmallerPictures(by: PictureConverter())
/// if let convert = smaller.conversion(of: image, longestSide: 320) {
///     await convert()    // a JPEG with 320 × 240 pixels of a photo of 4,032 × 3,024
/// }
/// ```
///
/// A store keeps them beside their images (`ImageRepository.keep(_:of:in:)`). For one that does not, the last are in memory.
public final class SmallerPictures: Sendable {
    private struct Key: Hashable {
        let image: TripImage.ID
        /// Of the bytes: an ID may be that of another image once its image is removed.
        let digest: Int
        let longestSide: Int?
    }

    private struct State {
        /// `nil` for an image that cannot be converted, which costs most.
        var made: [Key: Data?] = [:]
        var size = 0
    }

    private let converter: PictureConverter?
    private let limit: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - converter: Decodes; without one, there are no smaller pictures.
    ///   - limit: The most bytes that are in memory.
    public init(by converter: PictureConverter?, limit: Int = 16 << 20) {
        self.converter = converter
        self.limit = limit
    }

    /// Returns what makes a JPEG of an image with at most so many pixels in a direction, without metadata; with `nil`, one in
    /// its own size, of an image that must be converted to be shared.
    ///
    /// `nil` where `SharedPicture(image)` is the one to show: without a converter, for a small picture, an animation, one whose
    /// conversion has failed before, and a JPEG that was not smaller. What it returns gives `nil` for one that fails now, and
    /// when its task is cancelled.
    public func conversion(of image: TripImage, longestSide: Int?) -> (@Sendable () async -> Data?)? {
        guard let converter, SharedPicture.needsConverter(image, longestSide: longestSide) else { return nil }
        // The hash of `Data` is that of its first bytes.
        let digest = image.bytes.withUnsafeBytes { bytes in
            var hasher = Hasher()
            hasher.combine(bytes: bytes)
            return hasher.finalize()
        }
        let key = Key(image: image.id, digest: digest, longestSide: longestSide)
        switch state.withLock({ $0.made[key] }) {
        case .some(.some(let made)): return { made }
        case .some(.none): return nil
        case .none: break
        }
        return { [self] in
            do {
                let picture = try await SharedPicture(image, longestSide: longestSide, by: converter)
                // One that is not smaller has the bytes of the image.
                let made = picture?.bytes == SharedPicture(image)?.bytes ? nil : picture?.bytes
                remember(made, key)
                return made
            } catch PictureConversionError.noWorkingFolder {
                // It may go well when there is room.
                return nil
            } catch is PictureConversionError {
                remember(nil, key)
                return nil
            } catch {
                return nil
            }
        }
    }

    /// When there is no more room, all are forgotten, and made again when they are asked for.
    private func remember(_ picture: Data?, _ key: Key) {
        let size = 128 + (picture?.count ?? 0)
        guard size <= limit else { return }
        let forgotten = state.withLock { state in
            var forgotten: [Key: Data?] = [:]
            if state.size + size > limit { (forgotten, state) = (state.made, State()) }
            if state.made.updateValue(picture, forKey: key) == nil { state.size += size }
            return forgotten
        }
        withExtendedLifetime(forgotten) {}
    }
}
