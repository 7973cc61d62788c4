#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A period of time that the traveller spent in one place.
package struct StayPoint: Hashable, Sendable {
    /// The indices of its steps.
    package var steps: Range<Int>
    /// The mean coordinate of its points.
    package var centre: Coordinate
    package var arrival: Date
    package var departure: Date

    /// The maximum distance in metres between the first and any other point of a stay.
    package static let radius = 100.0
    /// The minimum duration in seconds.
    package static let minimum: TimeInterval = 15 * 60
    /// The maximum duration in seconds for which outliers may interrupt a stay.
    package static let interruption: TimeInterval = 2 * 60

    package var duration: TimeInterval { departure.timeIntervalSince(arrival) }

    /// Finds the stays in chronologically ordered steps.
    ///
    /// A single pass groups consecutive steps that lie within ``radius`` of the group's first step. A group that
    /// begins at most ``interruption`` after a recent group, and near its first step, continues that group. Groups
    /// that last at least ``minimum`` are stays.
    package static func all(in steps: [TimedTrack.Step]) -> [StayPoint] {
        var groups: [Range<Int>] = []
        var first = 0
        while first < steps.count {
            let anchor = steps[first].coordinate
            let end = steps[first...].firstIndex { $0.coordinate.distance(to: anchor) > radius } ?? steps.count
            let continued = groups.suffix(recent).lastIndex { group in
                steps[first].time.timeIntervalSince(steps[group.upperBound - 1].time) <= interruption
                    && steps[group.lowerBound].coordinate.distance(to: anchor) <= radius
            }
            if let continued {
                let begin = groups[continued].lowerBound
                groups.replaceSubrange(continued..., with: CollectionOfOne(begin..<end))
            } else {
                groups.append(first..<end)
            }
            first = end
        }
        return groups.map { StayPoint(of: steps, in: $0) }.filter { $0.duration >= minimum }
    }

    /// The number of recent groups that a new group may continue.
    private static let recent = 4

    private init(of all: [TimedTrack.Step], in range: Range<Int>) {
        self.steps = range
        self.centre = .mean(of: all[range].lazy.map(\.coordinate))
        self.arrival = all[range.lowerBound].time
        self.departure = all[range.upperBound - 1].time
    }
}

extension Coordinate {
    /// The mean of points that lie near the first one; there is at least one.
    static func mean(of points: some RandomAccessCollection<Coordinate>) -> Coordinate {
        let first = points[points.startIndex]
        var north = 0.0
        var east = 0.0
        for point in points {
            north += point.latitude - first.latitude
            east += (point.longitude - first.longitude).remainder(dividingBy: 360)
        }
        let count = Double(points.count)
        // Both components are clamped to their ranges, so that this does not throw.
        let middle = try? Coordinate(
            latitude: min(max(first.latitude + north / count, -90), 90),
            longitude: (first.longitude + east / count).remainder(dividingBy: 360))
        return middle ?? first
    }
}

/// A spatial hash of marks by name and by cubes, to find marks near a coordinate without a linear search.
struct MarkGrid {
    private struct Cell: Hashable {
        let name: String?
        let corner: SIMD3<Int>
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
        for x in -1...1 {
            for y in -1...1 {
                for z in -1...1 {
                    let cell = Cell(name: home.name, corner: home.corner &+ SIMD3(x, y, z))
                    for other in (marks[cell] ?? []).reversed() {
                        if mark.time.timeIntervalSince(other.time) > seconds { break }
                        if other.waypoint.coordinate.distance(to: mark.waypoint.coordinate) <= size { return true }
                    }
                }
            }
        }
        return false
    }

    private func cell(of mark: TimedTrack.Mark) -> Cell {
        let place = mark.waypoint.coordinate.onUnitSphere * (6_371_008.7714 / size)
        return Cell(name: mark.waypoint.name, corner: SIMD3<Int>(place, rounding: .down))
    }
}

