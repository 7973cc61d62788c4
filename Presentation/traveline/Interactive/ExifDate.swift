import Foundation
import TravelDomain

/// The day and time at which a camera took a photo, at the place where it was taken.
///
/// Reads the tags `DateTimeOriginal`, or else `DateTime`, of a JPEG file (Exif 3.0, in the form of TIFF 6.0). Every position is
/// checked: a file may say anything.
struct ExifDate: Equatable {
    let day: CalendarDay
    let time: TimeOfDay

    /// The date of a JPEG file; nil if it has none, or is no JPEG file.
    init?(jpeg bytes: Data) {
        let bytes = [UInt8](bytes.prefix(1 << 18))
        guard let tiff = Self.tiff(in: bytes), let reader = TIFFReader(tiff) else { return nil }
        let first = reader.directory(at: reader.number(at: 4, size: 4))
        let exif = first[0x8769].map { reader.directory(at: $0.value) } ?? [:]
        guard let entry = exif[0x9003] ?? first[0x0132], let text = reader.text(entry) else { return nil }
        self.init(text)
    }

    /// The date in the form of Exif: `2026:10:02 10:30:59`.
    init?(_ text: String) {
        let parts = text.split(separator: " ")
        guard parts.count == 2 else { return nil }
        let time = parts[1].split(separator: ":").prefix(2).joined(separator: ":")
        // Text that is no date says nothing.
        guard let day = try? CalendarDay(parts[0].replacingOccurrences(of: ":", with: "-")),
            let time = try? TimeOfDay(time)
        else { return nil }
        self.day = day
        self.time = time
    }

    /// The part of a JPEG file that is in the form of TIFF: the application segment 1 that begins with `Exif`.
    private static func tiff(in bytes: [UInt8]) -> ArraySlice<UInt8>? {
        guard bytes.starts(with: [0xFF, 0xD8]) else { return nil }
        var index = 2
        while index + 4 <= bytes.count, bytes[index] == 0xFF {
            let marker = bytes[index + 1]
            // The picture begins: nothing else follows.
            if marker == 0xDA || marker == 0xD9 { return nil }
            let length = Int(bytes[index + 2]) << 8 | Int(bytes[index + 3])
            guard length >= 2, index + 2 + length <= bytes.count else { return nil }
            let content = bytes[index + 4..<index + 2 + length]
            if marker == 0xE1, content.starts(with: Array("Exif\0\0".utf8)) { return content.dropFirst(6) }
            index += 2 + length
        }
        return nil
    }
}

/// Numbers and directories of a TIFF file, in its byte order.
private struct TIFFReader {
    struct Entry {
        let count: Int
        let value: Int
        /// Where the value is, if it has no more than four bytes.
        let position: Int
    }

    private let bytes: [UInt8]
    private let isLittleEndian: Bool

    init?(_ bytes: ArraySlice<UInt8>) {
        self.bytes = Array(bytes)
        switch self.bytes.prefix(4) {
        case [0x49, 0x49, 0x2A, 0]: isLittleEndian = true
        case [0x4D, 0x4D, 0, 0x2A]: isLittleEndian = false
        default: return nil
        }
    }

    /// The number at a position; 0 outside of the file.
    func number(at position: Int, size: Int) -> Int {
        guard position >= 0, position + size <= bytes.count else { return 0 }
        let part = bytes[position..<position + size]
        return (isLittleEndian ? Array(part.reversed()) : Array(part)).reduce(0) { $0 << 8 | Int($1) }
    }

    /// The entries of the directory at a position, by their tags.
    func directory(at position: Int) -> [Int: Entry] {
        guard position >= 8 else { return [:] }
        var entries: [Int: Entry] = [:]
        for index in 0..<number(at: position, size: 2) {
            let start = position + 2 + 12 * index
            guard start + 12 <= bytes.count else { break }
            entries[number(at: start, size: 2)] = Entry(
                count: number(at: start + 4, size: 4), value: number(at: start + 8, size: 4), position: start + 8)
        }
        return entries
    }

    /// The text of an entry, without the zero at its end.
    func text(_ entry: Entry) -> String? {
        let start = entry.count <= 4 ? entry.position : entry.value
        guard entry.count > 0, entry.count < 64, start >= 0, start + entry.count <= bytes.count else { return nil }
        return String(decoding: bytes[start..<start + entry.count].prefix { $0 != 0 }, as: UTF8.self)
    }
}
