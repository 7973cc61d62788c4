#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif
import TravelDomain

/// Recordings as receivers make them: walks and rides with stays, noise, pauses and elevations, equal for equal seeds.
package struct GeneratedRecording {
    private var random: SeededGenerator
    private var (north, east, elevation, heading) = (0.0, 0.0, 120.0, 0.0)
    private var seconds: Double
    private let origin: (latitude: Double, longitude: Double)
    private let noise: Double
    private let interval: Double
    private let hasElevations: Bool

    package init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        seconds = 1_714_521_600 + Double(Int.random(in: 0..<86_400, using: &random))
        let origins = [(37.5665, 126.978), (43.0621, 141.3544), (48.8566, 2.3522), (-33.9, 18.4)]
        origin = origins[Int(seed % 4)]
        // Some receivers hold their position while they stand.
        noise = [0, 0.5, 6][Int(seed % 3)]
        interval = [1, 5, 20][Int(seed / 3 % 3)]
        hasElevations = seed % 5 < 3
    }

    /// A recording of some days: a segment for each, or two with a pause between them.
    package mutating func track(days: Int) throws(TravelError) -> Track {
        var segments: [[TrackPoint]] = []
        for _ in 0..<days {
            let morning = seconds
            for _ in 0..<Int.random(in: 1...2, using: &random) {
                segments.append(try segment())
                seconds += Double(Int.random(in: 600...3_600, using: &random))
            }
            seconds = max(morning + 86_400, seconds)
        }
        return Track(name: "Recording", segments: segments)
    }

    private mutating func segment() throws(TravelError) -> [TrackPoint] {
        var points: [TrackPoint] = []
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let speed = [1.2, 4, 18][Int.random(in: 0..<3, using: &random)]
            let turns = Bool.random(using: &random)
            for _ in 0..<Int(Double.random(in: 300...1_200, using: &random) / interval) {
                if turns { heading += .random(in: -0.3...0.3, using: &random) }
                move(speed * interval)
                points.append(try point())
            }
            heading += .random(in: -1...1, using: &random)
            // Stays of up to 40 minutes, of which those under 15 are none.
            if Bool.random(using: &random) {
                for _ in 0..<Int(Double.random(in: 120...2_400, using: &random) / interval) {
                    move(0)
                    points.append(try point())
                }
            }
        }
        return points
    }

    private mutating func move(_ metres: Double) {
        (north, east) = (north + cos(heading) * metres, east + sin(heading) * metres)
        elevation += metres == 0 ? 0 : .random(in: -1.5...1.6, using: &random)
        seconds += interval
    }

    private mutating func point() throws(TravelError) -> TrackPoint {
        func wander() -> Double { noise == 0 ? 0 : .random(in: -noise...noise, using: &random) }
        let coordinate = try Coordinate(
            latitude: origin.latitude + (north + wander()) / 111_195,
            longitude: origin.longitude + (east + wander()) / (111_195 * cos(origin.latitude * .pi / 180)))
        return TrackPoint(
            coordinate: coordinate, time: Date(timeIntervalSince1970: seconds),
            elevation: hasElevations ? elevation : nil)
    }
}
