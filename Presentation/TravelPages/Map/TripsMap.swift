/// A map of many trips: the way of each as a line, and a marker that leads to its page.
///
/// ```swift
/// TripsMap([.init(title: "부산 밤바다", address: "/trips/6f1c…", route: way, destination: way[3])], list: "/", in: .korean).html
/// ```
///
/// Trips whose markers would overlap share one with their number, which leads to a list.
package struct TripsMap: Sendable {
    package struct Item: Sendable {
        let title: String
        let address: String
        let route: [Coordinate]
        let destination: Coordinate

        /// - Parameters:
        ///   - address: The address of the page of the trip.
        ///   - destination: The position of the marker, which is one of `route`.
        package init(title: String, address: String, route: [Coordinate], destination: Coordinate) {
            (self.title, self.address, self.route, self.destination) = (title, address, route, destination)
        }
    }

    private let items: [Item]
    private let list: String
    private let language: Language
    private let isZoomable: Bool

    /// - Parameters:
    ///   - list: The address of a list of all trips.
    ///   - isZoomable: Whether a script of the page zooms into the map.
    package init(_ items: [Item], list: String, in language: Language, isZoomable: Bool = false) {
        (self.items, self.list, self.language, self.isZoomable) = (items, list, language, isZoomable)
    }

    /// The drawing as an element `svg`; `nil` without any trip.
    package var html: HTML? {
        MapProjection(items.flatMap { $0.route + [$0.destination] }, on: .page).map(drawing)
    }

    private func drawing(_ projection: MapProjection) -> HTML {
        var space = MapSpace(projection)
        let bar = ScaleBar(projection)
        space.take(bar.rect)
        let markers = TripsMarker.markers(for: items, in: projection)
        for marker in markers { space.take(marker.rect) }
        if isZoomable { space.take(MapZoom.controls(on: projection)) }
        let names = markers.map { marker in
            marker.name.flatMap { MapName.placed($0, beside: marker.rect, at: marker.point, in: &space) }
        }
        let grid = MapGrid(projection).html(in: &space)
        let surroundings = MapSurroundings(projection, in: language)
        let placed = surroundings.placed(
            except: names.compactMap { $0?.text }, around: markers.map(\.rect),
            beside: items.map { $0.route.map(projection.point) }, in: space)
        var layers = MarkerLayers(markers, names: names)
        if isZoomable {
            layers.addZooms(of: projection, around: placed.obstacles) { TripsMarker.markers(for: items, in: $0) }
        }
        let (width, height) = (number(projection.width), number(projection.height))
        return HTML(
            "svg",
            [
                "xmlns": "http://www.w3.org/2000/svg", "class": "tlmap", "viewBox": "0 0 \(width) \(height)",
                "role": "group", "aria-labelledby": "map-title",
                "data-projection": isZoomable ? MapZoom.projection(projection) : nil,
            ]
        ) {
            HTML("title", ["id": "map-title"]) { language[.mapOfTrips(items.count)] }
            MapDrawing.land(projection, isZoomable: isZoomable)
            surroundings.ground
            if isZoomable { HTML("g", ["class": "net"]) { grid } } else { grid }
            MapSurroundings.html(of: placed, isZoomable: isZoomable)
            for (index, item) in items.enumerated() { line(item, index, projection) }
            for item in layers.items { draw(item) }
            if isZoomable { HTML("g", ["class": "scale"]) { bar.html } } else { bar.html }
        }
    }

    @HTML.Builder
    private func line(_ item: Item, _ index: Int, _ projection: MapProjection) -> HTML {
        if item.route.count > 1 {
            let path = item.route.map(projection.point).map { "\(number($0.x)) \(number($0.y))" }.joined(
                separator: " L")
            HTML("g", ["class": MapStyle.dayClass(index % MapStyle.dayCount + 1)]) {
                HTML("path", ["class": "line", "d": "M\(path)"])
            }
        }
    }

    private func draw(_ shown: MarkerLayers<TripsMarker>.Item) -> HTML {
        let marker = shown.marker
        // What a script keeps at its size is drawn around 0.
        let origin = isZoomable ? marker.point : .zero
        let (first, rect) = (marker.items[0], marker.rect.moved(x: -origin.x, y: -origin.y))
        let name = shown.name?.moved(x: -origin.x, y: -origin.y)
        let titles = marker.items.prefix(20).map(\.item.title).joined(separator: "\n")
        let isOne = marker.items.count == 1
        return HTML(
            "g",
            [
                "class": MapStyle.dayClass(first.index % MapStyle.dayCount + 1),
                "transform": isZoomable ? MapZoom.transform(shown.anchor) : nil, "data-zoom": shown.range,
                "display": MapZoom.display(shown.first),
            ]
        ) {
            HTML("a", ["href": isOne ? first.item.address : list]) {
                HTML("title") { titles + (marker.items.count > 20 ? "\n…" : "") }
                HTML(
                    "rect",
                    [
                        "class": "mark", "x": number(rect.left), "y": number(rect.top),
                        "width": number(rect.right - rect.left), "height": number(rect.bottom - rect.top),
                        "rx": number((rect.bottom - rect.top) / 2),
                    ])
                if !isOne {
                    HTML(
                        "text",
                        [
                            "class": "num", "x": number(marker.point.x - origin.x),
                            "y": number(marker.point.y - origin.y + 4),
                        ]
                    ) {
                        "\(marker.items.count)"
                    }
                }
                if let name {
                    HTML(
                        "text",
                        [
                            "class": "name", "x": number(name.x), "y": number(name.baseline),
                            "text-anchor": name.anchor.rawValue, "data-zoom": shown.nameRange,
                            "display": shown.nameRange.map { _ in "none" },
                        ]
                    ) { name.text }
                }
            }
        }
    }

    private func number(_ value: Double) -> String { SVGNumber.text(value) }
}

