public import TravelDomain

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Reads the time and the position at which a photo was taken from its Exif data (Exif 3.0, JEITA CP-3451G), in JPEG,
/// PNG, WebP and HEIF files (HEIC and AVIF).
///
/// ```swift
/// let taken = ExifReader().photoDate(of: image)         // 2026-10-02, 10:30
/// let place = ExifReader().photoCoordinate(of: image)    // 35.1587, 129.1604
/// ```
///
/// The time is that of the tag `DateTimeOriginal`, or else `DateTimeDigitized`, or else `DateTime`, and the offset from
/// Coordinated Universal Time that belongs to it. The position is that of `GPSLatitude` and
/// `GPSLongitude`, in degrees, minutes and seconds; a receiver without a fix writes 0° N, 0° E, which is none. A file
/// may say anything: each offset is checked, and a damaged file has neither. Reading takes constant memory, and time in the number of parts of the file, not in its size.
public struct ExifReader: PhotoReading {
    /// Creates a reader.
    public init() {}

    /// Returns the time at which the photo was taken; `nil` when the file does not say so, or is damaged.
    public func photoDate(of image: TravelImage) -> PhotoDate? { Self.photoDate(in: image.bytes) }

    /// Returns the position at which the photo was taken; `nil` when the file does not say so, or is damaged.
    public func photoCoordinate(of image: TravelImage) -> Coordinate? { Self.photoCoordinate(in: image.bytes) }

    /// The position in a file of any kind.
    static func photoCoordinate(in bytes: Data) -> Coordinate? {
        guard let block = ByteReader(bytes).exifBlock, let file = TIFFFile(block) else { return nil }
        let position = file.subdirectory(.position, of: file.firstDirectory)
        func degrees(_ tag: TIFFFile.Tag, _ reference: TIFFFile.Tag, positive: String, negative: String) -> Double? {
            guard let parts = file.fractions(tag, count: 3, in: position), parts[1] < 60, parts[2] < 60,
                let hemisphere = file.text(reference, in: position).map({ String($0.prefix(1)) }),
                [positive, negative].contains(hemisphere)
            else { return nil }
            return (parts[0] + parts[1] / 60 + parts[2] / 3_600) * (hemisphere == negative ? -1 : 1)
        }
        guard let latitude = degrees(.latitude, .latitudeReference, positive: "N", negative: "S"),
            let longitude = degrees(.longitude, .longitudeReference, positive: "E", negative: "W"),
            latitude != 0 || longitude != 0
        else { return nil }
        // Degrees out of range are no position.
        return try? Coordinate(latitude: latitude, longitude: longitude)
    }

    /// The date in a file of any kind.
    static func photoDate(in bytes: Data) -> PhotoDate? {
        guard let block = ByteReader(bytes).exifBlock, let file = TIFFFile(block) else { return nil }
        let image = file.firstDirectory
        let exif = file.subdirectory(.exif, of: image)
        let dates: [(in: TIFFFile.Directory, date: TIFFFile.Tag, offset: TIFFFile.Tag)] = [
            (exif, .dateTimeOriginal, .offsetTimeOriginal), (exif, .dateTimeDigitized, .offsetTimeDigitized),
            (image, .dateTime, .offsetTime),
        ]
        for (directory, tag, offset) in dates {
            guard let text = file.text(tag, in: directory), let date = date(text) else { continue }
            // The offset is in the directory of Exif, whichever date it belongs to.
            return PhotoDate(
                day: date.day, time: date.time, utcOffset: file.text(offset, in: exif).flatMap(Self.utcOffset))
        }
        return nil
    }

    /// The date in the form of Exif: `2026:10:02 10:30:59`. A camera without a clock writes spaces or zeros, which are
    /// none.
    static func date(_ text: String) -> (day: CalendarDay, time: TimeOfDay)? {
        let characters = Array(text.utf8)
        let pattern = Array("0000:00:00 00:00:00".utf8)
        guard characters.count >= pattern.count,
            zip(characters, pattern).allSatisfy({ $1 == 0x30 ? isDigit($0) : $0 == $1 })
        else { return nil }
        func part(_ range: Range<Int>) -> String { String(decoding: characters[range], as: UTF8.self) }
        // Digits that are no date, such as a month 13, say nothing.
        guard let day = try? CalendarDay("\(part(0..<4))-\(part(5..<7))-\(part(8..<10))"),
            let time = try? TimeOfDay(part(11..<16))
        else { return nil }
        return (day, time)
    }

    /// The offset in the form of Exif: `+09:00`, in minutes, at most 14 hours (as in Kiritimati).
    static func utcOffset(_ text: String) -> Int? {
        let characters = Array(text.utf8)
        guard characters.count >= 6, characters[0] == 0x2B || characters[0] == 0x2D, characters[3] == 0x3A else {
            return nil
        }
        let digits = [1, 2, 4, 5].map { characters[$0] }
        guard digits.allSatisfy(isDigit) else { return nil }
        let numbers = digits.map { Int($0) - 0x30 }
        let (hours, minutes) = (numbers[0] * 10 + numbers[1], numbers[2] * 10 + numbers[3])
        guard minutes < 60, hours * 60 + minutes <= 14 * 60 else { return nil }
        return (hours * 60 + minutes) * (characters[0] == 0x2D ? -1 : 1)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
