public import TravelDomain

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
    public init() {}

    /// Returns the time at which the photo was taken; `nil` when the file does not say so, or is damaged.
    public func photoDate(of image: TripImage) -> PhotoDate? { Self.photoDate(in: image.bytes) }

    /// Returns the position at which the photo was taken; `nil` when the file does not say so, or is damaged.
    public func photoCoordinate(of image: TripImage) -> Coordinate? { Self.photoCoordinate(in: image.bytes) }

    /// The name of the camera: that of its maker, unless that of the model begins with it, and that of the model.
    static func camera(in bytes: Data) -> String? {
        guard let block = ByteReader(bytes).exifBlock, let file = TIFFFile(block) else { return nil }
        func name(_ tag: TIFFFile.Tag) -> String? {
            let text = file.text(tag, in: file.firstDirectory)?.split {
                !$0.isLetter && !$0.isNumber && !"-_./()".contains($0)
            }
            .joined(separator: " ")
            return text?.isEmpty == false ? text : nil
        }
        let (maker, model) = (name(.maker), name(.model))
        guard let maker, let model else { return model ?? maker }
        let first = maker.split(separator: " ").first ?? ""
        return model.lowercased().hasPrefix(first.lowercased()) ? model : "\(maker) \(model)"
    }

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
        guard let match = text.prefixMatch(of: /(\d{4}):(\d\d):(\d\d) (\d\d:\d\d):\d\d/.asciiOnlyDigits()),
            // Digits that are no date, such as a month 13, say nothing.
            let day = try? CalendarDay("\(match.1)-\(match.2)-\(match.3)"), let time = try? TimeOfDay(match.4)
        else { return nil }
        return (day, time)
    }

    /// The offset in the form of Exif: `+09:00`, in minutes, at most 14 hours (as in Kiritimati).
    static func utcOffset(_ text: String) -> Int? {
        guard let match = text.prefixMatch(of: /([+-])(\d\d):([0-5]\d)/.asciiOnlyDigits()), let hours = Int(match.2),
            let minutes = Int(match.3), hours * 60 + minutes <= 14 * 60
        else { return nil }
        return (hours * 60 + minutes) * (match.1 == "-" ? -1 : 1)
    }
}

/// The directories of a TIFF file (TIFF 6.0), in its byte order.
struct TIFFFile {
    private let bytes: ByteReader
    private let isLittleEndian: Bool

    enum Tag: Int {
        // The directory of positions has numbers of its own, below those of the others.
        case latitudeReference = 1
        case latitude = 2
        case longitudeReference = 3
        case longitude = 4
        case maker = 0x010F
        case model = 0x0110
        case orientation = 0x0112
        case dateTime = 0x0132
        case exif = 0x8769
        case position = 0x8825
        case dateTimeOriginal = 0x9003
        case dateTimeDigitized = 0x9004
        case offsetTime = 0x9010
        case offsetTimeOriginal = 0x9011
        case offsetTimeDigitized = 0x9012
    }

    /// The offsets of a directory's entries, by their tags.
    typealias Directory = [Tag: Int]

    /// The longest text that is read, in bytes; a date has 20.
    private static let longestText = 64
    /// The types of a value that is text, numbers of two bytes, offsets, or fractions.
    private static let (text, utf8, short, long, rational, directory) = (2, 129, 3, 4, 5, 13)

    /// Reads the header; `nil` if it is not that of a TIFF file.
    init?(_ bytes: ByteReader) {
        if bytes.has([0x49, 0x49, 0x2A, 0], at: 0) {
            isLittleEndian = true
        } else if bytes.has([0x4D, 0x4D, 0, 0x2A], at: 0) {
            isLittleEndian = false
        } else {
            return nil
        }
        self.bytes = bytes
    }

    /// The directory of the first image; empty if it is missing.
    var firstDirectory: Directory { number(at: 4, size: 4).map(directory(at:)) ?? [:] }

    /// The directory that an entry leads to; empty if it is missing.
    func subdirectory(_ tag: Tag, of directory: Directory) -> Directory {
        guard let entry = directory[tag], let type = number(at: entry + 2, size: 2),
            [Self.long, Self.directory].contains(type), let offset = number(at: entry + 8, size: 4)
        else { return [:] }
        return self.directory(at: offset)
    }

    /// The text of an entry; `nil` if it is missing, no text, or not within the file.
    func text(_ tag: Tag, in directory: Directory) -> String? {
        guard let entry = directory[tag], let type = number(at: entry + 2, size: 2),
            [Self.text, Self.utf8].contains(type), let count = number(at: entry + 4, size: 4),
            (1...Self.longestText).contains(count),
            // Up to four bytes are in the entry itself.
            let offset = count <= 4 ? entry + 8 : number(at: entry + 8, size: 4)
        else { return nil }
        return bytes.part(at: offset, count: count)?.text
    }

    /// The first number of two bytes of an entry; `nil` if it is missing, or another type.
    func short(_ tag: Tag, in directory: Directory) -> Int? {
        guard let entry = directory[tag], number(at: entry + 2, size: 2) == Self.short else { return nil }
        return number(at: entry + 8, size: 2)
    }

    /// The numbers of an entry, exactly `count`, each a fraction of two whole numbers; `nil` if it is missing, has
    /// others, or a denominator is 0.
    func fractions(_ tag: Tag, count: Int, in directory: Directory) -> [Double]? {
        guard let entry = directory[tag], number(at: entry + 2, size: 2) == Self.rational,
            number(at: entry + 4, size: 4) == count, let offset = number(at: entry + 8, size: 4)
        else { return nil }
        var fractions: [Double] = []
        for index in 0..<count {
            guard let numerator = number(at: offset + 8 * index, size: 4),
                let denominator = number(at: offset + 8 * index + 4, size: 4), denominator > 0
            else { return nil }
            fractions.append(Double(numerator) / Double(denominator))
        }
        return fractions
    }

    /// A directory: a number of entries of 12 bytes each. Directories are not followed from one to the next, so that a
    /// file which leads in a circle ends nonetheless.
    private func directory(at offset: Int) -> Directory {
        guard let count = number(at: offset, size: 2) else { return [:] }
        var entries: Directory = [:]
        for index in 0..<count {
            let entry = offset + 2 + 12 * index
            guard bytes.part(at: entry, count: 12) != nil, let number = number(at: entry, size: 2) else { break }
            // The first of several entries with the same tag counts.
            if let tag = Tag(rawValue: number), entries[tag] == nil { entries[tag] = entry }
        }
        return entries
    }

    private func number(at offset: Int, size: Int) -> Int? {
        bytes.number(at: offset, size: size, isLittleEndian: isLittleEndian)
    }
}
