#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The path of a recorded track: positions in order, in segments between which nothing was recorded.
///
/// Positions are kept to a millionth of a degree, 11 centimetres, and elevations to a tenth of a metre.
public struct TrackGeometry: Hashable, Sendable {
    /// The segments, each of at least two positions; at least one.
    public let segments: [[Coordinate]]
    /// The elevations of the positions of each segment in metres above sea level; none for a segment without.
    public let elevations: [[Double]]

    /// The maximum number of positions of all segments together.
    public static let maximumPointCount = 1_000_000
    /// How far in metres the positions that an import leaves out are from the line between the others, at most.
    public static let tolerance = 1.0
    /// The elevations that a position can have, in metres: from below the Challenger Deep (10,935 metres; Greenaway and
    /// others, 2021) to above the ceilings of airliners, about 13 kilometres.
    public static let elevationRange = -12_000.0...15_000

    /// Creates a path without elevations from its segments.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` when there is no segment, a segment has fewer than two positions, or there
    ///   are more than ``maximumPointCount``.
    public init(_ segments: [[Coordinate]]) throws(TravelError) {
        try self.init(segments, elevations: segments.map { _ in [] })
    }

    /// Creates a path from recorded segments, whose times it does not keep.
    ///
    /// An elevation outside of ``elevationRange`` counts as missing. Where at most one position in ten lacks an
    /// elevation, it gets one: in proportion to the path between its neighbours that have one, or that of the nearest at
    /// an end. A segment with more gaps has no elevations.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` as ``init(_:)``.
    public init(points segments: [[TrackPoint]]) throws(TravelError) {
        try self.init(
            segments.map { $0.map(\.coordinate) }, elevations: segments.map { Self.elevations(of: $0) ?? [] })
    }

    /// Creates the path of recorded segments without the positions that are within ``tolerance`` of the line between
    /// their neighbours; `nil` when no segment has two different positions.
    ///
    /// The lows and highs from which ``profile`` counts stay as well, so that the profile is that of the recording. A
    /// kept position has the elevation of the recording.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` when more than ``maximumPointCount`` positions are left.
    package init?(simplifying segments: [[TrackPoint]]) throws(TravelError) {
        var (paths, elevations): ([[Coordinate]], [[Double]]) = ([], [])
        for segment in segments {
            let positions = segment.map(\.coordinate)
            var kept = Self.simplified(positions)
            guard kept.count >= 2 else { continue }
            let recorded = Self.elevations(of: segment)?.map(Self.rounded)
            if let recorded { kept = Set(kept).union(Self.turns(of: recorded)).sorted() }
            paths.append(kept.map { positions[$0] })
            elevations.append(recorded.map { recorded in kept.map { recorded[$0] } } ?? [])
        }
        if paths.isEmpty { return nil }
        try self.init(paths, elevations: elevations)
    }

    /// Each segment has as many valid elevations as positions, or none.
    private init(_ segments: [[Coordinate]], elevations: [[Double]]) throws(TravelError) {
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
        self.elevations = elevations.map { $0.map(Self.rounded) }
    }

    /// The positions with their elevations, from which ``init(points:)`` makes the same path.
    package var points: [[TrackPoint]] {
        zip(segments, elevations).map { segment, elevations in
            segment.indices.map {
                TrackPoint(coordinate: segment[$0], elevation: elevations.isEmpty ? nil : elevations[$0])
            }
        }
    }
}

// MARK: Elevation

extension TrackGeometry {
    /// How far a path goes up and down in all, and its highest point, in metres.
    public struct Profile: Hashable, Sendable {
        public var ascent = 0.0
        public var descent = 0.0
        /// The highest elevation above sea level.
        public var highest: Double

        public init(ascent: Double = 0, descent: Double = 0, highest: Double) {
            self.ascent = ascent
            self.descent = descent
            self.highest = highest
        }
    }

    /// The smallest change in metres that counts as ascent or descent: smaller ones are noise of receivers.
    public static let smallestClimb = 5.0

    /// The ascent, descent and highest point of the segments with elevations; `nil` when none has.
    ///
    /// Elevations from a low to the next high are ascent, and to the next low descent. A low or a high is one from which
    /// the path goes ``smallestClimb`` or more back, before it goes beyond; what happens between segments does not count.
    public var profile: Profile? {
        guard let highest = elevations.joined().max() else { return nil }
        var profile = Profile(highest: highest)
        for elevations in elevations {
            let turns = Self.turns(of: elevations).map { elevations[$0] }
            for (start, end) in zip(turns, turns.dropFirst()) {
                profile.ascent += max(end - start, 0)
                profile.descent += max(start - end, 0)
            }
        }
        return profile
    }

