/// A drawing of pixels without text: polygons and thick lines with smooth edges.
///
/// ```swift
/// var canvas = MapCanvas(width: 1_200, height: 630, color: paper)
/// canvas.fill([triangle], green)
/// canvas.stroke([triangle], width: 3, black)
/// ```
///
/// Coordinates are those of pixels: the first one reaches from 0 to 1.
struct MapCanvas {
    struct Color: Hashable {
        let red: UInt8, green: UInt8, blue: UInt8
    }

    let width: Int, height: Int
    /// Red, green and blue of each pixel, row by row from the top left.
    private(set) var pixels: [UInt8]
    /// How much of each pixel a stroke covers, of 255; all are 0 between two strokes.
    private var mask: [UInt8]

    init(width: Int, height: Int, color: Color) {
        (self.width, self.height) = (width, height)
        mask = Array(repeating: 0, count: width * height)
        pixels = Array(unsafeUninitializedCapacity: width * height * 3) { bytes, count in
            for index in 0..<width * height {
                bytes[index * 3] = color.red
                bytes[index * 3 + 1] = color.green
                bytes[index * 3 + 2] = color.blue
            }
            count = width * height * 3
        }
    }

    // MARK: Polygons

    /// The rows in which each row of pixels is sampled.
    private static let samples = 4

    /// Fills what is inside of rings, by the rule of even and odd.
    mutating func fill(_ rings: [[MapPoint]], _ color: Color) {
        let crossings = Crossings(of: rings, rows: height * Self.samples, samplesARow: Double(Self.samples))
        // The coverage of each pixel of a row, and what is added to it and to all that follow.
        var (single, running) = ([Float](), [Float]())
        let weight = 1 / Float(Self.samples)
        let edge = Double(width)
        for y in 0..<height {
            let rows = y * Self.samples..<(y + 1) * Self.samples
            guard crossings.hasAny(in: rows) else { continue }
            single = Array(repeating: 0, count: width + 1)
            running = Array(repeating: 0, count: width + 1)
            for row in rows {
                let sorted = crossings[row]
                for pair in stride(from: 0, to: sorted.count - 1, by: 2) {
                    let (from, to) = (min(max(sorted[pair], 0), edge), min(max(sorted[pair + 1], 0), edge))
                    guard from < to else { continue }
                    let (first, last) = (Int(from), Int(to))
                    if first == last {
                        single[first] += Float(to - from) * weight
                    } else {
                        single[first] += Float(Double(first + 1) - from) * weight
                        running[first + 1] += weight
                        running[last] -= weight
                        single[last] += Float(to - Double(last)) * weight
                    }
                }
            }
            var level: Float = 0
            for x in 0..<width {
                level += running[x]
                let covered = level + single[x]
                if covered > 0.002 { blend(color, at: y * width + x, Int(min(covered, 1) * 256)) }
            }
        }
    }

    // MARK: Lines

    /// Draws lines with round ends and corners. What several of them cover is as opaque as what one covers.
    mutating func stroke(_ lines: [[MapPoint]], width thickness: Double, _ color: Color, opacity: Double = 1) {
        let radius = thickness / 2
        var drawn: (left: Int, top: Int, right: Int, bottom: Int) = (width, height, -1, -1)
        for line in lines {
            for (index, to) in line.enumerated() {
                // A line of one point is a dot.
                guard index > 0 || line.count == 1 else { continue }
                let box = cover(index > 0 ? line[index - 1] : to, to, radius)
                drawn = (
                    min(drawn.left, box.left), min(drawn.top, box.top), max(drawn.right, box.right),
                    max(drawn.bottom, box.bottom)
                )
            }
        }
        guard drawn.left <= drawn.right, drawn.top <= drawn.bottom else { return }
        let full = Int(opacity * 256)
        for y in drawn.top...drawn.bottom {
            for index in y * width + drawn.left...y * width + drawn.right where mask[index] > 0 {
                blend(color, at: index, (Int(mask[index]) * full + 254) / 255)
                mask[index] = 0
            }
        }
    }

