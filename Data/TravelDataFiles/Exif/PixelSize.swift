/// The width and height of a picture in pixels, as stored: before it is turned upright.
struct PixelSize: Hashable {
    var width: Int
    var height: Int

    var longestSide: Int { max(width, height) }
    /// Width and height are less than 2³², so that the product may not fit.
    var count: Int {
        let (count, overflows) = width.multipliedReportingOverflow(by: height)
        return overflows ? .max : count
    }
}

extension ByteReader {
    /// What the headers of a picture say of its size, each side the largest that any of them says; `nil` if none does, or
    /// a side is 0. Nothing is decoded.
    func pixelSize(_ format: ImageFormat) -> PixelSize? {
        let sizes =
            switch format {
            case .jpeg: jpegFrames.map(\.size)
            case .png: size(at: 16, bytes: 4).map { [$0] } ?? []
            case .gif: size(at: 6, bytes: 2, isLittleEndian: true).map { [$0] } ?? []
            case .webP: webPChunks(from: 12).compactMap { $0.content.webPSize($0.type) }
            case .heic, .avif: pixelSizesOfHEIF
            }
        let size = sizes.reduce(PixelSize(width: 0, height: 0)) {
            PixelSize(width: max($0.width, $1.width), height: max($0.height, $1.height))
        }
        return size.width > 0 && size.height > 0 ? size : nil
    }

    /// Whether a JPEG file has four components: cyan, magenta, yellow and black, which not all programs show.
    var isCMYK: Bool { jpegFrames.contains { $0.components == 4 } }

    /// Whether a PNG or WebP file has several pictures in time.
    func isAnimated(_ format: ImageFormat) -> Bool {
        switch format {
        case .png: pngChunks(from: 8).contains { $0.type == "acTL" }
        case .webP: webPChunks(from: 12).contains { $0.type == "ANIM" || $0.type == "ANMF" }
        case .gif, .heic, .avif, .jpeg: false
        }
    }

    /// The headers of the frames of a JPEG file (ISO/IEC 10918-1, B.2.2); a file that is not damaged has one.
    private var jpegFrames: [(size: PixelSize, components: Int)] {
        jpegSegments.compactMap { code, segment in
            guard (0xC0...0xCF).contains(code), ![0xC4, 0xC8, 0xCC].contains(code),
                let height = segment.number(at: 5, size: 2), let width = segment.number(at: 7, size: 2),
                let components = segment.number(at: 9, size: 1)
            else { return nil }
            return (PixelSize(width: width, height: height), components)
        }
    }

    private func size(at offset: Int, bytes: Int, isLittleEndian: Bool = false) -> PixelSize? {
        guard let width = number(at: offset, size: bytes, isLittleEndian: isLittleEndian),
            let height = number(at: offset + bytes, size: bytes, isLittleEndian: isLittleEndian)
        else { return nil }
        return PixelSize(width: width, height: height)
    }

    /// The size in a chunk of a WebP file (RFC 9649, 2.5 to 2.7; RFC 6386, 9.1).
    private func webPSize(_ type: String) -> PixelSize? {
        switch type {
        case "VP8X":
            return size(at: 4, bytes: 3, isLittleEndian: true).map {
                PixelSize(width: $0.width + 1, height: $0.height + 1)
            }
        case "VP8 ":
            guard has([0x9D, 0x01, 0x2A], at: 3) else { return nil }
            return size(at: 6, bytes: 2, isLittleEndian: true).map {
                PixelSize(width: $0.width & 0x3FFF, height: $0.height & 0x3FFF)
            }
        case "VP8L":
            guard has([0x2F], at: 0), let bits = number(at: 1, size: 4, isLittleEndian: true) else { return nil }
            return PixelSize(width: bits & 0x3FFF + 1, height: bits >> 14 & 0x3FFF + 1)
        default: return nil
        }
    }
}
