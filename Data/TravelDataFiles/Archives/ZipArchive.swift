import Foundation

/// The files of a zip archive (APPNOTE.TXT, PKWARE, version 6.3). They are read into memory; names are never used as paths.
struct ZipArchive {
    struct Entry {
        let name: String
        fileprivate let flags, method: Int
        fileprivate let checksum: UInt32
        fileprivate let packedSize, size, offset: Int
    }

    /// The number of files of an archive with a map, at most.
    static let maximumCount = 10_000
    let entries: [Entry]
    private let bytes: Data

    /// Reads the directory at the end of the archive.
    ///
    /// - Throws: ``TravelFileError`` when it is damaged, or in parts.
    init(_ bytes: Data) throws(TravelFileError) {
        // From 0, and with a check of each position.
        let bytes = bytes.startIndex == 0 ? bytes : Data(bytes)
        let end = try Self.end(of: bytes)
        let count = try Self.number(bytes, end + 10, 2)
        var position = try Self.number(bytes, end + 16, 4)
        guard count <= Self.maximumCount else {
            throw TravelFileError(.limit("an archive has more than \(Self.maximumCount) files"))
        }
        var entries: [Entry] = []
        for _ in 0..<count {
            func number(_ offset: Int, _ size: Int) throws(TravelFileError) -> Int {
                try Self.number(bytes, position + offset, size)
            }
            guard try number(0, 4) == 0x0201_4B50 else { throw Self.damaged("its directory is not where it should be") }
            let (nameSize, extraSize, commentSize) = (try number(28, 2), try number(30, 2), try number(32, 2))
            let name = try Self.slice(bytes, position + 46, nameSize)
            entries.append(
                Entry(
                    name: String(decoding: name, as: UTF8.self), flags: try number(8, 2), method: try number(10, 2),
                    checksum: UInt32(try number(16, 4)), packedSize: try number(20, 4), size: try number(24, 4),
                    offset: try number(42, 4)))
            position += 46 + nameSize + extraSize + commentSize
        }
        (self.entries, self.bytes) = (entries, bytes)
    }

    /// The content of a file, of at most `limit` bytes.
    ///
    /// - Throws: ``TravelFileError`` when it is damaged, too large, encrypted, or packed by another method than deflate.
    func content(of entry: Entry, limit: Int) throws(TravelFileError) -> Data {
        guard entry.size <= limit else { throw TravelFileError(.tooLarge(maximumBytes: limit)) }
        guard entry.flags & 1 == 0 else { throw Self.damaged("it is encrypted") }
        guard try Self.number(bytes, entry.offset, 4) == 0x0403_4B50 else {
            throw Self.damaged("a file is not where its directory says")
        }
        // The lengths in front of the content may differ from those in the directory.
        let start = 30 + (try Self.number(bytes, entry.offset + 26, 2)) + (try Self.number(bytes, entry.offset + 28, 2))
        let packed = try Self.slice(bytes, entry.offset + start, entry.packedSize)
        let content: Data
        switch entry.method {
        case 0: content = packed
        case 8:
            do throws(TravelFileError) {
                content = try Inflate.raw(packed, limit: entry.size)
            } catch {
                if case .tooLarge = error.problem { throw Self.damaged("a file is larger than its directory says") }
                throw error
            }
        default: throw Self.damaged("it is packed by a method other than deflate")
        }
        guard content.count == entry.size, Inflate.checksum(of: content) == entry.checksum else {
            throw Self.damaged("a checksum does not match")
        }
        return content
    }

    /// The position of the record at the end of the directory, behind which there may be a comment.
    private static func end(of bytes: Data) throws(TravelFileError) -> Int {
        var position = bytes.count - 22
        while position >= max(0, bytes.count - 22 - 65_535) {
            if bytes[position] == 0x50, try number(bytes, position, 4) == 0x0605_4B50 { return position }
            position -= 1
        }
        throw TravelFileError(.truncated)
    }

    private static func damaged(_ words: String) -> TravelFileError { TravelFileError(.damagedArchive(words)) }

    /// The number of `size` bytes, the lowest first.
    private static func number(_ bytes: Data, _ position: Int, _ size: Int) throws(TravelFileError) -> Int {
        try slice(bytes, position, size).reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// The positions and sizes in an archive are below 2³², so that their sums do not overflow.
    private static func slice(_ bytes: Data, _ position: Int, _ count: Int) throws(TravelFileError) -> Data {
        guard position >= 0, position + count <= bytes.count else { throw damaged("a part lies outside of it") }
        return bytes[position..<position + count]
    }
}
