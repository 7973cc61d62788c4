#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The path of a recorded track: positions in order, in segments between which nothing was recorded.
///
/// Positions are kept to a millionth of a degree, 11 centimetres, elevations to a tenth of a metre, and times to a
/// millisecond.
public struct TrackGeometry: Hashable, Sendable {
    /// The segments, each of at least two positions; at least one.
    public let segments: [[Coordinate]]
    /// The elevations of the positions of each segment in metres above sea level; none for a segment without.
    public let elevations: [[Double]]
    /// The times of the positions of each segment; none for a segment without.
    public let times: [[Date]]

    /// The maximum number of positions of all segments together.
    public static let maximumPointCount = 1_000_000
    /// How far in metres the positions that an import leaves out are from the line between the others, at most.
    public static let tolerance = 1.0
    /// The elevations that a position can have, in metres: from below the Challenger Deep (10,935 metres; Greenaway and
    /// others, 2021) to above the ceilings of airliners, about 13 kilometres.
    public static let elevationRange = -12_000.0...15_000

    /// The times that a position can have: the years 1 to 9999.
    public static let timeRange =
        Date(
            millisecondsSince1970: -62_135_596_800_000)...Date(
            millisecondsSince1970: 253_402_300_799_999)

    /// Creates a path without elevations and times from its segments.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` when there is no segment, a segment has fewer than two positions, or there
    ///   are more than ``maximumPointCount``.
    public init(_ segments: [[Coordinate]]) throws(TravelError) {
        try self.init(segments, elevations: segments.map { _ in [] }, times: segments.map { _ in [] })
    }

    /// Creates a path from recorded segments.
    ///
    /// An elevation outside of ``elevationRange`` counts as missing, and so does a time outside of ``timeRange``. Where at
    /// most one position in ten lacks an elevation, it gets one: in proportion to the path between its neighbours that
    /// have one, or that of the nearest at an end. A segment with more gaps has no elevations. The same holds for times.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` as ``init(_:)``.
    public init(points segments: [[TrackPoint]]) throws(TravelError) {
        try self.init(
            segments.map { $0.map(\.coordinate) }, elevations: segments.map { Self.elevations(of: $0) ?? [] },
            times: segments.map { Self.times(of: $0) ?? [] })
    }

    /// Creates the path of recorded segments without the positions that are within ``tolerance`` of the line between
    /// their neighbours; `nil` when no segment has two different positions.
    ///
    /// The lows and highs from which ``profile`` counts stay as well, so that the profile is that of the recording, and the
    /// first and the last position of each stay in one place, which a straight line would pass over.
    ///
    /// A kept position has the elevation and the time of the recording.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` when more than ``maximumPointCount`` positions are left.
    package init?(simplifying segments: [[TrackPoint]]) throws(TravelError) {
        var paths: [[TrackPoint]] = []
        let ends = Self.endsOfStays(in: segments)
        for (number, segment) in segments.enumerated() {
            var kept = Self.simplified(segment.map(\.coordinate))
            guard kept.count >= 2 else { continue }
            let elevations = Self.elevations(of: segment)?.map(Self.rounded)
            let turns = elevations.map(Self.turns) ?? []
            if !turns.isEmpty || !ends[number].isEmpty { kept = Set(kept).union(turns).union(ends[number]).sorted() }
            // Interpolated along the whole recording.
            let times = Self.times(of: segment)
            paths.append(
                kept.map { index in
                    TrackPoint(
                        coordinate: segment[index].coordinate, time: times?[index], elevation: elevations?[index])
                })
        }
        if paths.isEmpty { return nil }
        try self.init(points: paths)
    }

    /// Each segment has as many valid elevations as positions, or none, and as many times.
    private init(_ segments: [[Coordinate]], elevations: [[Double]], times: [[Date]]) throws(TravelError) {
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
        self.times = times.map { $0.map { Date(millisecondsSince1970: $0.millisecondsSince1970) } }
    }

    /// The positions with their elevations and times, from which ``init(points:)`` makes the same path.
    package var points: [[TrackPoint]] {
        segments.enumerated().map { number, segment in
            let (elevations, times) = (elevations[number], times[number])
            return segment.indices.map {
                TrackPoint(
                    coordinate: segment[$0], time: times.isEmpty ? nil : times[$0],
                    elevation: elevations.isEmpty ? nil : elevations[$0])
            }
        }
    }

    /// Returns a copy with the times of the positions of each segment; none for a segment without.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` when a segment has another number of positions, or a time is not in
    ///   ``timeRange``.
    package func with(times: [[Date]]) throws(TravelError) -> TrackGeometry {
        guard times.count == segments.count, zip(times, segments).allSatisfy({ $0.isEmpty || $0.count == $1.count }),
            times.joined().allSatisfy(Self.timeRange.contains)
        else {
            throw .invalid(.init(.track, .malformed(expected: "a list of times with one for each position")))
        }
        return try TrackGeometry(segments, elevations: elevations, times: times)
    }

    /// The same path without times.
    package var withoutTimes: TrackGeometry {
        // The parts are those of a valid path.
        times.allSatisfy(\.isEmpty) ? self : (try? with(times: times.map { _ in [] })) ?? self
    }
}

extension Date {
    /// The nearest whole number of milliseconds since 1970. The date is in ``TrackGeometry/timeRange``.
    package var millisecondsSince1970: Int {
        Int((timeIntervalSinceReferenceDate * 1_000).rounded()) + Self.from1970To2001
    }

