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
