import Foundation
import TestConcurrency
import Testing
import TravelDomain
import TravelDomainTesting

@Suite("The path of a track", .limitedConcurrency)
struct TrackGeometryTests {
    private func path(_ positions: [(Double, Double)]) throws -> [Coordinate] {
        try positions.map { try Coordinate(latitude: $0, longitude: $1) }
    }

    private func points(_ segments: [[Coordinate]]) -> [[TrackPoint]] {
        segments.map { $0.map { TrackPoint(coordinate: $0) } }
    }

    /// A path to the north of one segment, ten metres from position to position.
    private func climb(_ elevations: [Double?]) throws -> TrackGeometry {
        try TrackGeometry(
            points: [
                elevations.enumerated().map { try Walk.point(Double($0) * 10, at: nil, elevation: $1) }
            ])
    }

    /// The distance of a position from the nearest piece of a path, in metres, on a plane at the position.
    private func distance(of position: Coordinate, from path: [Coordinate]) -> Double {
        let (across, down) = (111_195 * cos(position.latitude * .pi / 180), 111_195.0)
        func metres(_ other: Coordinate) -> SIMD2<Double> {
            let east = (other.longitude - position.longitude).remainder(dividingBy: 360)
            return SIMD2(east * across, (other.latitude - position.latitude) * down)
        }
        let points = path.map(metres)
        let distances = zip(points, points.dropFirst()).map { a, b in
            let line = b - a
            let length = (line * line).sum()
            let nearest = a + line * (length > 0 ? min(max((-a * line).sum() / length, 0), 1) : 0)
            return (nearest * nearest).sum().squareRoot()
        }
        return distances.min() ?? .infinity
    }