    /// Adds a segment with round ends to the mask, and returns the pixels in which it is; none outside of the drawing.
    private mutating func cover(
        _ from: MapPoint, _ to: MapPoint, _ radius: Double
    ) -> (left: Int, top: Int, right: Int, bottom: Int) {
        let reach = radius + 1
        let (dx, dy) = (to.x - from.x, to.y - from.y)
        let length = dx * dx + dy * dy
        let (columns, rows) = (Double(width), Double(height))
        let top = Int(min(max(min(from.y, to.y) - reach, 0), rows))
        let bottom = Int(min(max(max(from.y, to.y) + reach, -1), rows - 1))
        var (left, right) = (width, -1)
        let (inner, outer) = (max(radius - 0.5, 0), radius + 0.5)
        guard top <= bottom else { return (width, height, -1, -1) }
        for y in top...bottom {
            // The part of the segment that is near this row.
            let middle = Double(y) + 0.5
            var part = (first: 0.0, last: 1.0)
            if dy != 0 {
                let ends = ((middle - reach - from.y) / dy, (middle + reach - from.y) / dy)
                part = (max(0, min(ends.0, ends.1)), min(1, max(ends.0, ends.1)))
                guard part.first <= part.last else { continue }
            }
            let (one, other) = (from.x + part.first * dx, from.x + part.last * dx)
            let first = Int(min(max(min(one, other) - reach, 0), columns))
            let last = Int(min(max(max(one, other) + reach, -1), columns - 1))
            guard first <= last else { continue }
            (left, right) = (min(left, first), max(right, last))
            for x in first...last {
                let (px, py) = (Double(x) + 0.5 - from.x, middle - from.y)
                let share = length > 0 ? min(max((px * dx + py * dy) / length, 0), 1) : 0
                let (ax, ay) = (px - share * dx, py - share * dy)
                let away = ax * ax + ay * ay
                guard away < outer * outer else { continue }
                let covered = away <= inner * inner && radius >= 0.5 ? 1 : min(outer - away.squareRoot(), 2 * radius, 1)
                let value = UInt8(covered * 255)
                if value > mask[y * width + x] { mask[y * width + x] = value }
            }
        }
        return (left, top, right, bottom)
    }

    // MARK: Pixels

    /// Mixes a colour with that of a pixel.
    private mutating func blend(_ color: Color, at index: Int, _ share: Int) {
        func mixed(_ under: UInt8, _ over: UInt8) -> UInt8 {
            UInt8(truncatingIfNeeded: Int(under) + ((Int(over) - Int(under)) * share + 128) >> 8)
        }

        let first = index * 3
        pixels[first] = mixed(pixels[first], color.red)
        pixels[first + 1] = mixed(pixels[first + 1], color.green)
        pixels[first + 2] = mixed(pixels[first + 2], color.blue)
    }
}

/// Where the edges of rings cross the middles of rows, in ascending order.
private struct Crossings {
    /// Those of all rows, one row after another.
    private var values: [Double]
    /// Where each row begins in the values, and where the last one ends.
    private var starts: [Int]

    init(of rings: [[MapPoint]], rows: Int, samplesARow samples: Double) {
        /// The rows whose middles are between two heights.
        func crossed(_ from: MapPoint, _ to: MapPoint) -> Range<Int> {
            let (top, bottom) = (min(from.y, to.y) * samples - 0.5, max(from.y, to.y) * samples - 0.5)
            let first = Int(min(max(top.rounded(.up), 0), Double(rows)))
            return first..<max(Int(min(max(bottom.rounded(.up), 0), Double(rows))), first)
        }

        func forEachEdge(_ body: (MapPoint, MapPoint) -> Void) {
            for ring in rings where ring.count > 2 {
                var from = ring[ring.count - 1]
                for to in ring {
                    body(from, to)
                    from = to
                }
            }
        }

        var counts = Array(repeating: 0, count: rows + 1)
        forEachEdge { from, to in for row in crossed(from, to) { counts[row + 1] += 1 } }
        for row in 0..<rows { counts[row + 1] += counts[row] }
        var free = counts
        var values = Array(repeating: 0.0, count: counts[rows])
        forEachEdge { from, to in
            let slope = (to.x - from.x) / (to.y - from.y)
            for row in crossed(from, to) {
                values[free[row]] = from.x + ((Double(row) + 0.5) / samples - from.y) * slope
                free[row] += 1
            }
        }
        for row in 0..<rows where counts[row + 1] - counts[row] > 1 { values[counts[row]..<counts[row + 1]].sort() }
        (self.values, starts) = (values, counts)
    }

    func hasAny(in rows: Range<Int>) -> Bool { starts[rows.lowerBound] < starts[rows.upperBound] }

    /// The crossings of a row, with indices from 0.
    subscript(row: Int) -> [Double] { Array(values[starts[row]..<starts[row + 1]]) }
}
