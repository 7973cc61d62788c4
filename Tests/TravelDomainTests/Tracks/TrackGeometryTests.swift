import Foundation
import TestTurns
import Testing
import TravelDomain
import TravelDomainTesting

@Suite("The way of a track", .takesTurns)
struct TrackGeometryTests {
    private func way(_ positions: [(Double, Double)]) throws -> [Coordinate] {
        try positions.map { try Coordinate(latitude: $0, longitude: $1) }
    }

    /// The distance of a position from the nearest piece of a way, in metres, on a plane at the position.
    private func distance(of position: Coordinate, from way: [Coordinate]) -> Double {
        let (across, down) = (111_195 * cos(position.latitude * .pi / 180), 111_195.0)
        func metres(_ other: Coordinate) -> SIMD2<Double> {
            let east = (other.longitude - position.longitude).remainder(dividingBy: 360)
            return SIMD2(east * across, (other.latitude - position.latitude) * down)
        }
        let distances = zip(way, way.dropFirst()).map { from, to in
            let (a, b) = (metres(from), metres(to))
            let line = b - a
            let length = (line * line).sum()
            let nearest = a + line * (length > 0 ? min(max((-a * line).sum() / length, 0), 1) : 0)
            return (nearest * nearest).sum().squareRoot()
        }
        return distances.min() ?? .infinity
    }

    @Test("every position of a recording is within a metre of the simplified way", arguments: 0..<12 as Range<UInt64>)
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
        let simplified = try #require(try TrackGeometry(simplifying: [recorded])).segments[0]
        #expect(simplified.count <= recorded.count)
        // A sample, because the comparison takes quadratic time.
        let sample = stride(from: Int(seed), to: recorded.count, by: 61).map { recorded[$0] }
        // Metres on the plane of a part, and the rounding to 11 centimetres.
        for position in sample where scale < 1 {
            #expect(distance(of: position, from: simplified) < 1.3, "seed \(seed)")
        }
        if scale > 0.01 { #expect(simplified.count > 2_900) }
    }

    @Test("a straight way keeps its ends, and a corner stays")
    func corner() throws {
        let east = try (0...100).map { try Coordinate(latitude: 37, longitude: 127 + Double($0) / 10_000) }
        let north = try (1...100).map { try Coordinate(latitude: 37 + Double($0) / 10_000, longitude: 127.01) }
        let simplified = try TrackGeometry(simplifying: [east + north])
        #expect(simplified?.segments == [try way([(37, 127), (37, 127.01), (37.01, 127.01)])])
    }

    @Test("segments stay apart, and those without a way are left out")
    func segments() throws {
        let (a, b) = (try way([(37, 127), (37, 127.1)]), try way([(38, 127), (38, 127.1)]))
        #expect(try TrackGeometry(simplifying: [a, [], [a[0]], [a[0], a[0]], b])?.segments == [a, b])
        #expect(try TrackGeometry(simplifying: [[a[0]], []]) == nil)
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
        #expect(try TrackGeometry(simplifying: [positions])?.segments[0].count ?? 0 > 50_000)
    }

    @Test("the stored form is exact and compact", arguments: 0..<20 as Range<UInt64>)
    func storedForm(seed: UInt64) throws {
        var samples = TravelGenerator(seed: seed)
        let track = try samples.track()
        #expect(try TrackGeometry(bytes: track.bytes) == track)
        let walk = try (0..<1_000).map { number in
            try Coordinate(latitude: 37 + Double(number) / 30_000, longitude: 127 + sin(Double(number)) / 10_000)
        }
        #expect(try TrackGeometry([walk]).bytes.count < 5_000)
        #expect(try TrackGeometry(TrackGeometry([walk]).segments) == TrackGeometry([walk]))
    }

    @Test("a damaged stored form is refused", arguments: 0..<300 as Range<UInt64>)
    func damaged(seed: UInt64) throws {
        var samples = TravelGenerator(seed: seed)
        var bytes = try samples.track().bytes
        switch seed % 3 {
        case 0: bytes.removeLast(Int.random(in: 1...bytes.count, using: &samples.random))
        case 1: bytes.append(0)
        default:
            bytes[Int.random(in: bytes.indices, using: &samples.random)] ^=
                1 << UInt8.random(in: 0..<8, using: &samples.random)
        }
        if seed % 3 < 2 {
            #expect(throws: TravelError.self) { try TrackGeometry(bytes: bytes) }
        } else {
            // Another way or an error, never a trap.
            _ = try? TrackGeometry(bytes: bytes)
        }
        for text in [[], [0], [1, 0], [1, 1, 0, 0], [255, 255, 255, 255, 255, 255, 255, 255, 255, 1]] as [[UInt8]] {
            #expect(throws: TravelError.self) { try TrackGeometry(bytes: text) }
        }
    }
}