/// Trips whose markers would overlap.
struct TripsMarker: PlacedMarker {
    private(set) var items: [(item: TripsMap.Item, index: Int)]
    /// The middle.
    let point: MapPoint

    /// Half the extent of the marker of one trip, and half the height of one with a number.
    private static let (dot, half) = (7.0, 12.0)
    /// How far apart two markers are at least, so that each can be hit (WCAG 2.2, 2.5.8).
    private static let distance = 32.0

    /// The markers, in the order of their first trips; no two overlap.
    ///
    /// The drawing is divided into squares of their distance, so that each is compared with its neighbours only.
    static func markers(for items: [TripsMap.Item], in projection: MapProjection) -> [TripsMarker] {
        var markers: [TripsMarker] = []
        var squares: [[Int]: Int] = [:]
        for (index, item) in items.enumerated() {
            let point = projection.point(item.destination)
            let (column, row) = (Int((point.x / distance).rounded(.down)), Int((point.y / distance).rounded(.down)))
            let near = (-1...1).lazy.flatMap { x in (-1...1).lazy.map { [column + x, row + $0] } }
                .compactMap { squares[$0] }
                .first {
                    abs(markers[$0].point.x - point.x) < distance && abs(markers[$0].point.y - point.y) < distance
                }
            if let near {
                markers[near].items.append((item, index))
            } else {
                squares[[column, row]] = markers.count
                markers.append(TripsMarker(items: [(item, index)], point: point))
            }
        }
        return markers
    }

    var members: [Int] { items.map(\.index) }
    /// The title of the trip; none for several.
    var name: String? { items.count == 1 ? items[0].item.title : nil }

    var rect: MapRect {
        guard items.count > 1 else {
            return MapRect(
                left: point.x - Self.dot, top: point.y - Self.dot, right: point.x + Self.dot, bottom: point.y + Self.dot
            )
        }
        let width = max(Self.half, MapText.width(of: "\(items.count)", size: 12) / 2 + 4)
        return MapRect(
            left: point.x - width, top: point.y - Self.half, right: point.x + width, bottom: point.y + Self.half)
    }
}