/// A k-d tree of points in space (J. L. Bentley, 1975) that finds the nearest neighbour. Building it takes O(n log n)
/// time, and a query O(log n) on average.
struct NearestPoint {
    private struct Node {
        let place: SIMD3<Double>
        /// The index of the first point at this position.
        let index: Int
        /// The bounding box of the node's range; without it, a query far from all points would visit every node.
        var low: SIMD3<Double>
        var high: SIMD3<Double>

        init(_ place: SIMD3<Double>, _ index: Int) {
            (self.place, self.index, low, high) = (place, index, place, place)
        }

        /// The square of the distance from the box.
        func distance(to place: SIMD3<Double>) -> Double {
            let apart = pointwiseMax(pointwiseMax(low - place, place - high), .zero)
            return (apart * apart).sum()
        }
    }

    /// The middle of each range divides the rest of it along one axis; axes alternate between levels.
    private var nodes: [Node]

    init(_ points: [Coordinate]) {
        var seen: Set<Coordinate> = []
        nodes = points.enumerated().compactMap { index, point in
            seen.insert(point).inserted ? Node(point.onUnitSphere, index) : nil
        }
        nodes.withUnsafeMutableBufferPointer { Self.arrange(&$0, 0..<$0.count, axis: 0) }
    }

    /// The index of the nearest point, and the first one among ties; `nil` without points.
    func nearest(to point: Coordinate) -> Int? {
        var best: (distance: Double, index: Int)?
        if !nodes.isEmpty { search(0..<nodes.count, point.onUnitSphere, &best) }
        return best?.index
    }

    private static func arrange(_ nodes: inout UnsafeMutableBufferPointer<Node>, _ range: Range<Int>, axis: Int) {
        guard range.count > 1 else { return }
        let middle = range.lowerBound + range.count / 2
        select(middle, &nodes, range, axis)
        for half in [range.lowerBound..<middle, middle + 1..<range.upperBound] where !half.isEmpty {
            arrange(&nodes, half, axis: (axis + 1) % 3)
            let child = nodes[half.lowerBound + half.count / 2]
            nodes[middle].low = pointwiseMin(nodes[middle].low, child.low)
            nodes[middle].high = pointwiseMax(nodes[middle].high, child.high)
        }
    }

    /// Partitions the range around the node at `position` in sorted order (quickselect, C. A. R. Hoare, 1961).
    private static func select(
        _ position: Int, _ nodes: inout UnsafeMutableBufferPointer<Node>, _ range: Range<Int>, _ axis: Int
    ) {
        var (low, high) = (range.lowerBound, range.upperBound - 1)
        while low < high {
            let pivot = nodes[low + (high - low) / 2].place[axis]
            var (left, right) = (low, high)
            while left <= right {
                while nodes[left].place[axis] < pivot { left += 1 }
                while nodes[right].place[axis] > pivot { right -= 1 }
                if left <= right {
                    nodes.swapAt(left, right)
                    left += 1
                    right -= 1
                }
            }
            if position <= right { high = right } else if position >= left { low = left } else { return }
        }
    }

    private func search(
        _ range: Range<Int>, _ place: SIMD3<Double>, _ best: inout (distance: Double, index: Int)?
    ) {
        let middle = range.lowerBound + range.count / 2
        let node = nodes[middle]
        let apart = node.place - place
        let distance = (apart * apart).sum()
        if best.map({ (distance, node.index) < ($0.distance, $0.index) }) ?? true { best = (distance, node.index) }
        var halves = [range.lowerBound..<middle, middle + 1..<range.upperBound].filter { !$0.isEmpty }
            .map { (range: $0, distance: nodes[$0.lowerBound + $0.count / 2].distance(to: place)) }
        if halves.count == 2, halves[1].distance < halves[0].distance { halves.swapAt(0, 1) }
        for half in halves where half.distance <= best?.distance ?? .infinity { search(half.range, place, &best) }
    }
}

extension Coordinate {
    /// The position on a unit sphere, where the chord is monotonic in the distance.
    fileprivate var onUnitSphere: SIMD3<Double> {
        let (latitude, longitude) = (latitude * .pi / 180, longitude * .pi / 180)
        return SIMD3(cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude))
    }
}
