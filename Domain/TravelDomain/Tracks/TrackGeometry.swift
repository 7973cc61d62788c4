#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The way of a recorded track: positions in order, in segments between which nothing was recorded.
///
/// Positions are kept to a millionth of a degree, 11 centimetres.
public struct TrackGeometry: Hashable, Sendable {
    /// The segments, each of at least two positions; at least one.
    public let segments: [[Coordinate]]

    /// The maximum number of positions of all segments together.
    public static let maximumPointCount = 1_000_000
    /// How far in metres the positions that an import leaves out are from the line between the others, at most.
    public static let tolerance = 1.0

    /// Creates a way from its segments.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` when there is no segment, a segment has fewer than two positions, or there
    ///   are more than ``maximumPointCount``.
    public init(_ segments: [[Coordinate]]) throws(TravelError) {
        guard !segments.isEmpty, segments.allSatisfy({ $0.count >= 2 }) else { throw .invalid(.init(.track, .empty)) }
        guard segments.reduce(0, { $0 + $1.count }) <= Self.maximumPointCount else {
            throw .invalid(.init(.track, .outOfRange("at most \(Self.maximumPointCount) positions")))
        }
        var rounded: [[Coordinate]] = []
        rounded.reserveCapacity(segments.count)
        for segment in segments {
            var positions: [Coordinate] = []
            positions.reserveCapacity(segment.count)
            for position in segment { positions.append(try Coordinate(Microdegrees(position))) }
            rounded.append(positions)
        }
        self.segments = rounded
    }

    /// Creates the way of recorded segments without the positions that are within ``tolerance`` of the line between
    /// their neighbours; `nil` when no segment has two different positions.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` when more than ``maximumPointCount`` positions are left.
    package init?(simplifying segments: [[Coordinate]]) throws(TravelError) {
        let ways = segments.map { Self.simplified($0) }.filter { $0.count >= 2 }
        if ways.isEmpty { return nil }
        try self.init(ways)
    }
}

extension TrackGeometry {
    /// The positions of a segment that the algorithm of Douglas and Peucker (1973) keeps.
    ///
    /// Works on parts of at most 1,024 positions and 50 kilometres, whose ends are kept: in each, degrees are metres on
    /// a plane to a few decimetres, and the time of any segment is linear in its length.
    private static func simplified(_ segment: [Coordinate]) -> [Coordinate] {
        var kept: [Coordinate] = []
        var start = 0
        while start < segment.count {
            var end = start
            while end + 1 < segment.count, end - start < 1_024, isNear(segment[end + 1], to: segment[start]) {
                end += 1
            }
            if end == start, start + 1 < segment.count { end += 1 }
            let part = Array(segment[start...end])
            let positions = keptIndices(of: part).map { part[$0] }
            kept += kept.last == positions.first ? positions.dropFirst() : positions[...]
            if end == segment.count - 1 { break }
            start = end
        }
        // Receivers repeat a position while they stand still.
        return kept.reduce(into: []) { ways, position in if ways.last != position { ways.append(position) } }
    }

    private static func isNear(_ a: Coordinate, to b: Coordinate) -> Bool {
        abs(a.latitude - b.latitude) < 0.4 && a.distance(to: b) < 50_000
    }

    private static func keptIndices(of part: [Coordinate]) -> [Int] {
        guard part.count > 2 else { return Array(part.indices) }
        // Metres from the first position, on a plane that touches the earth there.
        let metre = 111_195.0
        let shortening = cos(part[0].latitude * .pi / 180)
        let plane = part.map { position in
            let east = (position.longitude - part[0].longitude).remainder(dividingBy: 360)
            return SIMD2(east * shortening * metre, (position.latitude - part[0].latitude) * metre)
        }
        var isKept = [Bool](repeating: false, count: part.count)
        (isKept[0], isKept[part.count - 1]) = (true, true)
        var open = [(0, part.count - 1)]
        while let (first, last) = open.popLast() {
            var farthest = (index: first, distance: tolerance * tolerance)
            for index in first + 1..<max(last, first + 1) {
                let distance = squaredDistance(of: plane[index], from: plane[first], to: plane[last])
                if distance > farthest.distance { farthest = (index, distance) }
            }
            guard farthest.index != first else { continue }
            isKept[farthest.index] = true
            open += [(first, farthest.index), (farthest.index, last)]
        }
        return part.indices.filter { isKept[$0] }
    }

