/// What a marker needs for a place in ``MarkerLayers``.
protocol PlacedMarker {
    /// What it stands for, by numbers in their order.
    var members: [Int] { get }
    /// The text beside it; `nil` for none.
    var name: String? { get }
    /// Its middle.
    var point: MapPoint { get }
    var rect: MapRect { get }
}

/// The markers of a drawing, each with the zooms at which it is shown.
///
/// Where a script zooms into a map, markers and names keep their size on the screen: those that share a marker separate, and
/// names find room that had none. The drawing contains them all, and what is not shown at its own scale is hidden.
struct MarkerLayers<Marker: PlacedMarker> {
    struct Item {
        /// As it is in the drawing enlarged ``first`` times.
        let marker: Marker
        /// The zoom at which it is first shown, 1 for the drawing as it is.
        let first: Int
        /// The zoom at which others take its place.
        fileprivate(set) var end: Int?
        /// The name, in the coordinates of the marker.
        fileprivate(set) var name: MapName?
        /// The zoom at which the name is first shown.
        fileprivate(set) var nameFirst = 1

        /// The middle in the drawing as it is.
        var anchor: MapPoint { MapPoint(x: marker.point.x / Double(first), y: marker.point.y / Double(first)) }
    }

    /// Something else that takes room, around a point of the drawing as it is.
    typealias Obstacle = (anchor: MapPoint, rect: MapRect)

    /// The markers in the order of what they stand for.
    private(set) var items: [Item]

    /// The zooms at which markers may separate.
    static var zooms: [Int] { [2, 4, 8, 16, 32, 64] }
    /// The most markers of a drawing with zooms: a page has to stay small.
    private static var limit: Int { 60 }

    /// The markers of the drawing as it is, with their names.
    init(_ markers: [Marker], names: [MapName?]) {
        items = zip(markers, names).map { Item(marker: $0, first: 1, name: $1) }
    }

    /// Adds the markers of greater zooms.
    ///
    /// - Parameters:
    ///   - obstacles: What names may not cover.
    ///   - markers: Returns the markers of the enlarged drawing.
    mutating func addZooms(
        of projection: MapProjection, around obstacles: [Obstacle], markers: (MapProjection) -> [Marker]
    ) {
        for zoom in Self.zooms
        where items.contains(where: { $0.end == nil && ($0.marker.members.count > 1 || $0.isNameless) }) {
            let enlarged = projection.enlarged(Double(zoom))
            let markers = markers(enlarged)
            let kept = kept(of: markers, zoom)
            guard items.count + markers.count(where: { kept[$0.members] == nil }) <= Self.limit else { break }
            add(markers, kept, zoom, in: MapSpace(enlarged), around: obstacles)
        }
        items.sort { ($0.marker.members[0], $0.first) < ($1.marker.members[0], $1.first) }
    }

    /// The indices of the items that stay at a zoom, by what they stand for: all but those that have been moved to the edge of
    /// the drawing, and are no longer at it.
    private func kept(of markers: [Marker], _ zoom: Int) -> [[Int]: Int] {
        var shown: [[Int]: Int] = [:]
        for index in items.indices where items[index].end == nil { shown[items[index].marker.members] = index }
        let places = Dictionary(uniqueKeysWithValues: markers.map { ($0.members, $0.point) })
        return shown.filter { members, index in
            let anchor = items[index].anchor
            return places[members].map {
                abs(anchor.x * Double(zoom) - $0.x) < 1 && abs(anchor.y * Double(zoom) - $0.y) < 1
            } ?? false
        }
    }

    private mutating func add(
        _ markers: [Marker], _ kept: [[Int]: Int], _ zoom: Int, in space: MapSpace, around obstacles: [Obstacle]
    ) {
        var space = space
        for (anchor, rect) in obstacles {
            space.take(rect.moved(x: anchor.x * Double(zoom - 1), y: anchor.y * Double(zoom - 1)))
        }
        for marker in markers {
            space.take(marker.rect)
            if let index = kept[marker.members], let name = items[index].name {
                let (from, to) = (items[index].marker.point, marker.point)
                space.take(name.rect.moved(x: to.x - from.x, y: to.y - from.y))
            }
        }
        let staying = Set(kept.values)
        for index in items.indices where items[index].end == nil && !staying.contains(index) { items[index].end = zoom }
        for marker in markers {
            let index = kept[marker.members]
            if let index, items[index].name != nil { continue }
            let name = marker.name.flatMap { MapName.placed($0, beside: marker.rect, at: marker.point, in: &space) }
            guard let index else {
                items.append(Item(marker: marker, first: zoom, name: name, nameFirst: zoom))
                continue
            }
            let (from, to) = (marker.point, items[index].marker.point)
            items[index].name = name?.moved(x: to.x - from.x, y: to.y - from.y)
            items[index].nameFirst = zoom
        }
    }
}

extension MarkerLayers.Item {
    /// Whether a name had no room yet.
    fileprivate var isNameless: Bool { name == nil && marker.name != nil }

    /// The value of `data-zoom`: `4 16` for what is shown from a zoom of 4 on, and no longer from 16 on.
    var range: String? { end == nil && first == 1 ? nil : "\(first)" + (end.map { " \($0)" } ?? "") }
    var nameRange: String? { nameFirst == first ? nil : "\(nameFirst)" }
}

/// The attributes by which a script zooms into a drawing.
enum MapZoom {
    /// The value of `data-projection`: the coordinate in the middle, the units a degree of longitude and of latitude, the units
    /// a metre, and from which width of the view in metres on the coast is exact enough.
    static func projection(_ projection: MapProjection) -> String {
        let (across, down) = projection.unitsADegree
        let middle = projection.middle
        let error = Coastline.error(latitude: middle.latitude, longitude: middle.longitude)
        return "\(middle.latitude) \(middle.longitude) \(across) \(down) \(projection.scale) \(Int(error) * 10)"
    }

    /// Numbers in their order, with runs: `1-3 7`.
    static func runs(of numbers: [Int]) -> String {
        numbers.chunked { $0 + 1 == $1 }.map { $0.count == 1 ? "\($0[0])" : "\($0[0])-\($0[$0.count - 1])" }
            .joined(separator: " ")
    }

    /// Where the page has its buttons, in the upper right corner: no name is below them.
    static func controls(on projection: MapProjection) -> MapRect {
        MapRect(left: projection.width - 48, top: 0, right: projection.width, bottom: 126)
    }

    /// Moves what is drawn around 0 to a point. What has this attribute keeps its size on the screen.
    static func transform(_ point: MapPoint) -> String { "translate(\(text(point.x)) \(text(point.y)))" }

    /// Whether what is shown from a zoom on is hidden in the drawing as it is.
    static func display(_ first: Int) -> String? { first == 1 ? nil : "none" }

    /// With thousandths, which are seen where a map is enlarged.
    private static func text(_ value: Double) -> String { "\((value * 1_000).rounded() / 1_000)" }
}

extension MapRect {
    func moved(x: Double, y: Double) -> MapRect {
        MapRect(left: left + x, top: top + y, right: right + x, bottom: bottom + y)
    }
}

extension MapName {
    func moved(x: Double, y: Double) -> MapName {
        MapName(text: text, x: self.x + x, baseline: baseline + y, anchor: anchor)
    }
}

extension MapPoint {
    static let zero = MapPoint(x: 0, y: 0)
}
