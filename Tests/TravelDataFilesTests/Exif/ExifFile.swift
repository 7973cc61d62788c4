import Foundation

/// Builds image files with Exif data, as cameras do.
struct ExifFile {
    enum Container: CaseIterable { case jpeg, png, webP, heic, avif }

    var isLittleEndian = true
    /// The entries of the first directory, and of that of Exif.
    var image: [(tag: Int, text: String)] = []
    var exif: [(tag: Int, text: String)] = []
    /// The position: the hemispheres, and degrees, minutes and seconds as fractions.
    var position: (latitude: (String, [(Int, Int)]), longitude: (String, [(Int, Int)]))?

    func data(in container: Container) -> Data {
        let tiff = self.tiff
        switch container {
        case .jpeg:
            let segment = Array("Exif\0\0".utf8) + tiff
            let comment: [UInt8] = [0xFF, 0xFE, 0, 4, 0x61, 0x62]
            return Data(
                [0xFF, 0xD8] + comment + [0xFF, 0xFF, 0xE1] + big(segment.count + 2, 2) + segment + [0xFF, 0xD9])
        case .png:
            let header = big(13, 4) + Array("IHDR".utf8) + Array(repeating: 0, count: 17)
            let chunk = big(tiff.count, 4) + Array("eXIf".utf8) + tiff + [0, 0, 0, 0]
            return Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + header + chunk)
        case .webP:
            let picture = Array("VP8 ".utf8) + little(3, 4) + [1, 2, 3, 0]
            let chunk = Array("EXIF".utf8) + little(tiff.count, 4) + tiff
            let content = Array("WEBP".utf8) + picture + chunk
            return Data(Array("RIFF".utf8) + little(content.count, 4) + content)
        case .heic: return heic
        case .avif: return avif
        }
    }

    /// The item is at the end of the file, in versions with short numbers.
    private var heic: Data {
        let start = box("ftyp", [bytes("heic"), big(0, 4), bytes("mif1")])
        let picture = [UInt8](repeating: 7, count: 9)
        let exif: [UInt8] = [big(6, 4), bytes("Exif\0\0"), tiff].flatMap { $0 }
        func place(_ item: Int, _ offset: Int, _ count: Int) -> [UInt8] {
            [big(item, 2), big(0, 2), big(1, 2), big(offset, 4), big(count, 4)].flatMap { $0 }
        }
        func meta(_ first: Int) -> [UInt8] {
            let main = box("infe", [big(0x0200_0000, 4), big(1, 2), big(0, 2), bytes("hvc1\0")])
            let item = box("infe", [big(0x0200_0001, 4), big(2, 2), big(0, 2), bytes("Exif\0")])
            let items = box("iinf", [big(0, 4), big(2, 2), main, item])
            let places = [place(1, first, picture.count), place(2, first + picture.count, exif.count)]
            let iloc = box("iloc", [big(0, 4), big(0x4400, 2), big(2, 2)] + places)
            return box("meta", [big(0, 4), box("hdlr", [big(0, 8), bytes("pict")]), items, iloc])
        }
        let first = start.count + meta(0).count + 8
        return Data(start + meta(first) + box("mdat", [picture, exif]))
    }

    /// The item is within `meta`, in versions with long numbers, and the box of the pictures is first, with a long
    /// size.
    private var avif: Data {
        let start = box("ftyp", [bytes("avif"), big(0, 4), bytes("mif1")])
        let exif: [UInt8] = big(0, 4) + tiff
        let item = box("infe", [big(0x0300_0000, 4), big(70_000, 4), big(0, 2), bytes("Exif\0")])
        let items = box("iinf", [big(0x0100_0000, 4), big(1, 4), item])
        let place = [
            big(70_000, 4), big(1, 2), big(0, 2), big(2, 8), big(1, 2), big(1, 4), big(3, 8), big(exif.count, 8),
        ]
        let iloc = box("iloc", [big(0x0200_0000, 4), big(0x8884, 2), big(1, 4)] + place)
        let idat = box("idat", [[9, 9, 9, 9, 9], exif])
        let pictures: [UInt8] = [big(1, 4), bytes("mdat"), big(20, 8), [1, 2, 3, 4]].flatMap { $0 }
        return Data(start + pictures + box("meta", [big(0, 4), iloc, items, idat]))
    }

    /// A header, the first directory with the ways to those of Exif and of the position as its last entries, these two,
    /// and the texts.
    private var tiff: [UInt8] {
        let exifOffset = 8 + 2 + 12 * (image.count + (position == nil ? 1 : 2)) + 4
        let positionOffset = exifOffset + 2 + 12 * exif.count + 4
        var textOffset = positionOffset + (position == nil ? 0 : 2 + 12 * 4 + 4)
        var texts: [UInt8] = []
        func entry(_ tag: Int, _ text: String) -> [UInt8] {
            let bytes = Array(text.utf8) + [0]
            let start = number(tag, 2) + number(2, 2) + number(bytes.count, 4)
            if bytes.count <= 4 { return start + bytes + Array(repeating: 0, count: 4 - bytes.count) }
            defer {
                texts += bytes
                textOffset += bytes.count
            }
            return start + number(textOffset, 4)
        }
        var tiff: [UInt8] = (isLittleEndian ? [0x49, 0x49] : [0x4D, 0x4D]) + number(42, 2) + number(8, 4)
        func fractions(_ tag: Int, _ values: [(Int, Int)]) -> [UInt8] {
            defer {
                for (numerator, denominator) in values { texts += number(numerator, 4) + number(denominator, 4) }
                textOffset += 8 * values.count
            }
            return number(tag, 2) + number(5, 2) + number(values.count, 4) + number(textOffset, 4)
        }
        tiff += number(image.count + (position == nil ? 1 : 2), 2)
        for (tag, text) in image { tiff += entry(tag, text) }
        tiff += number(0x8769, 2) + number(4, 2) + number(1, 4) + number(exifOffset, 4)
        if position != nil { tiff += number(0x8825, 2) + number(4, 2) + number(1, 4) + number(positionOffset, 4) }
        tiff += number(0, 4) + number(exif.count, 2)
        for (tag, text) in exif { tiff += entry(tag, text) }
        tiff += number(0, 4)
        if let position {
            tiff += number(4, 2) + entry(1, position.latitude.0) + fractions(2, position.latitude.1)
            tiff += entry(3, position.longitude.0) + fractions(4, position.longitude.1) + number(0, 4)
        }
        return tiff + texts
    }

    /// A box of ISO/IEC 14496-12.
    private func box(_ type: String, _ parts: [[UInt8]]) -> [UInt8] {
        let content: [UInt8] = parts.flatMap { $0 }
        return big(8 + content.count, 4) + bytes(type) + content
    }

    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    private func number(_ value: Int, _ size: Int) -> [UInt8] {
        isLittleEndian ? little(value, size) : big(value, size)
    }

    private func little(_ value: Int, _ size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private func big(_ value: Int, _ size: Int) -> [UInt8] { little(value, size).reversed() }
}
