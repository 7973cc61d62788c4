#if canImport(ImageIO)
import ImageIO
#endif

/// A picture as other people get it: as it looks, and without a word about the camera, the place, the time or the person.
///
/// Parts of the file are copied only if they are needed to show the picture. Everything else is left out: Exif, XMP and
/// IPTC data, comments, thumbnails, and whatever follows the picture, such as the film of a motion photo. The colour
/// profile stays, and so does the orientation, as the only tag of a new Exif block. The picture is not decoded.
///
/// Browsers do not show HEIC, and AVIF keeps its metadata among its pictures: both become JPEG, on Apple platforms and by
/// ``init(_:longestSide:by:)``, and otherwise cannot be shared.
public struct SharedPicture: Sendable {
    /// The media type that is registered with IANA.
    public let mediaType: String
    public let bytes: Data

    /// Returns `nil` for a picture that cannot be shared: for its format, or because it is damaged.
    public init?(_ image: TripImage) {
        let file = ByteReader(image.bytes)
        let (mediaType, bytes): (String, Data?) =
            switch image.format {
            case .jpeg: ("image/jpeg", file.sharedJPEG)
            case .png: ("image/png", file.sharedPNG)
            case .gif: ("image/gif", file.sharedGIF)
            case .webP: ("image/webp", file.sharedWebP)
            case .heic, .avif: ("image/jpeg", Self.converted(image.bytes, longestSide: Self.longestSide))
            }
        guard let bytes else { return nil }
        self.mediaType = mediaType
        self.bytes = bytes
    }

    /// The picture with what `converter` decodes: HEIC, AVIF, and JPEG in the colours of print become JPEG in sRGB.
    ///
    /// - Parameters:
    ///   - image: The picture.
    ///   - longestSide: The most pixels in a direction; with `nil`, only what must be converted is, with at most 4,096. A
    ///     picture that is smaller, that cannot be decoded or that moves stays as it is, and so does one whose file would
    ///     not become smaller.
    ///   - converter: What decodes; without one, pictures are the same as those of ``init(_:)``.
    /// - Throws: ``PictureConversionError`` for a picture that must be converted, and cannot be; `CancellationError`.
    public init?(_ image: TripImage, longestSide: Int? = nil, by converter: PictureConverter?) async throws {
        guard let converter else {
            self.init(image)
            return
        }
        if Self.mustConvert(image) {
            self.init(jpeg: try await converter.jpeg(of: image, longestSide: longestSide ?? Self.longestSide))
            return
        }
        self.init(image)
        guard let longestSide, Self.needsConverter(image, longestSide: longestSide) else { return }
        do {
            let smaller = try await converter.jpeg(of: image, longestSide: longestSide)
            if smaller.count < bytes.count { self = SharedPicture(jpeg: smaller) }
        } catch is PictureConversionError {
            // The picture itself is shown.
        }
    }

    /// Whether a converter makes another picture of an image, in its own size or in a smaller one.
    static func needsConverter(_ image: TripImage, longestSide: Int?) -> Bool {
        if mustConvert(image) { return true }
        let file = ByteReader(image.bytes)
        guard let longestSide, image.format != .gif, !file.isAnimated(image.format),
            let size = file.pixelSize(image.format)
        else { return false }
        return size.longestSide > longestSide
    }

    private static func mustConvert(_ image: TripImage) -> Bool {
        switch image.format {
        case .heic, .avif: true
        case .jpeg: ByteReader(image.bytes).isCMYK
        case .png, .gif, .webP: false
        }
    }

    private init(jpeg: Data) {
        mediaType = "image/jpeg"
        bytes = jpeg
    }

    /// The most pixels in a direction of a picture that must be converted.
    private static let longestSide = 4_096

