package import TravelDomain

/// The pictures of an entry in one column, one after the other: a timeline is read from one table, and its pictures cost no row
/// each.
///
/// A picture has 16 bytes of its image, a byte of flags, and what the flags tell: the description (its size in four bytes, and
/// its UTF-8 bytes), the day in four bytes and the minute in two, the offset from Coordinated Universal Time in two, the
/// latitude and the longitude in eight each. Numbers are little-endian.
///
/// The form is part of the stored form; changing it requires a migration.
package enum PictureList {
    /// A picture as a row of numbers and texts, which may break the rules of the domain.
    package struct Item {
        package let image: TripImage.ID
        package var text: String?
        /// The days since 1970, and the minutes since midnight.
        package var taken: (day: Int, minutes: Int)?
        package var utcOffset: Int?
        package var coordinate: (latitude: Double, longitude: Double)?
        /// `PicturePosition.kind`
        package var positionKind: Int?

        package init(image: TripImage.ID, text: String? = nil) {
            self.image = image
            self.text = text
        }

        fileprivate init(_ picture: Picture) {
            self.init(image: picture.id, text: picture.text?.text)
            taken = picture.taken.map { ($0.day.daysSince1970, $0.time.minutes) }
            utcOffset = picture.taken?.utcOffset
            coordinate = picture.position?.coordinate.map { ($0.latitude, $0.longitude) }
            positionKind = picture.position?.kind
        }
    }

    /// What the byte of flags tells; its fourth and fifth bit are the kind of the position plus one, or 0 without one.
    private enum Flag {
        static let text: UInt8 = 1
        static let taken: UInt8 = 2
        static let utcOffset: UInt8 = 4
        static let firstOfKind: UInt8 = 3
        static let end: UInt8 = 32
    }

    /// The kinds of positions with coordinates.
    private static let kindsWithCoordinates = 0...1

    /// The bytes of these pictures; `nil` for none.
    package static func bytes(of pictures: [Picture]) -> [UInt8]? {
        pictures.isEmpty ? nil : bytes(of: pictures.lazy.map { Item($0) })
    }

    package static func bytes(of items: some Sequence<Item>) -> [UInt8] {
        var bytes: [UInt8] = []
        for item in items {
            item.image.withBytes { bytes += $0 }
            // A number that no picture can have becomes another one that none can have.
            let kind = min(item.positionKind ?? -1, 3)
            bytes.append(
                (item.text == nil ? 0 : Flag.text) | (item.taken == nil ? 0 : Flag.taken)
                    | (item.utcOffset == nil ? 0 : Flag.utcOffset) | UInt8(max(kind, -1) + 1) << Flag.firstOfKind)
            if let text = item.text {
                append(UInt32(text.utf8.count), to: &bytes)
                bytes += text.utf8
            }
            if let taken = item.taken {
                append(Int32(clamping: taken.day), to: &bytes)
                append(UInt16(clamping: taken.minutes), to: &bytes)
            }
            if let offset = item.utcOffset { append(Int16(clamping: offset), to: &bytes) }
            if kindsWithCoordinates.contains(kind) {
                append((item.coordinate?.latitude ?? 0).bitPattern, to: &bytes)
                append((item.coordinate?.longitude ?? 0).bitPattern, to: &bytes)
            }
        }
        return bytes
    }

    private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
    }

    /// Reads the form of ``bytes(of:)``.
    ///
    /// - Throws: `TravelError.unavailable` for other bytes, or a picture that breaks a rule of the domain.
    package static func pictures(_ bytes: UnsafeRawBufferPointer) throws -> [Picture] {
        try readingValues {
            var pictures: [Picture] = []
            pictures.reserveCapacity(min(TimelineEntry.maximumPictureCount, bytes.count / 17))
            var rest = Reader(bytes)
            while !rest.isAtEnd {
                let id = try rest.id()
                let flags: UInt8 = try rest.next()
                pictures.append(flags == 0 ? Picture(id) : try picture(of: id, flags, &rest))
            }
            return pictures
        }
    }

    private static func picture(of id: TripImage.ID, _ flags: UInt8, _ rest: inout Reader) throws -> Picture {
        guard flags < Flag.end else { throw invalidValues() }
        let text = flags & Flag.text == 0 ? nil : try PictureText(stored: try rest.text())
        let taken = flags & Flag.taken == 0 ? nil : try rest.dayAndTime()
        let offset = flags & Flag.utcOffset == 0 ? nil : try rest.utcOffset()
        return Picture(
            id, text: text, taken: taken.map { PhotoDate(day: $0.day, time: $0.time, utcOffset: offset) },
            position: try position(flags >> Flag.firstOfKind, &rest))
    }

    private static func position(_ kind: UInt8, _ rest: inout Reader) throws -> PicturePosition? {
        switch kind {
        case 0: nil
        case 1: .mineOnly(try rest.coordinate())
        case 2: .shown(try rest.coordinate())
        default: .withheld
        }
    }

    /// Reads bytes from the first to the last.
    private struct Reader {
        private let bytes: UnsafeRawBufferPointer
        private var offset = 0

        init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

        var isAtEnd: Bool { offset == bytes.count }

        @inline(__always)
        mutating func next<Value: BitwiseCopyable>() throws -> Value {
            try requireMore(MemoryLayout<Value>.size)
            defer { offset += MemoryLayout<Value>.size }
            return bytes.loadUnaligned(fromByteOffset: offset, as: Value.self)
        }

        @inline(__always)
        mutating func id() throws -> TripImage.ID {
            TripImage.ID(high: UInt64(bigEndian: try next()), low: UInt64(bigEndian: try next()))
        }

        mutating func dayAndTime() throws -> (day: CalendarDay, time: TimeOfDay) {
            (
                CalendarDay(daysSince1970: Int(Int32(littleEndian: try next()))),
                TimeOfDay(minutesSinceMidnight: Int(UInt16(littleEndian: try next())))
            )
        }

        mutating func utcOffset() throws -> Int {
            let offset = Int(Int16(littleEndian: try next()))
            guard PhotoDate.utcOffsets.contains(offset) else { throw invalidValues() }
            return offset
        }

        mutating func coordinate() throws -> Coordinate {
            try Coordinate(
                latitude: Double(bitPattern: UInt64(littleEndian: try next())),
                longitude: Double(bitPattern: UInt64(littleEndian: try next())))
        }

        mutating func text() throws -> String {
            let count = Int(UInt32(littleEndian: try next()))
            try requireMore(count)
            defer { offset += count }
            return String(decoding: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count]), as: UTF8.self)
        }

        @inline(__always)
        private func requireMore(_ count: Int) throws {
            guard bytes.count - offset >= count else { throw invalidValues() }
        }
    }
}
