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

    /// The offsets from Coordinated Universal Time, in minutes.
    private static let utcOffsets = -840...840
    /// The kinds of positions with coordinates.
    private static let kindsWithCoordinates = 0...1

    /// The bytes of these pictures; `nil` for none.
    package static func bytes(of pictures: [Picture]) -> [UInt8]? {
        pictures.isEmpty ? nil : bytes(of: pictures.lazy.map { Item($0) })
    }

    package static func bytes(of items: some Sequence<Item>) -> [UInt8] {
        var bytes: [UInt8] = []
        for item in items {
            withUnsafeBytes(of: item.image.rawValue.uuid) { bytes += $0 }
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
        var pictures: [Picture] = []
        pictures.reserveCapacity(min(TimelineEntry.maximumPictureCount, bytes.count / 17))
        var rest = Reader(bytes)
        while !rest.isAtEnd { pictures.append(try picture(&rest)) }
        return pictures
    }

    private static func picture(_ rest: inout Reader) throws -> Picture {
        let id = TripImage.ID(UUID(uuid: try rest.next()))
        let flags: UInt8 = try rest.next()
        if flags == 0 { return Picture(id) }
        guard flags < Flag.end else { throw TravelError.unavailable(.invalidValues) }
        let text = flags & Flag.text == 0 ? nil : try rest.text()
        var (day, minutes): (Int?, Int?)
        if flags & Flag.taken != 0 {
            day = Int(Int32(littleEndian: try rest.next()))
            minutes = Int(UInt16(littleEndian: try rest.next()))
        }
        let offset = flags & Flag.utcOffset == 0 ? nil : Int(Int16(littleEndian: try rest.next()))
        guard offset.map(utcOffsets.contains) ?? true else { throw TravelError.unavailable(.invalidValues) }
        let kind = flags >> Flag.firstOfKind == 0 ? nil : Int(flags >> Flag.firstOfKind) - 1
        var (latitude, longitude): (Double?, Double?)
        if let kind, kindsWithCoordinates.contains(kind) {
            latitude = Double(bitPattern: UInt64(littleEndian: try rest.next()))
            longitude = Double(bitPattern: UInt64(littleEndian: try rest.next()))
        }
        return try Picture(
            id, text: text, takenOn: day, takenAt: minutes, utcOffset: offset, latitude: latitude,
            longitude: longitude, positionKind: kind)
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

        mutating func text() throws -> String {
            let count = Int(UInt32(littleEndian: try next()))
            try requireMore(count)
            defer { offset += count }
            return String(decoding: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count]), as: UTF8.self)
        }

        @inline(__always)
        private func requireMore(_ count: Int) throws {
            guard bytes.count - offset >= count else { throw TravelError.unavailable(.invalidValues) }
        }
    }
}
