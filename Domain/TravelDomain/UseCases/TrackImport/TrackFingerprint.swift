#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Identities that follow from who imports which recording, so that the same recording has the same ones again.
///
/// The 128-bit FNV-1a hash (Fowler, Noll, Vo) of the author's identity and of all that the recording holds, written
/// as a UUID of version 8 (RFC 9562). It tells recordings apart that differ by chance; it does not withstand
/// someone who sets out to make two collide.
package struct TrackFingerprint: Hashable {
    private var hash: UInt128

    /// The fingerprint of `track`, imported by `author`.
    package init(of track: Track, by author: User.ID) {
        self.init(of: [])
        withUnsafeBytes(of: author.rawValue.uuid) { add($0) }
        add(track.name)
        add(track.time)
        for waypoints in [track.waypoints] + track.routes {
            add(UInt64(waypoints.count))
            for point in waypoints {
                add(point.coordinate, point.time, point.elevation)
                add(point.name)
                add(point.description)
            }
        }
        for points in track.segments {
            add(UInt64(points.count))
            for point in points { add(point.coordinate, point.time, point.elevation) }
        }
    }

    /// The FNV-1a hash of those bytes.
    package init(of bytes: [UInt8]) {
        hash = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d
        bytes.withUnsafeBytes { add($0) }
    }

    /// The hash itself.
    package var value: UInt128 { hash }

    /// The identity of the travel.
    package var travel: Travel.ID { .init(uuid(of: hash)) }

    /// The identity of the entry with that number. Those of one travel are in the order of their numbers, so that
    /// entries of the same minute keep their order.
    package func entry(_ number: Int) -> TimelineEntry.ID {
        var bytes = self
        bytes.add(UInt64.max)
        return .init(uuid(of: bytes.hash & ~0xff_ffff | UInt128(number & 0xff_ffff)))
    }

    private func uuid(of hash: UInt128) -> UUID {
        let version: UInt128 = 8 << 76
        let variant: UInt128 = 0b10 << 62
        let bits = hash & ~(0xf << 76) & ~(0b11 << 62) | version | variant
        return withUnsafeBytes(of: bits.bigEndian) { bytes in
            UUID(uuid: bytes.load(as: uuid_t.self))
        }
    }

    private mutating func add(_ bytes: UnsafeRawBufferPointer) {
        for byte in bytes { hash = (hash ^ UInt128(byte)) &* 0x0100_0000_0000_0000_0000_013b }
    }

    private mutating func add(_ number: UInt64) {
        withUnsafeBytes(of: number.littleEndian) { add($0) }
    }

    private mutating func add(_ text: String?) {
        let text = Array((text ?? "").utf8)
        add(UInt64(text.count))
        text.withUnsafeBytes { add($0) }
    }

    private mutating func add(_ date: Date?) {
        add((date?.timeIntervalSince1970 ?? .nan).bitPattern)
    }

    private mutating func add(_ coordinate: Coordinate, _ time: Date?, _ elevation: Double?) {
        add(coordinate.latitude.bitPattern)
        add(coordinate.longitude.bitPattern)
        add(time)
        add((elevation ?? .nan).bitPattern)
    }
}
