/// Reads bytes by their offset, with bounds checks and without a copy.
struct ByteReader {
    let bytes: Data

    init(_ bytes: Data) {
        self.bytes = bytes
    }

    var count: Int { bytes.count }

    /// The part at an offset; `nil` if it exceeds the bytes.
    func part(at offset: Int, count: Int) -> ByteReader? {
        guard isInside(offset, count: count) else { return nil }
        let start = bytes.startIndex + offset
        return ByteReader(bytes[start..<start + count])
    }

    private func isInside(_ offset: Int, count: Int) -> Bool {
        offset >= 0 && count >= 0 && offset <= bytes.count && count <= bytes.count - offset
    }

    /// The unsigned number of `size` bytes, at most 8, at an offset; `nil` if it exceeds the bytes, or is not less than
    /// 2⁴⁸, so that sums of such numbers do not overflow.
    func number(at offset: Int, size: Int, isLittleEndian: Bool = false) -> Int? {
        guard size <= 8, isInside(offset, count: size) else { return nil }
        // The buffer is not used outside of the closure, and each index is less than its count. A copy of the part would
        // take longer than all else: a file of a megabyte may have a quarter of a million segments.
        let number = bytes.withUnsafeBytes { bytes in
            (offset..<offset + size).reduce(into: 0 as UInt64) { number, index in
                let byte = UInt64(bytes[index])
                number = isLittleEndian ? number | byte << (8 * UInt64(index - offset)) : number << 8 | byte
            }
        }
        return number < 1 << 48 ? Int(number) : nil
    }

    /// Whether these bytes are at an offset.
    func has(_ expected: some Collection<UInt8>, at offset: Int) -> Bool {
        guard isInside(offset, count: expected.count) else { return false }
        // The buffer is not used outside of the closure.
        return bytes.withUnsafeBytes { $0[offset..<offset + expected.count].elementsEqual(expected) }
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

    /// The application segment 1 of a JPEG file that begins with `Exif`.
    private var exifBlockOfJPEG: ByteReader? {
        for (code, segment) in jpegSegments {
            // The picture begins: no application segment follows.
            if code == 0xDA { return nil }
            if code == 0xE1, segment.has("Exif\0\0".utf8, at: 4) {
                return segment.part(at: 10, count: segment.count - 10)
            }
        }
        return nil
    }

    /// The complete segments of a JPEG file (ISO/IEC 10918-1, B.1.1) with the codes of their markers, and 0 for the
    /// entropy-coded data behind the header of a scan. They end with the picture.
    var jpegSegments: some Sequence<(code: Int, segment: ByteReader)> {
        sequence(state: (offset: 2, isInScan: false)) { state in
            if state.isInScan {
                let start = state.offset
                state = (endOfScan(from: start), false)
                return part(at: start, count: state.offset - start).map { (0, $0) }
            }
            while let marker = number(at: state.offset, size: 2), marker >> 8 == 0xFF {
                switch marker & 0xFF {
                // A fill byte, and a marker without a segment.
                case 0xFF: state.offset += 1
                case 0x01, 0xD0...0xD7: state.offset += 2
                // The end, or the beginning of another picture.
                case 0xD8, 0xD9: return nil
                case let code:
                    guard let length = number(at: state.offset + 2, size: 2), length >= 2,
                        let segment = part(at: state.offset, count: 2 + length)
                    else { return nil }
                    state = (state.offset + 2 + length, code == 0xDA)
                    return (code, segment)
                }
            }
            return nil
        }
    }

    /// The offset of the marker after the entropy-coded data that begins at an offset, or the end of the file.
    private func endOfScan(from start: Int) -> Int {
        // The buffer is not used outside of the closure; `start` is at most its count, and each index is less.
        bytes.withUnsafeBytes { bytes in
            var offset = start
            while let lead = bytes[offset...].firstIndex(of: 0xFF), lead + 1 < bytes.count {
                // FF00 is a byte of data; restart markers belong to the data.
                let next = bytes[lead + 1]
                if next != 0, !(0xD0...0xD7).contains(next) { return lead }
                offset = lead + 2
            }
            return bytes.count
        }
    }

    /// The chunk `eXIf` of a PNG file (Portable Network Graphics, third edition, 11.3.5).
    private var exifBlockOfPNG: ByteReader? {
        guard let chunk = pngChunks(from: 8).first(where: { $0.type == "eXIf" })?.chunk else { return nil }
        return chunk.part(at: 8, count: chunk.count - 12)
    }

    /// The complete chunks of a PNG file from an offset on: length, type, data and checksum.
    func pngChunks(from start: Int) -> some Sequence<(type: String, chunk: ByteReader)> {
        sequence(state: start) { offset in
            guard let length = number(at: offset, size: 4), let chunk = part(at: offset, count: 12 + length),
                let type = chunk.part(at: 4, count: 4)?.text
            else { return nil }
            offset += 12 + length
            return (type, chunk)
        }
    }

    /// The chunk `EXIF` of a WebP file (RFC 9649, 2.7.1.5).
    private var exifBlockOfWebP: ByteReader? {
        guard let block = webPChunks(from: 12).first(where: { $0.type == "EXIF" })?.content else { return nil }
        // Some programs keep the prefix of JPEG files.
        return block.has("Exif\0\0".utf8, at: 0) ? block.part(at: 6, count: block.count - 6) : block
    }

    /// The complete chunks of a WebP file, or of a frame of it, from an offset on. An odd length is padded.
    func webPChunks(from start: Int) -> some Sequence<(type: String, content: ByteReader)> {
        sequence(state: start) { offset in
            guard let length = number(at: offset + 4, size: 4, isLittleEndian: true),
                let type = part(at: offset, count: 4)?.text, let content = part(at: offset + 8, count: length)
            else { return nil }
            offset += 8 + length + length % 2
            return (type, content)
        }
    }
}

extension ByteReader {
    /// The item `Exif` of a HEIF file (ISO/IEC 23008-12, A.2). The box `meta` lists the items in `iinf`, and says in
    /// `iloc` where each is (ISO/IEC 14496-12, 8.11).
    var exifBlockOfHEIF: ByteReader? {
        guard let meta = content(of: "meta", from: 0), let item = meta.content(of: "iinf", from: 4)?.exifItem,
            let place = meta.content(of: "iloc", from: 4)?.place(ofItem: item),
            let source = place.isInMeta ? meta.content(of: "idat", from: 4) : self,
            // A length of 0 reaches to the end.
            let data = source.part(
                at: place.offset, count: place.length > 0 ? place.length : source.count - place.offset),
            // The number of bytes before the TIFF file: none, or `Exif` and two zeros.
            let prefix = data.number(at: 0, size: 4)
        else { return nil }
        return data.part(at: 4 + prefix, count: data.count - 4 - prefix)
    }

