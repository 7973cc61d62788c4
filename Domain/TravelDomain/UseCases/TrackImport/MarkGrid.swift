#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A spatial hash of marks by name and by cubes, to find marks near a coordinate without a linear search.
struct MarkGrid {
    private struct Cell: Hashable {
        let name: String?
        let x: Int
        let y: Int
        let z: Int
    }

    private var marks: [Cell: [TimedTrack.Mark]] = [:]
    /// The edge length of a cube, and the maximum distance of a match, in metres.
    private let size: Double

    init(size: Double) {
        self.size = size
    }

    mutating func add(_ mark: TimedTrack.Mark) {
        marks[cell(of: mark), default: []].append(mark)
    }

    /// Whether there is a mark with the same name within the distance, at most `seconds` before this one.
    ///
    /// Marks must be added and queried in chronological order, so that only the latest marks of a cube are compared.
    /// These are few, because they are apart from each other.
    func contains(like mark: TimedTrack.Mark, within seconds: TimeInterval) -> Bool {
        let home = cell(of: mark)
        for x in home.x - 1...home.x + 1 {
            for y in home.y - 1...home.y + 1 {
                for z in home.z - 1...home.z + 1 {
                    for other in (marks[Cell(name: home.name, x: x, y: y, z: z)] ?? []).reversed() {
                        if mark.time.timeIntervalSince(other.time) > seconds { break }
                        if other.waypoint.coordinate.distance(to: mark.waypoint.coordinate) <= size { return true }
                    }
                }
            }
        }
        return false
    }

    private func cell(of mark: TimedTrack.Mark) -> Cell {
        let place = mark.waypoint.coordinate
        let (latitude, longitude) = (place.latitude * .pi / 180, place.longitude * .pi / 180)
        let radius = 6_371_008.7714 / size
        func index(_ part: Double) -> Int { Int((part * radius).rounded(.down)) }
        return Cell(
            name: mark.waypoint.name, x: index(cos(latitude) * cos(longitude)),
            y: index(cos(latitude) * sin(longitude)),
            z: index(sin(latitude)))
    }
}
