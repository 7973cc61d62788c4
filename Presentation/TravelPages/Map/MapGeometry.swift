/// Lines and polygons on a drawing.
enum MapGeometry {
    /// The parts of a line in a rectangle, in their order.
    static func parts(of line: [MapPoint], in rect: MapRect) -> [[MapPoint]] {
        var parts: [[MapPoint]] = []
        var part: [MapPoint] = []
        for (from, to) in zip(line, line.dropFirst()) {
            guard let (start, end) = segment(from, to, in: rect) else { continue }
            if part.last != start {
                if part.count > 1 { parts.append(part) }
                part = [start]
            }
            part.append(end)
        }
        if part.count > 1 { parts.append(part) }
        return parts
    }

    /// The part of a segment in a rectangle, by the algorithm of Liang and Barsky (1984).
    private static func segment(_ from: MapPoint, _ to: MapPoint, in rect: MapRect) -> (MapPoint, MapPoint)? {
        let (dx, dy) = (to.x - from.x, to.y - from.y)
        var (enters, leaves) = (0.0, 1.0)
        for (step, room) in [
            (-dx, from.x - rect.left), (dx, rect.right - from.x), (-dy, from.y - rect.top), (dy, rect.bottom - from.y),
        ] {
            if step == 0 {
                if room < 0 { return nil }
            } else if step < 0 {
                enters = max(enters, room / step)
            } else {
                leaves = min(leaves, room / step)
            }
        }
        guard enters < leaves else { return nil }
        return (
            enters == 0 ? from : MapPoint(x: from.x + enters * dx, y: from.y + enters * dy),
            leaves == 1 ? to : MapPoint(x: from.x + leaves * dx, y: from.y + leaves * dy)
        )
    }

    /// The part of a polygon in a rectangle, see ``Coastline``.
    static func clipped(_ ring: [MapPoint], to rect: MapRect) -> [MapPoint] {
        func transposed(_ points: [MapPoint]) -> [MapPoint] { points.map { MapPoint(x: $0.y, y: $0.x) } }

        let columns = Coastline.cut(Coastline.cut(ring, at: rect.left, keeping: 1), at: rect.right, keeping: -1)
        let rows = Coastline.cut(transposed(columns), at: rect.top, keeping: 1)
        return transposed(Coastline.cut(rows, at: rect.bottom, keeping: -1))
    }

    /// A line with fewer points, by the algorithm of Douglas and Peucker (1973); its ends stay.
    static func simplified(_ line: [MapPoint], tolerance: Double) -> [MapPoint] {
        guard line.count > 2 else { return line }
        var isKept = Array(repeating: false, count: line.count)
        isKept[0] = true
        isKept[line.count - 1] = true
        var ranges = [(0, line.count - 1)]
        while let (first, last) = ranges.popLast() {
            var (farthest, distance) = (first, tolerance)
            for index in first + 1..<max(last, first + 1) {
                let away = line[index].distance(to: line[first], line[last])
                if away > distance { (farthest, distance) = (index, away) }
            }
            guard farthest > first else { continue }
            isKept[farthest] = true
            ranges.append((first, farthest))
            ranges.append((farthest, last))
        }
        return zip(line, isKept).filter(\.1).map(\.0)
    }

    /// A ring with fewer points: both halves between its first point and the one farthest from it.
    static func simplified(closed ring: [MapPoint], tolerance: Double) -> [MapPoint] {
        guard ring.count > 3, let first = ring.first,
            let farthest = ring.indices.max(by: { ring[$0].distance(to: first) < ring[$1].distance(to: first) })
        else { return ring }
        let there = simplified(Array(ring[...farthest]), tolerance: tolerance)
        let back = simplified(Array(ring[farthest...]) + [first], tolerance: tolerance)
        return there + back.dropFirst().dropLast()
    }

    /// The longer side of the rectangle around points; 0 for none.
    static func extent(of points: [MapPoint]) -> Double {
        guard let left = points.map(\.x).min(), let right = points.map(\.x).max(),
            let top = points.map(\.y).min(), let bottom = points.map(\.y).max()
        else { return 0 }
        return max(right - left, bottom - top)
    }

    static func length(of line: [MapPoint]) -> Double {
        zip(line, line.dropFirst()).reduce(0) { $0 + $1.0.distance(to: $1.1) }
    }

    /// The point of a line at this share of its length.
    static func point(at share: Double, of line: [MapPoint]) -> MapPoint {
        var rest = length(of: line) * share
        for (from, to) in zip(line, line.dropFirst()) {
            let step = from.distance(to: to)
            if step >= rest, step > 0 {
                return MapPoint(x: from.x + (to.x - from.x) * rest / step, y: from.y + (to.y - from.y) * rest / step)
            }
            rest -= step
        }
        return line.last ?? MapPoint(x: 0, y: 0)
    }

    /// The widest part of a row that is inside of rings, by the rule of even and odd.
    static func widest(at y: Double, of rings: [[MapPoint]]) -> ClosedRange<Double>? {
        let crossings = crossings(at: y, of: rings).sorted()
        let parts = stride(from: 0, to: crossings.count - 1, by: 2).map { crossings[$0]...crossings[$0 + 1] }
        return parts.max { $0.upperBound - $0.lowerBound < $1.upperBound - $1.lowerBound }
    }

    /// Whether a point is inside of rings, by the rule of even and odd.
    static func isInside(_ rings: [[MapPoint]], _ point: MapPoint) -> Bool {
        !crossings(at: point.y, of: rings).count { $0 > point.x }.isMultiple(of: 2)
    }

    private static func crossings(at y: Double, of rings: [[MapPoint]]) -> [Double] {
        var crossings: [Double] = []
        for ring in rings {
            guard var previous = ring.last else { continue }
            for point in ring {
                if (point.y > y) != (previous.y > y) {
                    crossings.append(previous.x + (y - previous.y) / (point.y - previous.y) * (point.x - previous.x))
                }
                previous = point
            }
        }
        return crossings
    }
}

extension MapPoint {
    func distance(to other: MapPoint) -> Double {
        let (x, y) = (other.x - x, other.y - y)
        return (x * x + y * y).squareRoot()
    }

    /// The distance from a segment.
    fileprivate func distance(to start: MapPoint, _ end: MapPoint) -> Double {
        let (dx, dy) = (end.x - start.x, end.y - start.y)
        let length = dx * dx + dy * dy
        guard length > 0 else { return distance(to: start) }
        let share = min(max(((x - start.x) * dx + (y - start.y) * dy) / length, 0), 1)
        return distance(to: MapPoint(x: start.x + share * dx, y: start.y + share * dy))
    }
}