    @Test("every position of a recording is within a metre of the simplified path", arguments: 0..<12 as Range<UInt64>)
    func tolerance(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let scales: [Double] = [0.000_01, 0.000_3, 0.02, 2]
        let scale = scales[Int(seed) % scales.count]
        var (latitude, longitude) = (
            Double.random(in: -80...80, using: &random), Double.random(in: -180...180, using: &random)
        )
        let recorded = try (0..<3_000).map { _ in
            latitude = min(max(latitude + .random(in: -scale...scale, using: &random), -85), 85)
            longitude = (longitude + .random(in: -scale...scale, using: &random)).remainder(dividingBy: 360)
            return try Coordinate(latitude: latitude, longitude: longitude)
        }
        let simplified = try #require(try TrackGeometry(simplifying: points([recorded]))).segments[0]
        #expect(simplified.count <= recorded.count)
        // A sample, because the comparison takes quadratic time.
        let sample = stride(from: Int(seed), to: recorded.count, by: 61).map { recorded[$0] }
        // Metres on the plane of a part, and the rounding to 11 centimetres.
        for position in sample where scale < 1 {
            #expect(distance(of: position, from: simplified) < 1.3, "seed \(seed)")
        }
        if scale > 0.01 { #expect(simplified.count > 2_900) }
    }

    @Test("a straight path keeps its ends, and a corner stays")
    func corner() throws {
        let east = try (0...100).map { try Coordinate(latitude: 37, longitude: 127 + Double($0) / 10_000) }
        let north = try (1...100).map { try Coordinate(latitude: 37 + Double($0) / 10_000, longitude: 127.01) }
        let simplified = try TrackGeometry(simplifying: points([east + north]))
        #expect(simplified?.segments == [try path([(37, 127), (37, 127.01), (37.01, 127.01)])])
    }

    @Test("segments stay apart, and those without a path are left out")
    func segments() throws {
        let (a, b) = (try path([(37, 127), (37, 127.1)]), try path([(38, 127), (38, 127.1)]))
        #expect(try TrackGeometry(simplifying: points([a, [], [a[0]], [a[0], a[0]], b]))?.segments == [a, b])
        #expect(try TrackGeometry(simplifying: points([[a[0]], []])) == nil)
        #expect(throws: TravelError.invalid(.init(.track, .empty))) { try TrackGeometry([]) }
        #expect(throws: TravelError.invalid(.init(.track, .empty))) { try TrackGeometry([a, [a[0]]]) }
    }

    @Test("the simplification of a spiral of 100,000 positions takes linear time")
    func spiral() throws {
        let positions = try (0..<100_000).map { number in
            let angle = Double(number) / 20
            return try Coordinate(
                latitude: 37 + cos(angle) * Double(number) / 1e6, longitude: 127 + sin(angle) * Double(number) / 1e6)
        }
        #expect(try TrackGeometry(simplifying: points([positions]))?.segments[0].count ?? 0 > 50_000)
    }

    @Test("the stored form is exact and compact", arguments: 0..<20 as Range<UInt64>)
    func storedForm(seed: UInt64) throws {
        var samples = TripGenerator(seed: seed)
        let track = try samples.track()
        #expect(try TrackGeometry(bytes: track.bytes) == track)
        let walk = try (0..<1_000).map { number in
            try Coordinate(latitude: 37 + Double(number) / 30_000, longitude: 127 + sin(Double(number)) / 10_000)
        }
        #expect(try TrackGeometry([walk]).bytes.count < 5_000)
        #expect(try TrackGeometry(TrackGeometry([walk]).segments) == TrackGeometry([walk]))
    }

    @Test("a path without elevations has the stored form of before, and one with elevations begins with it")
    func addedForm() throws {
        let segments = [try path([(0, 0), (0.000_001, 0.000_002)]), try path([(0, 0), (0, 0.000_001)])]
        let old: [UInt8] = [2, 2, 0, 0, 2, 4, 2, 0, 0, 0, 2]
        #expect(try TrackGeometry(segments).bytes == old)
        #expect(try TrackGeometry(bytes: old) == TrackGeometry(segments))
        var points = self.points(segments)
        points[1] = zip(segments[1], [1.04, -0.96]).map { TrackPoint(coordinate: $0, elevation: $1) }
        let track = try TrackGeometry(points: points)
        #expect(track.elevations == [[], [1, -1]])
        #expect(track.bytes == old + [0, 1, 20, 39])
        #expect(try TrackGeometry(bytes: track.bytes) == track)
        // The last is a decimetre below the range.
        for damage in [
            [0], [0, 0], [0, 1], [0, 1, 20], [0, 1, 20, 39, 0], [0, 2, 20, 39], [0, 1, 129, 211, 14, 0],
        ] as [[UInt8]] {
            #expect(throws: TravelError.self, "\(damage)") { try TrackGeometry(bytes: old + damage) }
        }
        #expect(try TrackGeometry(bytes: old + [0, 1, 255, 210, 14, 224, 250, 32]).profile?.highest == 15_000)
        #expect(throws: TravelError.self) { try TrackGeometry(bytes: old + [0, 1, 255, 210, 14, 226, 250, 32]) }
    }

    @Test(
        "a position without an elevation gets one along the path if at most one in ten lacks it",
        arguments: [
            ([0, 10, nil, 30, 40, 50, 60, 70, 80, 90], [0, 10, 20, 30, 40, 50, 60, 70, 80, 90]),
            ([nil, 10, 20, 30, 40, 50, 60, 70, 80, .nan], []),
            ([nil, 10, 20, 30, 40, 50, 60, 70, 80, 90], [10, 10, 20, 30, 40, 50, 60, 70, 80, 90]),
            ([0, 10, 20, 30, 40, 50, 60, 70, 80, -32_768], [0, 10, 20, 30, 40, 50, 60, 70, 80, 80]),
            ([0, nil, 20, 30, 40, 50, 60, 70, 80], []),
            (
                [0, nil, nil, 30, 40, 50, 60, 70, 80, 90] + [Double?](repeating: 90, count: 10),
                [0, 10, 20, 30, 40, 50, 60, 70, 80, 90] + [Double](repeating: 90, count: 10)
            ),
            ([nil, nil], []),
        ] as [([Double?], [Double])])
    func gaps(recorded: [Double?], kept: [Double]) throws {
        #expect(try climb(recorded).elevations == [kept])
    }

    @Test("elevations belong to the positions that a simplification keeps")
    func simplifiedElevations() throws {
        let east = try (0...100).map { try Walk.place(east: Double($0) * 10) }
        let north = try (0...100).map { try Walk.place(north: Double($0) * 10, east: 1_000) }
        let points = (east + north).enumerated().map { TrackPoint(coordinate: $1, elevation: Double($0)) }
        let simplified = try TrackGeometry(simplifying: [points, [points[0]], self.points([north])[0]])
        #expect(simplified?.elevations == [[0, 100, 201], []])
    }

    @Test("a straight path over passes keeps their feet and tops, and none of the noise between them")
    func simplifiedPass() throws {
        // Up from 100 to 900 metres, down to 400, and up to 650, with noise of two metres from fix to fix.
        var elevations: [Double] = []
        for (from, to) in [(100, 900), (900, 400), (400, 650)] as [(Double, Double)] {
            for step in 0..<200 {
                let noise: Double = step.isMultiple(of: 2) ? 0 : 2
                elevations.append(from + (to - from) * Double(step) / 200 + noise)
            }
        }
        let points = try elevations.enumerated().map { try Walk.point(Double($0) * 10, at: nil, elevation: $1) }
        let simplified = try #require(try TrackGeometry(simplifying: [points]))
        #expect(simplified.segments[0].count <= 6)
        #expect(try simplified.profile == TrackGeometry(points: [points]).profile)
        let profile = try #require(simplified.profile)
        #expect(abs(profile.ascent - 1_050) < 5 && abs(profile.descent - 500) < 5 && abs(profile.highest - 900) < 3)
    }

    @Test(
        "a simplified path has the profile of the recording, and a position more for each climb at most",
        arguments: 0..<50 as Range<UInt64>)
    func simplifiedProfile(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var (elevation, east) = (500.0, 0.0)
        let step = [0.5, 2, 6, 40][Int(seed) % 4]
        let points = try (0..<2_000).map { _ in
            elevation += .random(in: -step...step, using: &random)
            // Receivers repeat positions, also while they rise.
            if Bool.random(using: &random) { east += 5 }
            return TrackPoint(coordinate: try Walk.place(east: east), elevation: elevation)
        }
        let recorded = try #require(try TrackGeometry(points: [points]).profile)
        let simplified = try #require(try TrackGeometry(simplifying: [points]))
        let profile = try #require(simplified.profile)
        #expect(abs(profile.ascent - recorded.ascent) < 1e-6 && abs(profile.descent - recorded.descent) < 1e-6)
        let climbs = (recorded.ascent + recorded.descent) / TrackGeometry.smallestClimb
        #expect(Double(simplified.segments[0].count) <= climbs + 4, "seed \(seed)")
    }

    @Test("elevations of a receiver that stands still make no path")
    func standingStill() throws {
        let points = try [0, 50, 0, 80].map { try Walk.point(0, at: nil, elevation: $0) }
        #expect(try TrackGeometry(simplifying: [points]) == nil)
    }

    @Test(
        "ascent and descent are from low to high and back, without changes of less than five metres",
        arguments: [
            ([100, 102, 98.1, 101, 99, 102.9, 98.1], 0, 0, 102.9),
            ([100, 640, 636, 641.5, 30], 541.5, 611.5, 641.5),
            ([0, 3, 6, 2, 1], 6, 5, 6),
            ([-20, -16, -14.9], 5.1, 0, -14.9),
            ([7, 7], 0, 0, 7),
        ] as [([Double], Double, Double, Double)])
    func profile(elevations: [Double], ascent: Double, descent: Double, highest: Double) throws {
        let profile = try #require(try climb(elevations).profile)
        #expect(abs(profile.ascent - ascent) < 1e-6 && abs(profile.descent - descent) < 1e-6)
        #expect(profile.highest == highest)
        #expect(try climb(elevations.map { _ in nil }).profile == nil)
    }

    @Test("a change of elevation between segments does not count")
    func profileOfSegments() throws {
        let (low, high) = (try climb([0, 10, 0]).points[0], try climb([500, 450]).points[0])
        let none = try climb([nil, nil]).points[0]
        #expect(
            try TrackGeometry(points: [low, none, high]).profile == .init(ascent: 10, descent: 60, highest: 500))
    }

