package import TravelDomain

/// Builds pictures as phones and editors write them: with the metadata around the picture.
///
/// ``secret`` is in each of those parts: in the tags of the place, in XMP, IPTC, comments, thumbnails, and behind the end.
package struct PictureFile {
    package static let secret = "37.56650N-126.97800E"
    /// Data that stands for a decodable picture, and a colour profile.
    package static let (picture, profile) = (Array("PICTURE-DATA".utf8), Array("COLOUR-PROFILE".utf8))

    private let orientation: Int

    package init(orientation: Int = 6) {
        self.orientation = orientation
    }

    package var formats: [(format: ImageFormat, bytes: [UInt8])] {
        [(.jpeg, jpeg), (.png, png), (.webP, webP), (.gif, gif)]
    }

    package var jpeg: [UInt8] {
        func segment(_ code: UInt8, _ content: [UInt8]) -> [UInt8] {
            [0xFF, code] + big(content.count + 2, 2) + content
        }
        let jfif = segment(0xE0, bytes("JFIF\0") + [1, 2, 0, 0, 1, 0, 1, 8, 8] + secret)
        let metadata = [
            segment(0xE0, bytes("JFXX\0") + secret), segment(0xE1, bytes("Exif\0\0") + exif),
            segment(0xE1, bytes("http://ns.adobe.com/xap/1.0/\0") + secret),
            segment(0xED, bytes("Photoshop 3.0\08BIM") + secret), segment(0xFE, secret),
            segment(0xE2, bytes("MPF\0") + secret), segment(0xEB, secret),
        ]
        let kept = [
            segment(0xE2, bytes("ICC_PROFILE\0") + [1, 1] + Self.profile),
            segment(0xEE, bytes("Adobe") + [0, 100, 0, 0, 0, 0, 1]), segment(0xDB, [0, 1, 2]),
            segment(0xC2, [8, 0, 1, 0, 1, 1, 1, 17, 0]), segment(0xC4, [0, 3]),
        ]
        let scan = segment(0xDA, [1, 1, 0, 0, 63, 0]) + Self.picture + [0xFF, 0, 0xFF, 0xD0, 1]
        let film = [0xFF, 0xD8] + bytes("ftypmp42") + secret
        return [[0xFF, 0xD8], jfif, metadata.flatMap { $0 }, kept.flatMap { $0 }, scan, scan, [0xFF, 0xD9], film]
            .flatMap { $0 }
    }

    package var png: [UInt8] {
        func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
            big(content.count, 4) + bytes(type) + content + [9, 9, 9, 9]
        }
        return [
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], chunk("IHDR", big(1, 4) + big(1, 4) + [8, 2, 0, 0, 0]),
            chunk("tEXt", secret), chunk("zTXt", secret), chunk("iTXt", bytes("XML:com.adobe.xmp\0") + secret),
            chunk("tIME", [7, 230, 1, 1, 1, 1, 1]), chunk("iCCP", Self.profile), chunk("prVt", secret),
            chunk("IDAT", Self.picture), chunk("IDAT", Self.picture), chunk("eXIf", exif), chunk("IEND", []), secret,
        ].flatMap { $0 }
    }

    package var webP: [UInt8] {
        func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
            bytes(type) + big(content.count, 4).reversed() + content + (content.count % 2 == 0 ? [] : [0])
        }
        let frame = chunk("VP8 ", Self.picture) + chunk("ABCD", secret)
        let content = [
            bytes("WEBP"), chunk("VP8X", [0x2E, 0, 0, 0, 0, 0, 0, 0, 0, 0]), chunk("ICCP", Self.profile),
            chunk("ANIM", [0, 0, 0, 0, 0, 0]), chunk("ANMF", Array(repeating: 0, count: 16) + frame),
            chunk("EXIF", exif), chunk("XMP ", secret), chunk("WXYZ", secret),
        ].flatMap { $0 }
        return bytes("RIFF") + big(content.count, 4).reversed() + content + secret
    }

    package var gif: [UInt8] {
        func blocks(_ content: [UInt8]) -> [UInt8] { [UInt8(content.count)] + content + [0] }
        let comment = [0x21, 0xFE] + blocks(secret)
        return [
            bytes("GIF89a"), [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255],
            [0x21, 0xFF, 11] + bytes("NETSCAPE2.0") + [3, 1, 0, 0] + [UInt8(secret.count)] + secret + [0],
            [0x21, 0xFF, 11] + bytes("XMP DataXMP") + blocks(secret), comment,
            [0x21, 0xF9, 4, 0, 10, 0, 0, 0], [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2], blocks(Self.picture), comment,
            [0x21, 0x01] + blocks(secret), [0x3B], secret,
        ].flatMap { $0 }
    }

    /// Exif data with an orientation, the place in the directory of GPS, and the secret as the name of the author.
    private var exif: [UInt8] {
        func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
            big(tag, 2) + big(type, 2) + big(count, 4) + value
        }
        let gps = big(1, 2) + entry(2, 5, 3, big(68, 4)) + big(0, 4)
        let directory =
            big(3, 2) + entry(0x0112, 3, 1, big(orientation, 2) + [0, 0]) + entry(0x013B, 2, secret.count, big(92, 4))
            + entry(0x8825, 4, 1, big(50, 4)) + big(0, 4)
        return bytes("MM") + big(42, 2) + big(8, 4) + directory + gps + Self.latitude + secret
    }

    /// 37° 33′ 59.40″ as three fractions.
    package static let latitude: [UInt8] = [37, 1, 33, 1, 5_940, 100].flatMap { big($0, 4) }

    private var secret: [UInt8] { bytes(Self.secret) }
    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
    private func big(_ value: Int, _ size: Int) -> [UInt8] { Self.big(value, size) }
    private static func big(_ value: Int, _ size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }.reversed()
    }
}
