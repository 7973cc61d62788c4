#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

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
            seen.insert(point).inserted ? Node(Self.place(of: point), index) : nil
        }
        nodes.withUnsafeMutableBufferPointer { Self.arrange(&$0, 0..<$0.count, axis: 0) }
    }

    /// The index of the nearest point, and the first one among ties; `nil` without points.
    func nearest(to point: Coordinate) -> Int? {
        var best: (distance: Double, index: Int)?
        if !nodes.isEmpty { search(0..<nodes.count, Self.place(of: point), &best) }
        return best?.index
    }

    /// The position on a unit sphere, where the chord is monotonic in the distance.
    private static func place(of point: Coordinate) -> SIMD3<Double> {
        let (latitude, longitude) = (point.latitude * .pi / 180, point.longitude * .pi / 180)
        return SIMD3(cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude))
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