    @Test("a path with times has the stored form of before with one byte more for each position of a walk")
    func timesInStoredForm() throws {
        let segments = [try path([(0, 0), (0.000_001, 0.000_002)]), try path([(0, 0), (0, 0.000_001)])]
        let old: [UInt8] = [2, 2, 0, 0, 2, 4, 2, 0, 0, 0, 2]
        func timed(_ times: [[Double]]) throws -> TrackGeometry {
            try TrackGeometry(segments).with(times: times.map { $0.map(Date.init(timeIntervalSince1970:)) })
        }
        #expect(try timed([[1, 64], []]).bytes == old + [4, 2, 126, 0])
        #expect(try timed([[], [-1, 0.25]]).bytes == old + [0, 8, 207, 15, 196, 19])
        for times in [[[1, 64], []], [[], [-1, 0.25]], [[-62_135_596_800, 253_402_300_799.999], [5, 4]]] as [[[Double]]]
        {
            let track = try timed(times)
            #expect(try TrackGeometry(bytes: track.bytes) == track)
            #expect(track.times.map { $0.map(\.timeIntervalSince1970) } == times)
        }
        let walk = try (0..<100_000).map { number in
            TrackPoint(
                coordinate: try Coordinate(
                    latitude: 37 + Double(number) / 30_000, longitude: 127 + sin(Double(number)) / 10_000),
                time: Date(timeIntervalSince1970: 1_714_521_600 + Double(number * 9)))
        }
        let track = try TrackGeometry(points: [walk])
        #expect(track.bytes.count - track.withoutTimes.bytes.count < 100_010)
        #expect(try TrackGeometry(bytes: track.bytes) == track)
        // Two units at once, a time before the year 1, a missing one, and one too many.
        for damage in [[12, 2, 126, 0], [4, 255, 255, 255, 255, 255, 255, 63, 0, 0], [4, 2], [4, 2, 126, 0, 0]]
            as [[UInt8]]
        {
            #expect(throws: TravelError.self, "\(damage)") { try TrackGeometry(bytes: old + damage) }
        }
    }

