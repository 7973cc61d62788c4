#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A picture of a trip, as a camera or an app encoded it. It never changes: another picture is another image.
///
/// ```swift
/// let photo = try TravelImage(bytes: data)
/// photo.format    // .jpeg, told by the bytes
/// ```
///
/// Only how the bytes begin is looked at; whether the rest can be decoded, who shows the image will see.
public struct TravelImage: Hashable, Sendable, Identifiable {
    /// Which image it is.
    public let id: Identifier<TravelImage>
    /// The encoded picture.
    public let bytes: Data
    /// How it is encoded.
    public let format: ImageFormat

    /// How many bytes an image may have: 10 MiB.
    public static let maximumSize = 10 << 20

    /// The image encoded in `bytes`.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` when there are no bytes, when there are more than ``maximumSize``, or when
    ///   they do not begin as any ``ImageFormat`` does.
    public init(id: ID = ID(), bytes: Data) throws(TravelError) {
        guard !bytes.isEmpty else { throw .invalid(.init(.image, .empty)) }
        guard bytes.count <= Self.maximumSize else {
            throw .invalid(.init(.image, .tooLarge(maximumBytes: Self.maximumSize)))
        }
        guard let format = ImageFormat(of: bytes) else {
            throw .invalid(.init(.image, .malformed(expected: "a JPEG, PNG, GIF, WebP, HEIC or AVIF picture")))
        }
        self.id = id
        self.bytes = bytes
        self.format = format
    }
}
