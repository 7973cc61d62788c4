#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Derives IDs from a track and its author, so that the same import always has the same IDs.
///
/// The IDs contain the 128-bit FNV-1a hash (Fowler, Noll, Vo) of the author's ID and of the whole content of the track,
/// formatted as UUIDs of version 8 (RFC 9562). The hash is not cryptographic: accidental collisions are improbable,
/// deliberate ones are possible.
package struct TrackFingerprint: Hashable {
    private var hash: UInt128

    /// Hashes `track` and the ID of `author`.
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

    /// The FNV-1a hash of `bytes`.
    package init(of bytes: [UInt8]) {
        hash = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d
        bytes.withUnsafeBytes { add($0) }
    }

    /// The hash value.
    package var value: UInt128 { hash }

    /// The ID of the travel.
    package var travel: Travel.ID { .init(uuid(of: hash)) }

    /// The ID of the entry with that number. Within one travel, IDs are ordered by number, so that entries of the same
    /// minute keep their order.
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