    /// The box at an offset; `nil` unless all of it is there.
    private func box(at offset: Int) -> (header: Int, size: Int)? {
        guard let short = number(at: offset, size: 4) else { return nil }
        var box = (header: 8, size: short)
        switch short {
        case 0: box.size = count - offset
        case 1:
            guard let long = number(at: offset + 8, size: 8) else { return nil }
            box = (header: 16, size: long)
        default: break
        }
        return box.size >= box.header && box.size <= count - offset ? box : nil
    }

    /// What the first box of a type contains, among the boxes from an offset on.
    private func content(of type: String, from start: Int) -> ByteReader? {
        var offset = start
        while let box = box(at: offset) {
            if has(type.utf8, at: offset + 4) { return part(at: offset + box.header, count: box.size - box.header) }
            offset += box.size
        }
        return nil
    }

    /// The sizes of all pictures of a HEIF file, the parts of others among them: the boxes `ispe` (ISO/IEC 23008-12,
    /// 6.5.3) of the properties in `iprp`.
    var pixelSizesOfHEIF: [PixelSize] {
        guard let properties = content(of: "meta", from: 0)?.content(of: "iprp", from: 4)?.content(of: "ipco", from: 0)
        else { return [] }
        var sizes: [PixelSize] = []
        var offset = 0
        while let box = properties.box(at: offset) {
            let content = offset + box.header
            if properties.has("ispe".utf8, at: offset + 4), let width = properties.number(at: content + 4, size: 4),
                let height = properties.number(at: content + 8, size: 4)
            {
                sizes.append(PixelSize(width: width, height: height))
            }
            offset += box.size
        }
        return sizes
    }

    /// The ID of the first item of the type `Exif`, in the content of `iinf`.
    private var exifItem: Int? {
        guard let version = number(at: 0, size: 1) else { return nil }
        var offset = version == 0 ? 6 : 8
        while let box = box(at: offset) {
            let entry = offset + box.header
            // Version 2 has IDs of two bytes, and version 3 of four. Earlier ones have no types.
            if has("infe".utf8, at: offset + 4), let version = number(at: entry, size: 1), version >= 2 {
                let size = version == 2 ? 2 : 4
                if has("Exif".utf8, at: entry + 4 + size + 2) { return number(at: entry + 4, size: size) }
            }
            offset += box.size
        }
        return nil
    }

    /// Where an item is, within the file or within `idat` of `meta`, according to the content of `iloc`; `nil` if it is
    /// not in one piece.
    private func place(ofItem id: Int) -> (isInMeta: Bool, offset: Int, length: Int)? {
        guard let version = number(at: 0, size: 1), version <= 2, let sizes = number(at: 4, size: 2) else { return nil }
        let (offsetSize, lengthSize, baseSize) = (sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15)
        let (indexSize, idSize) = (version == 0 ? 0 : sizes & 15, version == 2 ? 4 : 2)
        var next = 6
        /// The next number; sizes are 0, 1, 2, 4 or 8 bytes.
        func read(_ size: Int) -> Int? {
            defer { next += size }
            return number(at: next, size: size)
        }
        guard let count = read(idSize) else { return nil }
        for _ in 0..<count {
            guard let item = read(idSize), let method = version == 0 ? 0 : read(2), let file = read(2),
                let base = read(baseSize), let extents = read(2)
            else { return nil }
            guard item == id else {
                next += extents * (indexSize + offsetSize + lengthSize)
                continue
            }
            guard extents == 1, method & 15 <= 1, file == 0, read(indexSize) != nil, let offset = read(offsetSize),
                let length = read(lengthSize)
            else { return nil }
            return (method & 15 == 1, base + offset, length)
        }
        return nil
    }
}
