import Foundation

/// Builds image files with Exif data, as cameras do.
struct ExifFile {
    enum Container: CaseIterable { case jpeg, png, webP }

    var isLittleEndian = true
    /// The entries of the first directory, and of that of Exif.
    var image: [(tag: Int, text: String)] = []
    var exif: [(tag: Int, text: String)] = []

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
        }
    }

    /// A header, the first directory with the way to that of Exif as its last entry, that of Exif, and the texts.
    private var tiff: [UInt8] {
        let exifOffset = 8 + 2 + 12 * (image.count + 1) + 4
        var textOffset = exifOffset + 2 + 12 * exif.count + 4
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
        tiff += number(image.count + 1, 2)
        for (tag, text) in image { tiff += entry(tag, text) }
        tiff += number(0x8769, 2) + number(4, 2) + number(1, 4) + number(exifOffset, 4) + number(0, 4)
        tiff += number(exif.count, 2)
        for (tag, text) in exif { tiff += entry(tag, text) }
        return tiff + number(0, 4) + texts
    }

    private func number(_ value: Int, _ size: Int) -> [UInt8] {
        isLittleEndian ? little(value, size) : big(value, size)
    }

    private func little(_ value: Int, _ size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private func big(_ value: Int, _ size: Int) -> [UInt8] { little(value, size).reversed() }
}