    #if canImport(ImageIO)
    // NB: not compiled on Linux.
    /// The picture as JPEG, upright.
    static func converted(_ bytes: Data, longestSide: Int) -> Data? {
        let options: [CFString: Any] = [
            kCGImageSourceCreateThumbnailFromImageAlways: true, kCGImageSourceCreateThumbnailWithTransform: true,
            kCGImageSourceThumbnailMaxPixelSize: longestSide,
        ]
        let output = NSMutableData()
        guard let source = CGImageSourceCreateWithData(bytes as CFData, nil),
            let picture = CGImageSourceCreateThumbnailAtIndex(source, 0, options as CFDictionary),
            let target = CGImageDestinationCreateWithData(output, "public.jpeg" as CFString, 1, nil)
        else { return nil }
        CGImageDestinationAddImage(target, picture, nil)
        return CGImageDestinationFinalize(target) ? ByteReader(output as Data).sharedJPEG : nil
    }
    #else
    private static func converted(_ bytes: Data, longestSide: Int) -> Data? { nil }
    #endif
}

extension ByteReader {
    /// An Exif block that has no other tag than the orientation; `nil` if the picture is upright.
    private var orientationBlock: Data? {
        guard let block = exifBlock, let file = TIFFFile(block),
            let orientation = file.short(.orientation, in: file.firstDirectory), (2...8).contains(orientation)
        else { return nil }
        let header: [UInt8] = [0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8]
        // One entry: tag, type, number of values, value. No directory follows.
        return Data(header + [0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation), 0, 0, 0, 0, 0, 0])
    }

    // MARK: JPEG

    /// A JPEG file (ISO/IEC 10918-1, annex B) with the segments that a decoder needs.
    var sharedJPEG: Data? {
        var jfif = Data()
        var rest = Data()
        var hasScan = false
        for (code, segment) in jpegSegments {
            switch code {
            case 0xE0: if jfif.isEmpty { jfif = segment.jfifHeader ?? Data() }
            case 0xE2: if segment.has("ICC_PROFILE\0".utf8, at: 4) { rest += segment.bytes }
            case 0xEE:
                // What the colours of the components are, without anything behind it.
                if segment.has("Adobe".utf8, at: 4), let adobe = segment.part(at: 4, count: 12) {
                    rest += [0xFF, 0xEE, 0, 14] + adobe.bytes
                }
            // Tables, frames and scans; other applications' segments, comments and extensions are left out.
            case 0, 0xC0...0xC7, 0xC9...0xCF, 0xDA...0xDF:
                rest += segment.bytes
                hasScan = hasScan || code == 0xDA
            default: break
            }
        }
        guard hasScan else { return nil }
        let exif = orientationBlock.map { Data([0xFF, 0xE1, 0, UInt8(8 + $0.count)] + "Exif\0\0".utf8) + $0 } ?? Data()
        return Data([0xFF, 0xD8]) + jfif + exif + rest + [0xFF, 0xD9]
    }

    /// The application segment 0 of JFIF (ISO/IEC 10918-5) without its thumbnail; `nil` for any other.
    private var jfifHeader: Data? {
        guard has("JFIF\0".utf8, at: 4), let header = part(at: 4, count: 12) else { return nil }
        return Data([0xFF, 0xE0, 0, 16]) + header.bytes + [0, 0]
    }

    // MARK: PNG

    /// A PNG file (Portable Network Graphics, third edition) with the chunks that change how it looks.
    fileprivate var sharedPNG: Data? {
        let kept: Set = [
            "PLTE", "IDAT", "tRNS", "cHRM", "gAMA", "iCCP", "sBIT", "sRGB", "cICP", "mDCV", "cLLI", "bKGD", "pHYs",
            "acTL", "fcTL", "fdAT",
        ]
        guard number(at: 8, size: 4) == 13, has("IHDR".utf8, at: 12), let start = part(at: 0, count: 33) else {
            return nil
        }
        var output = start.bytes
        if let block = orientationBlock { output += Self.chunk("eXIf", block) }
        var hasData = false
        for (type, chunk) in pngChunks(from: 33) {
            if type == "IEND" { break }
            if kept.contains(type) { output += chunk.bytes }
            hasData = hasData || type == "IDAT"
        }
        return hasData ? output + Self.chunk("IEND", Data()) : nil
    }

    /// A chunk of a PNG file: length, type, data, checksum (CRC-32 of ISO 3309).
    private static func chunk(_ type: String, _ data: Data) -> Data {
        let content = Data(type.utf8) + data
        var remainder: UInt32 = .max
        for byte in content {
            remainder ^= UInt32(byte)
            for _ in 0..<8 { remainder = remainder & 1 == 1 ? 0xEDB8_8320 ^ remainder >> 1 : remainder >> 1 }
        }
        func big(_ number: UInt32) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } }
        return big(UInt32(data.count)) + content + big(~remainder)
    }

    // MARK: WebP

    /// A WebP file (RFC 9649) with its pictures and their colour profile.
    fileprivate var sharedWebP: Data? {
        guard let size = number(at: 4, size: 4, isLittleEndian: true),
            let content = part(at: 12, count: min(max(size - 4, 0), count - 12))
        else { return nil }
        let block = orientationBlock
        var output = Data("WEBP".utf8)
        var (hasPicture, isExtended) = (false, false)
        for (type, content) in content.webPChunks(from: 0) {
            switch type {
            case "VP8X":
                guard var header = content.part(at: 0, count: 10).map({ Data($0.bytes) }) else { return nil }
                // The bits of Exif and XMP.
                header[header.startIndex] = header[header.startIndex] & ~0x0C | (block == nil ? 0 : 0x08)
                output += Self.webPChunk(type, header)
                isExtended = true
            case "ANMF":
                guard let header = content.part(at: 0, count: 16),
                    let frames = content.part(at: 16, count: content.count - 16)
                else { continue }
                let pictures = frames.webPChunks(from: 0).filter { Self.webPPictures.contains($0.type) }
                output += Self.webPChunk(
                    type, pictures.reduce(header.bytes) { $0 + Self.webPChunk($1.type, $1.content.bytes) })
                hasPicture = hasPicture || !pictures.isEmpty
            case "ICCP", "ANIM": output += Self.webPChunk(type, content.bytes)
            case _ where Self.webPPictures.contains(type):
                output += Self.webPChunk(type, content.bytes)
                hasPicture = true
            default: break
            }
        }
        guard hasPicture else { return nil }
        if let block, isExtended { output += Self.webPChunk("EXIF", block) }
        return Self.webPChunk("RIFF", output)
    }

    private static let webPPictures: Set = ["VP8 ", "VP8L", "ALPH"]

    private static func webPChunk(_ type: String, _ content: Data) -> Data {
        let size = [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: content.count >> $0) }
        return Data(type.utf8) + size + content + Data(count: content.count % 2)
    }

    // MARK: GIF

    /// A GIF file (GIF89a) with its pictures, their timing, and how often they repeat.
    fileprivate var sharedGIF: Data? {
        guard let flags = number(at: 10, size: 1) else { return nil }
        var offset = 13 + Self.sizeOfColors(flags)
        guard var output = part(at: 0, count: offset)?.bytes else { return nil }
        var hasPicture = false
        while let kind = number(at: offset, size: 1) {
            switch kind {
            case 0x21:
                guard let label = number(at: offset + 1, size: 1), let end = endOfBlocks(from: offset + 2) else {
                    break
                }
                if label == 0xF9, end - offset == 8 {
                    output += part(at: offset, count: 8)?.bytes ?? Data()
                } else if label == 0xFF, has("\u{0B}NETSCAPE2.0\u{03}\u{01}".utf8, at: offset + 2),
                    let loop = part(at: offset, count: 18)
                {
                    output += loop.bytes + [0]
                }
                offset = end
                continue
            case 0x2C:
                guard let flags = number(at: offset + 9, size: 1),
                    let end = endOfBlocks(from: offset + 11 + Self.sizeOfColors(flags)),
                    let picture = part(at: offset, count: end - offset)
                else { break }
                output += picture.bytes
                hasPicture = true
                offset = end
                continue
            default: break
            }
            // The end, or damage.
            break
        }
        return hasPicture ? output + [0x3B] : nil
    }

    /// The size of a colour table, from the byte that describes it.
    private static func sizeOfColors(_ flags: Int) -> Int { flags & 0x80 == 0 ? 0 : 3 << (flags & 7 + 1) }

    /// The offset after the data blocks that begin at an offset; `nil` if their end is missing.
    private func endOfBlocks(from start: Int) -> Int? {
        var offset = start
        while let size = number(at: offset, size: 1) {
            offset += 1 + size
            if size == 0 { return offset }
        }
        return nil
    }
}
