#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// An encoded picture of a trip or a person. It is immutable: a different picture is a different image.
///
/// ```swift
/// let photo = try TravelImage(bytes: data)
/// photo.format    // .jpeg, detected from the bytes
/// ```
///
/// Only the first bytes are checked; the rest of the picture is not decoded.
public struct TravelImage: Hashable, Sendable, Identifiable {
    /// The ID of the image, unique among all travels and people.
    public let id: Identifier<TravelImage>
    /// The encoded picture, exactly as it was added.
    public let bytes: Data
    /// The encoding of the picture, found in its first bytes.
    public let format: ImageFormat

    /// The maximum size of an image in bytes: 10 MiB.
    public static let maximumSize = 10 << 20

    /// Creates an image from its encoded `bytes`.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` when `bytes` is empty, is larger than ``maximumSize``, or does not begin
    ///   with the signature of an ``ImageFormat``.
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