    @Test("a position without a time gets one along the path if at most one in ten lacks it")
    func missingTimes() throws {
        func track(_ times: [Double?]) throws -> [[Double]] {
            let points = try times.enumerated().map { try Walk.point(Double($0) * 10, at: $1) }
            return try TrackGeometry(points: [points]).times.map { $0.map { Walk.minutes($0) } }
        }
        #expect(try track([0, 1, nil, 3, 4, 5, 6, 7, 8, 9]) == [[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]])
        #expect(try track([0, nil, 2, 3]) == [[]])
        #expect(try track([nil, nil]) == [[]])
        let distant = try [0, 1].map {
            TrackPoint(coordinate: try Walk.place(north: $0), time: Date(timeIntervalSince1970: 1e20))
        }
        #expect(try TrackGeometry(points: [distant]).times == [[]])
    }

    @Test("the times of another number of positions are refused")
    func otherTimes() throws {
        let track = try TrackGeometry([path([(0, 0), (1, 1)])])
        for times in [[], [[0]], [[0, 1], []], [[0, 1e15]]] as [[[Double]]] {
            #expect(throws: TravelError.self, "\(times)") {
                try track.with(times: times.map { $0.map(Date.init(timeIntervalSince1970:)) })
            }
        }
    }

    @Test("positions that a simplification keeps have the times of the recording, and so have both ends of a stay")
    func simplifiedTimes() throws {
        // Straight on to the north, with twenty minutes in one place.
        let walk = try (0...100).map { try Walk.point(Double($0) * 10, at: $0 <= 50 ? Double($0) : Double($0) + 20) }
        let track = try #require(try TrackGeometry(simplifying: [walk]))
        #expect(track.times.map { $0.map { Walk.minutes($0) } } == [[0, 50, 79, 120]])
        #expect(try track.segments == TrackGeometry([[0, 500, 590, 1_000].map { try Walk.place(north: $0) }]).segments)
    }

    @Test("the length leaves out what a receiver wanders during a stay, and jumps, of segments with times only")
    func length() throws {
        var points = try (0...40).map { try Walk.point(Double($0) * 100, at: Double($0)) }
        for minute in 1...30 {
            points.append(try Walk.point(4_000 + (minute.isMultiple(of: 2) ? 0 : 60), at: 40 + Double(minute)))
        }
        let wander = Double(30 * 60)
        let timed = try TrackGeometry(points: [points])
        #expect(abs(timed.length - 4_000) < 110)
        #expect(abs(timed.withoutTimes.length - 4_000 - wander) < 5)
        let jump = try [Walk.point(0, at: 0), Walk.point(100_000, at: 1), Walk.point(100_100, at: 2)]
        #expect(abs(try TrackGeometry(points: [jump]).length - 100) < 1)
        // What lies between two segments does not count.
        let apart = try TrackGeometry([
            [Walk.place(), Walk.place(north: 10)], [Walk.place(north: 90), Walk.place(north: 100)],
        ])
        #expect(abs(apart.length - 20) < 0.1)
    }

    @Test("a damaged stored form is refused", arguments: 0..<300 as Range<UInt64>)
    func damaged(seed: UInt64) throws {
        var samples = TripGenerator(seed: seed)
        let track = try samples.track()
        var bytes = track.bytes
        switch seed % 3 {
        case 0: bytes.removeLast(Int.random(in: 1...bytes.count, using: &samples.random))
        case 1: bytes.append(0)
        default:
            bytes[Int.random(in: bytes.indices, using: &samples.random)] ^=
                1 << UInt8.random(in: 0..<8, using: &samples.random)
        }
        if bytes == (try TrackGeometry(track.segments).bytes) {
            // All of the elevations and times are missing.
            #expect(try TrackGeometry(bytes: bytes) == TrackGeometry(track.segments))
        } else if seed % 3 < 2 {
            #expect(throws: TravelError.self) { try TrackGeometry(bytes: bytes) }
        } else {
            // Another path or an error, never a trap.
            _ = try? TrackGeometry(bytes: bytes)
        }
        for text in [[], [0], [1, 0], [1, 1, 0, 0], [255, 255, 255, 255, 255, 255, 255, 255, 255, 1]] as [[UInt8]] {
            #expect(throws: TravelError.self) { try TrackGeometry(bytes: text) }
        }
    }
}
