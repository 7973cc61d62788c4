/// An encoded picture of a trip or a user. It is immutable: a different picture is a different image.
///
/// Only the first bytes are checked; the rest of the picture is not decoded.
public struct TripImage: Hashable, Sendable, Identifiable {
    /// The ID of the image, unique among all trips and people.
    public let id: Identifier<TripImage>
    /// The encoded picture, exactly as it was added.
    public let bytes: Data
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

/// The encoding of a picture, detected from its first bytes.
public enum ImageFormat: String, CaseIterable, Hashable, Sendable {
    case jpeg
    case png
    case gif
    case webP
    /// HEIF with HEVC-coded pictures (ISO/IEC 23008-12).
    case heic
    /// HEIF with AV1-coded pictures (AVIF).
    case avif

    /// Detects the format of `bytes`; `nil` when they begin with no known signature.
    public init?(of bytes: Data) {
        let start = Array(bytes.prefix(12))
        func has(_ expected: [UInt8], at offset: Int = 0) -> Bool { start.dropFirst(offset).starts(with: expected) }
        func has(_ expected: StaticString, at offset: Int = 0) -> Bool {
            expected.withUTF8Buffer { has(Array($0), at: offset) }
        }

        if has([0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if has("GIF87a") || has("GIF89a") {
            self = .gif
        } else if has("RIFF"), has("WEBP", at: 8) {
            self = .webP
        } else if has("ftyp", at: 4), let format = Self.brands[String(decoding: start.dropFirst(8), as: UTF8.self)] {
            self = format
        } else {
            return nil
        }
    }

    /// The major brands of ISO base media files that contain pictures.
    private static let brands: [String: ImageFormat] = [
        "heic": .heic, "heix": .heic, "heim": .heic, "heis": .heic, "hevc": .heic, "hevx": .heic, "mif1": .heic,
        "msf1": .heic, "avif": .avif, "avis": .avif,
    ]
}
