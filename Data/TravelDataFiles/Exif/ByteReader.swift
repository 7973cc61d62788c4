#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Reads bytes by their offset, with bounds checks and without a copy.
struct ByteReader {
    let bytes: Data

    init(_ bytes: Data) {
        self.bytes = bytes
    }

    var count: Int { bytes.count }

    /// The part at an offset; `nil` if it exceeds the bytes.
    func part(at offset: Int, count: Int) -> ByteReader? {
        guard offset >= 0, count >= 0, offset <= bytes.count, count <= bytes.count - offset else { return nil }
        let start = bytes.startIndex + offset
        return ByteReader(bytes[start..<start + count])
    }

    /// The unsigned number of `size` bytes, at most 8, at an offset; `nil` if it exceeds the bytes, or is not less than
    /// 2⁴⁸, so that sums of such numbers do not overflow.
    func number(at offset: Int, size: Int, isLittleEndian: Bool = false) -> Int? {
        guard size <= 8, let part = part(at: offset, count: size) else { return nil }
        let bytes = isLittleEndian ? Array(part.bytes.reversed()) : Array(part.bytes)
        let number = bytes.reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        return number < 1 << 48 ? Int(number) : nil
    }

    /// Whether these bytes are at an offset.
    func has(_ expected: some Collection<UInt8>, at offset: Int) -> Bool {
        part(at: offset, count: expected.count)?.bytes.elementsEqual(expected) ?? false
    }

    /// The text up to the first zero byte, decoded as UTF-8.
    var text: String { String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }
}

extension ByteReader {
    /// The block of Exif data of an image file, which is in the form of a TIFF file; `nil` if there is none.
    var exifBlock: ByteReader? {
        if has([0xFF, 0xD8], at: 0) { return exifBlockOfJPEG }
        if has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], at: 0) { return exifBlockOfPNG }
        if has("RIFF".utf8, at: 0), has("WEBP".utf8, at: 8) { return exifBlockOfWebP }
        if has("ftyp".utf8, at: 4) { return exifBlockOfHEIF }
        return nil
    }

    /// The application segment 1 of a JPEG file that begins with `Exif` (ISO/IEC 10918-1, B.1.1).
    private var exifBlockOfJPEG: ByteReader? {
        var offset = 2
        while let marker = number(at: offset, size: 2), marker >> 8 == 0xFF {
            switch marker & 0xFF {
            case 0xFF:
                // A fill byte.
                offset += 1
            case 0x01, 0xD0...0xD7:
                // A marker without a segment.
                offset += 2
            case 0xD9, 0xDA:
                // The picture begins, or the file ends: no application segment follows.
                return nil
            default:
                guard let length = number(at: offset + 2, size: 2), length >= 2 else { return nil }
                if marker == 0xFFE1, length >= 8, has("Exif\0\0".utf8, at: offset + 4) {
                    return part(at: offset + 10, count: length - 8)
                }
                offset += 2 + length
            }
        }
        return nil
    }

    /// The chunk `eXIf` of a PNG file (Portable Network Graphics, third edition, 11.3.5).
    private var exifBlockOfPNG: ByteReader? {
        var offset = 8
        while let length = number(at: offset, size: 4) {
            if has("eXIf".utf8, at: offset + 4) { return part(at: offset + 8, count: length) }
            // Length, type, data and checksum.
            offset += 12 + length
        }
        return nil
    }

    /// The chunk `EXIF` of a WebP file (RFC 9649, 2.7.1.5).
    private var exifBlockOfWebP: ByteReader? {
        var offset = 12
        while let length = number(at: offset + 4, size: 4, isLittleEndian: true) {
            if has("EXIF".utf8, at: offset) {
                // Some programs keep the prefix of JPEG files.
                let prefix = has("Exif\0\0".utf8, at: offset + 8) && length >= 6 ? 6 : 0
                return part(at: offset + 8 + prefix, count: length - prefix)
            }
            // An odd length is padded.
            offset += 8 + length + length % 2
        }
        return nil
    }
}