    /// Creates the one date that this module has for that millisecond.
    package init(millisecondsSince1970 milliseconds: Int) {
        self.init(timeIntervalSinceReferenceDate: Double(milliseconds - Self.from1970To2001) / 1_000)
    }

    private static let from1970To2001 = 978_307_200_000
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
        filled(segment.map { $0.elevation.flatMap { elevationRange.contains($0) ? $0 : nil } }, along: segment)
    }

    /// The times of all positions of a segment, by the rule of ``init(points:)``.
    private static func times(of segment: [TrackPoint]) -> [Date]? {
        let recorded = segment.map { point in
            point.time.flatMap { timeRange.contains($0) ? $0.timeIntervalSinceReferenceDate : nil }
        }
        return filled(recorded, along: segment)?.map(Date.init(timeIntervalSinceReferenceDate:))
    }

    /// The numbers of all positions of a segment, by the rule of ``init(points:)``.
    private static func filled(_ recorded: [Double?], along segment: [TrackPoint]) -> [Double]? {
        let known = recorded.indices.filter { recorded[$0] != nil }
        guard let first = known.first, let last = known.last,
            (recorded.count - known.count) * 10 <= recorded.count
        else { return nil }
        var numbers = recorded.map { $0 ?? 0 }
        for index in 0..<first { numbers[index] = numbers[first] }
        for index in last + 1..<recorded.count { numbers[index] = numbers[last] }
        for (start, end) in zip(known, known.dropFirst()) where end - start > 1 {
            let steps = (start..<end).map { segment[$0].coordinate.distance(to: segment[$0 + 1].coordinate) }
            let length = steps.reduce(0, +)
            var passed = 0.0
            for index in start + 1..<end {
                passed += steps[index - start - 1]
                let share = length > 0 ? passed / length : 0
                numbers[index] = numbers[start] + (numbers[end] - numbers[start]) * share
            }
        }
        return numbers
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
    /// If any segment has elevations or times, there follow for each: what it has, as the sum of 1 for elevations and 4 for
    /// times in whole seconds or 8 for times in milliseconds; the differences of its elevations in decimetres in the same
    /// path; and those of its times, the first from 1970. A time takes one byte where it is at most 63 seconds later.
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
        if elevations.allSatisfy(\.isEmpty), times.allSatisfy(\.isEmpty) { return bytes }
        for (elevations, times) in zip(elevations, times) {
            let times = times.map(\.millisecondsSince1970)
            let unit = times.allSatisfy { $0.isMultiple(of: 1_000) } ? 1_000 : 1
            bytes.append((elevations.isEmpty ? 0 : 1) + (times.isEmpty ? 0 : unit == 1 ? 8 : 4))
            Self.append(differencesOf: elevations.lazy.map(Self.decimetres), to: &bytes)
            Self.append(differencesOf: times.lazy.map { $0 / unit }, to: &bytes)
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
        let (elevations, times) = try Self.elevationsAndTimes(&rest, of: segments)
        guard rest.isEmpty else { throw Self.malformed }
        try self.init(segments, elevations: elevations, times: times)
    }

    private static func elevationsAndTimes(
        _ rest: inout ArraySlice<UInt8>, of segments: [[Coordinate]]
    ) throws(TravelError) -> ([[Double]], [[Date]]) {
        if rest.isEmpty { return (segments.map { _ in [] }, segments.map { _ in [] }) }
        var (elevations, times): ([[Double]], [[Date]]) = ([], [])
        for segment in segments {
            guard let form = rest.popFirst(), [0, 1, 4, 5, 8, 9].contains(form) else { throw malformed }
            elevations.append(
                try numbers(form & 1 == 0 ? 0 : segment.count, &rest) { number in
                    let metres = Double(number) / 10
                    return elevationRange.contains(metres) ? metres : nil
                })
            let unit = form & 4 == 0 ? 1 : 1_000
            times.append(
                try numbers(form < 4 ? 0 : segment.count, &rest) { number in
                    // Less than 2⁵⁵, which is many times the milliseconds of the range.
                    let date = Date(timeIntervalSince1970: Double(number) * Double(unit) / 1_000)
                    return timeRange.contains(date) ? Date(millisecondsSince1970: number * unit) : nil
                })
        }
        // A path without elevations and times has one form.
        guard !elevations.allSatisfy(\.isEmpty) || !times.allSatisfy(\.isEmpty) else { throw malformed }
        return (elevations, times)
    }

    /// Reads numbers by their differences; `make` returns `nil` for one that is out of range.
    private static func numbers<Value>(
        _ count: Int, _ rest: inout ArraySlice<UInt8>, _ make: (Int) -> Value?
    ) throws(TravelError) -> [Value] {
        var values: [Value] = []
        var last = 0
        for _ in 0..<count {
            last += try difference(&rest)
            guard let value = make(last) else { throw malformed }
            values.append(value)
        }
        return values
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

    private static func append(differencesOf numbers: some Sequence<Int>, to bytes: inout [UInt8]) {
        var last = 0
        for next in numbers {
            append(zigzag: next - last, to: &bytes)
            last = next
        }
    }

    private static func append(zigzag number: Int, to bytes: inout [UInt8]) {
        append(UInt64(bitPattern: Int64(number << 1 ^ number >> 63)), to: &bytes)
    }

    private static func number(_ bytes: inout ArraySlice<UInt8>) throws(TravelError) -> UInt64 {
        var number: UInt64 = 0
        // Differences of positions are below 2³⁰, and times below 2⁴⁹; sums of two such numbers do not overflow.
        for shift in stride(from: 0, to: 56, by: 7) {
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