    /// The square of the distance of a point from the line between two others, not beyond its ends.
    private static func squaredDistance(
        of point: SIMD2<Double>, from start: SIMD2<Double>, to end: SIMD2<Double>
    ) -> Double {
        let line = end - start
        let length = (line * line).sum()
        let share = length > 0 ? min(max(((point - start) * line).sum() / length, 0), 1) : 0
        let apart = point - start - line * share
        return (apart * apart).sum()
    }
}

// MARK: Stored form

extension TrackGeometry {
    /// The way in a compact form: the number of segments, and for each the number of its positions and the differences
    /// of their latitudes and longitudes in millionths of a degree, all as variable-length integers (LEB128, signed ones
    /// in zigzag order). A position of a walk takes about four bytes.
    ///
    /// The form is part of the file format of stores.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        Self.append(UInt64(segments.count), to: &bytes)
        for segment in segments {
            Self.append(UInt64(segment.count), to: &bytes)
            var last = Microdegrees(latitude: 0, longitude: 0)
            for position in segment {
                let next = Microdegrees(position)
                Self.append(zigzag: next.latitude - last.latitude, to: &bytes)
                Self.append(zigzag: next.longitude - last.longitude, to: &bytes)
                last = next
            }
        }
        return bytes
    }

    /// Reads the form of ``bytes``.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` when it is another form or an invalid way.
    package init(bytes: [UInt8]) throws(TravelError) {
        var rest = bytes[...]
        var segments: [[Coordinate]] = []
        // Each position takes two bytes or more, so that a false number cannot reserve memory.
        for _ in 0..<(try Self.count(&rest)) {
            var positions: [Coordinate] = []
            var last = Microdegrees(latitude: 0, longitude: 0)
            for _ in 0..<(try Self.count(&rest)) {
                last.latitude += try Self.difference(&rest)
                last.longitude += try Self.difference(&rest)
                positions.append(try Coordinate(last))
            }
            segments.append(positions)
        }
        guard rest.isEmpty else { throw Self.malformed }
        try self.init(segments)
    }

    private static let malformed = TravelError.invalid(.init(.track, .malformed(expected: "the stored way of a track")))

    private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        var number = number
        while number >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: number) | 0x80)
            number >>= 7
        }
        bytes.append(UInt8(number))
    }

    private static func append(zigzag number: Int, to bytes: inout [UInt8]) {
        append(UInt64(bitPattern: Int64(number << 1 ^ number >> 63)), to: &bytes)
    }

    private static func number(_ bytes: inout ArraySlice<UInt8>) throws(TravelError) -> UInt64 {
        var number: UInt64 = 0
        // Differences are below 2³⁰.
        for shift in stride(from: 0, to: 42, by: 7) {
            guard let byte = bytes.popFirst() else { throw malformed }
            number |= UInt64(byte & 0x7F) << UInt64(shift)
            if byte < 0x80 { return number }
        }
        throw malformed
    }

    private static func count(_ bytes: inout ArraySlice<UInt8>) throws(TravelError) -> Int {
        let count = Int(try number(&bytes))
        guard count <= bytes.count else { throw malformed }
        return count
    }

    private static func difference(_ bytes: inout ArraySlice<UInt8>) throws(TravelError) -> Int {
        let number = Int(try number(&bytes))
        return number >> 1 ^ -(number & 1)
    }
}

/// A position in whole millionths of a degree.
private struct Microdegrees {
    var latitude: Int
    var longitude: Int

    init(latitude: Int, longitude: Int) { (self.latitude, self.longitude) = (latitude, longitude) }

    init(_ position: Coordinate) {
        latitude = Int((position.latitude * 1e6).rounded())
        longitude = Int((position.longitude * 1e6).rounded())
    }
}

extension Coordinate {
    fileprivate init(_ microdegrees: Microdegrees) throws(TravelError) {
        try self.init(latitude: Double(microdegrees.latitude) / 1e6, longitude: Double(microdegrees.longitude) / 1e6)
    }
}