    /// The indices of the lows and highs of a segment in turn, by the rule of ``profile``; none where it is flat.
    private static func turns(of elevations: [Double]) -> [Int] {
        var turns: [Int] = []
        var (low, high) = (0, 0)
        var isRising: Bool?
        for (index, elevation) in elevations.enumerated() {
            let (isAscent, isDescent) = (
                elevation - elevations[low] >= smallestClimb, elevations[high] - elevation >= smallestClimb
            )
            switch isRising {
            case true? where isDescent:
                turns.append(high)
                (low, isRising) = (index, false)
            case true?: if elevation > elevations[high] { high = index }
            case false? where isAscent:
                turns.append(low)
                (high, isRising) = (index, true)
            case false?: if elevation < elevations[low] { low = index }
            case nil:
                if elevation < elevations[low] { low = index }
                if elevation > elevations[high] { high = index }
                guard isAscent || isDescent else { continue }
                turns.append(isAscent ? low : high)
                isRising = isAscent
            }
        }
        if let isRising { turns.append(isRising ? high : low) }
        return turns
    }

    /// The elevations of all positions of a segment, by the rule of ``init(points:)``.
    private static func elevations(of segment: [TrackPoint]) -> [Double]? {
        // NaN is in no range.
        let recorded = segment.map { $0.elevation.flatMap { elevationRange.contains($0) ? $0 : nil } }
        let known = recorded.indices.filter { recorded[$0] != nil }
        guard let first = known.first, let last = known.last,
            (recorded.count - known.count) * 10 <= recorded.count
        else { return nil }
        var elevations = recorded.map { $0 ?? 0 }
        for index in 0..<first { elevations[index] = elevations[first] }
        for index in last + 1..<recorded.count { elevations[index] = elevations[last] }
        for (start, end) in zip(known, known.dropFirst()) where end - start > 1 {
            let steps = (start..<end).map { segment[$0].coordinate.distance(to: segment[$0 + 1].coordinate) }
            let length = steps.reduce(0, +)
            var passed = 0.0
            for index in start + 1..<end {
                passed += steps[index - start - 1]
                let share = length > 0 ? passed / length : 0
                elevations[index] = elevations[start] + (elevations[end] - elevations[start]) * share
            }
        }
        return elevations
    }

    private static func decimetres(_ metres: Double) -> Int { Int((metres * 10).rounded()) }

    private static func rounded(_ metres: Double) -> Double { Double(decimetres(metres)) / 10 }
}

// MARK: Simplification

extension TrackGeometry {
    /// The indices of the positions of a segment that the algorithm of Douglas and Peucker (1973) keeps.
    ///
    /// Works on parts of at most 1,024 positions and 50 kilometres, whose ends are kept: in each, degrees are metres on
    /// a plane to a few decimetres, and the time of any segment is linear in its length.
    private static func simplified(_ segment: [Coordinate]) -> [Int] {
        var kept: [Int] = []
        var start = 0
        while start < segment.count {
            var end = start
            while end + 1 < segment.count, end - start < 1_024, isNear(segment[end + 1], to: segment[start]) {
                end += 1
            }
            if end == start, start + 1 < segment.count { end += 1 }
            // A part begins with the last position of the part before it.
            for index in keptIndices(of: Array(segment[start...end])) where kept.last != start + index {
                kept.append(start + index)
            }
            if end == segment.count - 1 { break }
            start = end
        }
        // Receivers repeat a position while they stand still.
        return kept.reduce(into: []) { paths, index in
            if paths.last.map({ segment[$0] != segment[index] }) ?? true { paths.append(index) }
        }
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
    /// The path in a compact form: the number of segments, and for each the number of its positions and the differences
    /// of their latitudes and longitudes in millionths of a degree, all as variable-length integers (LEB128, signed ones
    /// in zigzag order). A position of a walk takes about four bytes.
    ///
    /// If any segment has elevations, there follows for each 1, and the differences of its elevations in decimetres in
    /// the same path; or 0 for one without.
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
        if elevations.allSatisfy(\.isEmpty) { return bytes }
        for elevations in elevations {
            bytes.append(elevations.isEmpty ? 0 : 1)
            var last = 0
            for next in elevations.lazy.map(Self.decimetres) {
                Self.append(zigzag: next - last, to: &bytes)
                last = next
            }
        }
        return bytes
    }

    /// Reads the form of ``bytes``.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` when it is another form or an invalid path.
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
        let elevations = try Self.elevations(&rest, of: segments)
        guard rest.isEmpty else { throw Self.malformed }
        try self.init(segments, elevations: elevations)
    }

    private static func elevations(
        _ rest: inout ArraySlice<UInt8>, of segments: [[Coordinate]]
    ) throws(TravelError) -> [[Double]] {
        var elevations: [[Double]] = []
        if rest.isEmpty { return segments.map { _ in [] } }
        for segment in segments {
            var line: [Double] = []
            switch rest.popFirst() {
            case 0: break
            case 1:
                var last = 0
                for _ in segment {
                    last += try difference(&rest)
                    guard elevationRange.contains(Double(last) / 10) else { throw malformed }
                    line.append(Double(last) / 10)
                }
            default: throw malformed
            }
            elevations.append(line)
        }
        // A path without elevations has one form.
        guard !elevations.allSatisfy(\.isEmpty) else { throw malformed }
        return elevations
    }

    private static let malformed = TravelError.invalid(
        .init(.track, .malformed(expected: "the stored path of a track")))

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
