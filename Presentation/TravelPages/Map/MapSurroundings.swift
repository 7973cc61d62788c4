/// Draws ``MapFeatures`` around a trip: areas and lines below it, and names where it leaves room.
struct MapSurroundings {
    /// The most that the lines and areas of a map may have, in UTF-8 bytes.
    private static let limit = 7_000

    private let projection: MapProjection
    private let language: Language
    private let features: MapFeatures
    private let paths: [(name: String, path: String)]

    init(_ projection: MapProjection, in language: Language) {
        self.projection = projection
        self.language = language
        var tolerance = 0.7
        features = MapFeatures(in: projection.bounds, scale: projection.scale, tolerance: tolerance)
        var lines = Self.lines(of: features, in: projection)
        var paths = lines.map { ($0.name, $0.path) }
        // Coarser lines where there are many.
        while paths.reduce(0, { $0 + $1.1.utf8.count }) > Self.limit, tolerance < 50 {
            tolerance *= 1.6
            lines = lines.map { $0.simplified(tolerance: tolerance) }
            paths = lines.map { ($0.name, $0.path) }
        }
        self.paths = paths.filter { !$0.1.isEmpty }
    }

    /// Whether anything of Natural Earth is shown.
    var isEmpty: Bool { paths.isEmpty && features.towns.isEmpty }
    /// Whether anything of Statistics Korea is shown.
    var hasProvinces: Bool { !features.provinces.isEmpty }

    /// Lakes, rivers and borders.
    @HTML.Builder
    var ground: HTML {
        for (name, path) in paths {
            HTML.line
            // On the scale of continents, borders are close together.
            let isFine = projection.scale < 1e-4 / 2
            HTML("path", ["class": name + (isFine ? " fine" : ""), "transform": "scale(.5)", "d": path])
        }
    }

    /// Finds room for the names of towns, lakes, rivers and regions, in the order of their importance, with the dots of towns.
    ///
    /// - Parameters:
    ///   - names: What is written on the map already; no name is on it twice.
    ///   - markers: What covers the places of the trip.
    ///   - routes: The lines of the trip. Only names of cities are on them, where there is no room beside them.
    ///   - space: The part of the map that is taken.
    func placed(
        except names: [String], around markers: [MapRect], beside routes: [[MapPoint]], in space: MapSpace
    ) -> MapPlacing {
        var placing = MapPlacing(
            space, markers: markers, routes: MapTraces(routes, in: projection),
            written: Set(names.map { $0.lowercased() }),
            limit: min(Int(projection.width * projection.height / 4_000), 40))
        let great = features.towns.prefix { $0.rank >= 10 }
        for town in great { add(town, to: &placing) }
        let shores = features.lakes.map { $0.rings.map { $0.map(point) } }
        for (lake, shore) in zip(features.lakes, shores) { add(lake, shore, to: &placing) }
        for river in features.rivers { add(river, shores, to: &placing) }
        for region in features.regions { add(region: region, to: &placing) }
        for town in features.towns.dropFirst(great.count) { add(town, to: &placing) }
        return placing
    }

    /// Names as one group, for those who see the map.
    ///
    /// - Parameter isZoomable: Whether a script keeps the names at their size, see ``MapZoom``.
    @HTML.Builder
    static func html(of placing: MapPlacing, isZoomable: Bool) -> HTML {
        if !placing.labels.isEmpty {
            HTML.line
            HTML("g", ["aria-hidden": "true"]) {
                if !placing.dots.isEmpty {
                    HTML(
                        "path",
                        ["class": "dots", "d": placing.dots.map { "M\(whole($0.x)) \(whole($0.y))h0" }.joined()])
                }
                for kind in MapLabel.Kind.allCases {
                    let labels = placing.labels.filter { $0.kind == kind }
                    if !labels.isEmpty {
                        HTML("g", ["class": kind.rawValue]) { for label in labels { text(label, isZoomable) } }
                    }
                }
            }
        }
    }

    private static func text(_ label: MapLabel, _ isZoomable: Bool) -> HTML {
        let anchor = label.anchor == .start ? nil : label.anchor.rawValue
        let origin = isZoomable ? label.point : .zero
        return HTML(
            "text",
            [
                "transform": isZoomable ? MapZoom.transform(origin) : nil, "x": whole(label.x - origin.x),
                "y": whole(label.baseline - origin.y), "text-anchor": anchor,
            ]
        ) { label.text }
    }

    private static func whole(_ value: Double) -> String { "\(Int(value.rounded()))" }

    private func add(_ town: MapFeatures.Town, to placing: inout MapPlacing) {
        let point = point(town.position)
        let kind: MapLabel.Kind = town.rank >= cityRank ? .city : .town
        let text = language[town.name]
        let size = kind.size
        let dot = MapRect(left: point.x - 3, top: point.y - 3, right: point.x + 3, bottom: point.y + 3)
        guard placing.space.isFree(dot) else {
            // The trip is in this town, and covers its dot.
            if town.rank >= 9, let marker = placing.nameMarker(at: point, within: min(16, 15_000 * projection.scale)) {
                let (x, above, below) = ((marker.left + marker.right) / 2, marker.top - 4, marker.bottom + size + 1)
                let places: [MapPlacing.Place] = [
                    .init(x, below, .middle), .init(x, above, .middle), .init(marker.left, above, .end),
                    .init(marker.right, above, .start), .init(marker.left, below, .end),
                    .init(marker.right, below, .start), .init(marker.right + 3, point.y + 4, .start),
                    .init(marker.left - 3, point.y + 4, .end), .init(x, below + 15, .middle),
                    .init(x, above - 15, .middle),
                ]
                placing.add(text, kind, of: point, at: places)
            }
            return
        }
        let (x, y, above, below) = (point.x, point.y, point.y - 6, point.y + size + 4)
        let places: [MapPlacing.Place] = [
            .init(x + 6, y + size / 3, .start), .init(x - 6, y + size / 3, .end), .init(x, above, .middle),
            .init(x, below, .middle), .init(x + 4, above, .start), .init(x + 4, below, .start),
            .init(x - 4, above, .end), .init(x - 4, below, .end),
        ]
        let isPlaced = placing.add(text, kind, of: point, at: places)
        if isPlaced { placing.add(dot: point, dot) }
    }

    private func add(_ lake: MapFeatures.Lake, _ shore: [[MapPoint]], to placing: inout MapPlacing) {
        guard MapGeometry.extent(of: shore[0]) >= 24 else { return }
        let (top, bottom) = (shore[0].map(\.y).min() ?? 0, shore[0].map(\.y).max() ?? 0)
        // In its widest part.
        let rows = stride(from: top + 2, to: bottom, by: 4).compactMap { y in
            MapGeometry.widest(at: y, of: shore).map { (y: y, west: $0.lowerBound, east: $0.upperBound) }
        }
        let widest = rows.sorted { $0.east - $0.west > $1.east - $1.west }.prefix(3)
        placing.add(
            language[lake.name], .water,
            at: widest.map { MapPlacing.Place(($0.west + $0.east) / 2, $0.y + 3.5, .middle) })
    }

    private func add(_ river: MapFeatures.Line, _ shores: [[[MapPoint]]], to placing: inout MapPlacing) {
        let lines = river.parts.map { $0.map(point) }
        let lengths = lines.map(MapGeometry.length)
        guard let longest = lines.indices.max(by: { lengths[$0] < lengths[$1] }), lengths[longest] >= 60 else { return }
        let places = [0.5, 0.35, 0.65, 0.2, 0.8].flatMap { share -> [MapPlacing.Place] in
            let middle = MapGeometry.point(at: share, of: lines[longest])
            // Where a river flows through a lake, the name would be that of the lake.
            if shores.contains(where: { MapGeometry.isInside($0, middle) }) { return [] }
            return [
                .init(middle.x + 5, middle.y + 3.5, .start), .init(middle.x - 5, middle.y + 3.5, .end),
                .init(middle.x, middle.y - 5, .middle), .init(middle.x, middle.y + 13, .middle),
            ]
        }
        placing.add(language[river.name], .water, at: places)
    }

    private func add(region: MapFeatures.Town, to placing: inout MapPlacing) {
        let point = point(region.position)
        let steps: [(x: Double, y: Double)] = [
            (0, 0), (0, 16), (0, -16), (26, 0), (-26, 0), (26, 26), (-26, -26), (26, -26), (-26, 26),
        ]
        placing.add(
            language[region.name], .region,
            at: steps.map { MapPlacing.Place(point.x + $0.x, point.y + 4 + $0.y, .middle) })
    }

    /// The rank of towns that are written larger: above those that are there because there is room.
    private var cityRank: Int { max(11, min((features.towns.last?.rank ?? 0) + 1, 13)) }

    private func point(_ position: MapPosition) -> MapPoint {
        MapPoint(x: projection.x(ofLongitude: position.longitude), y: projection.y(ofLatitude: position.latitude))
    }

    /// Areas and lines from the lowest to the highest.
    private static func lines(of features: MapFeatures, in projection: MapProjection) -> [MapLines] {
        func lines(_ name: String, _ parts: [[MapPosition]], isClosed: Bool = false) -> MapLines {
            let points = parts.map {
                $0.map {
                    MapPoint(x: projection.x(ofLongitude: $0.longitude), y: projection.y(ofLatitude: $0.latitude))
                }
            }
            return MapLines(name: name, parts: points, isClosed: isClosed)
        }

        return [
            lines("river", features.rivers.flatMap(\.parts)),
            lines("lake", features.lakes.flatMap(\.rings), isClosed: true),
            lines("province", features.provinces.flatMap(\.parts)),
            lines("border", features.borders.flatMap(\.parts)),
            lines("border disputed", features.disputed.flatMap(\.parts)),
        ]
    }
}

/// Lines or rings of ``MapSurroundings`` with one style.
private struct MapLines {
    /// The class in the style sheet.
    let name: String
    let parts: [[MapPoint]]
    let isClosed: Bool

    func simplified(tolerance: Double) -> MapLines {
        let simple = parts.map {
            isClosed
                ? MapGeometry.simplified(closed: $0, tolerance: tolerance)
                : MapGeometry.simplified($0, tolerance: tolerance)
        }
        return MapLines(name: name, parts: isClosed ? simple.filter { $0.count > 2 } : simple, isClosed: isClosed)
    }

    /// The data of a path in halves of a unit.
    var path: String {
        var path = ""
        for part in parts {
            var last: (x: Int, y: Int)?
            for point in part {
                let (x, y) = (Int((point.x * 2).rounded()), Int((point.y * 2).rounded()))
                if let from = last {
                    // A minus sign separates numbers as well.
                    let (east, south) = (x - from.x, y - from.y)
                    path += (east < 0 || path.utf8.last == UInt8(ascii: "l") ? "" : " ") + "\(east)"
                    path += (south < 0 ? "" : " ") + "\(south)"
                } else {
                    path += "M\(x) \(y)l"
                }
                last = (x, y)
            }
            path += isClosed ? "z" : ""
        }
        return path
    }
}

/// A name of ``MapSurroundings``.
struct MapLabel {
    /// Named as the class in the style sheet.
    enum Kind: String, CaseIterable {
        case region = "regions", town = "towns", water = "waters", city = "cities"

        var size: Double {
            switch self {
            case .city, .region: 11
            case .town, .water: 10
            }
        }

        func width(of text: String) -> Double {
            MapText.width(of: text, size: size) + (self == .region ? Double(text.count) * 2 : 0)
        }
    }

    let text: String
    let kind: Kind
    let x: Double
    let baseline: Double
    let anchor: MapName.Anchor
    /// What the name is beside, or where it is.
    let point: MapPoint
    /// The name with some room around it.
    let rect: MapRect

    init(_ text: String, _ kind: Kind, width: Double, of point: MapPoint?, at place: MapPlacing.Place) {
        (self.text, self.kind) = (text, kind)
        self.point = point ?? MapPoint(x: place.x, y: place.baseline)
        (x, baseline, anchor) = (place.x, place.baseline, place.anchor)
        let left =
            switch anchor {
            case .start: x
            case .middle: x - width / 2
            case .end: x - width
            }
        rect = MapRect(left: left - 2, top: baseline - kind.size, right: left + width + 2, bottom: baseline + 3)
    }
}

/// Finds room for names, in the order in which they are added.
struct MapPlacing {
    /// Where a name may stand.
    struct Place {
        let x: Double, baseline: Double
        let anchor: MapName.Anchor

        init(_ x: Double, _ baseline: Double, _ anchor: MapName.Anchor) {
            (self.x, self.baseline, self.anchor) = (x, baseline, anchor)
        }
    }

    private(set) var space: MapSpace
    private(set) var labels: [MapLabel] = []
    private(set) var dots: [MapPoint] = []
    /// The markers of the trip without the name of a town that they cover.
    private var markers: [MapRect]
    private let routes: MapTraces
    private var written: Set<String>
    private let limit: Int

    /// Places at most `limit` names, and none that is `written`, in lower case.
    init(_ space: MapSpace, markers: [MapRect], routes: MapTraces, written: Set<String>, limit: Int) {
        self.space = space
        self.markers = markers
        self.routes = routes
        self.written = written
        self.limit = limit
    }

    /// What names of greater zooms may not cover.
    var obstacles: [(anchor: MapPoint, rect: MapRect)] { labels.map { ($0.point, $0.rect) } }

    /// Writes a name at the first place that is free, that of a city on a route if none beside it is; returns whether it did.
    @discardableResult
    mutating func add(_ text: String, _ kind: MapLabel.Kind, of point: MapPoint? = nil, at places: [Place]) -> Bool {
        guard labels.count < limit, !text.isEmpty, !written.contains(text.lowercased()) else { return false }
        let width = kind.width(of: text)
        let free = places.map { MapLabel(text, kind, width: width, of: point, at: $0) }.filter { space.isFree($0.rect) }
        guard
            let label = free.first(where: { routes.isFree($0.rect) }) ?? (kind == .city ? free.first : nil)
        else { return false }
        space.take(label.rect)
        written.insert(text.lowercased())
        self.labels.append(label)
        return true
    }

    /// The marker whose middle is within `distance` of a town, which may be named around it: one town for each marker.
    mutating func nameMarker(at town: MapPoint, within distance: Double) -> MapRect? {
        func away(_ rect: MapRect) -> Double {
            town.distance(to: MapPoint(x: (rect.left + rect.right) / 2, y: (rect.top + rect.bottom) / 2))
        }

        return markers.firstIndex { away($0) <= distance }.map { markers.remove(at: $0) }
    }

    mutating func add(dot: MapPoint, _ rect: MapRect) {
        space.take(rect)
        dots.append(dot)
    }
}

/// Where lines run on a map, in squares of six units.
struct MapTraces {
    private static let size = 6.0
    private let columns: Int, rows: Int
    private var isTaken: [Bool]

    init(_ lines: [[MapPoint]], in projection: MapProjection) {
        columns = Int(projection.width / Self.size) + 1
        rows = Int(projection.height / Self.size) + 1
        isTaken = Array(repeating: false, count: columns * rows)
        for line in lines {
            for (from, to) in zip(line, line.dropFirst()) {
                let steps = max((from.distance(to: to) / 3).rounded(.up), 1)
                for step in stride(from: 0, through: steps, by: 1) {
                    let share = step / steps
                    take(from.x + share * (to.x - from.x), from.y + share * (to.y - from.y))
                }
            }
        }
    }

    /// Whether no line is in a rectangle, which is on the map.
    func isFree(_ rect: MapRect) -> Bool {
        for y in Int(rect.top / Self.size)...Int(rect.bottom / Self.size) {
            for x in Int(rect.left / Self.size)...Int(rect.right / Self.size) where isTaken[y * columns + x] {
                return false
            }
        }
        return true
    }

    private mutating func take(_ x: Double, _ y: Double) {
        let (column, row) = (Int(x / Self.size), Int(y / Self.size))
        if (0..<columns).contains(column), (0..<rows).contains(row) { isTaken[row * columns + column] = true }
    }
}

extension MapStyle {
    /// The style of ``MapSurroundings``; every rule is confined to a map.
    static let surroundings: CSS = """
        .tlmap .river,.tlmap .border,.tlmap .province{fill:none;stroke-linejoin:round;stroke-linecap:round}
        .tlmap .river{stroke-width:2.4}
        .tlmap .lake{fill-rule:evenodd;stroke-width:1.2}
        .tlmap .border{stroke-width:2.4;stroke-dasharray:12 6}
        .tlmap .fine{stroke-width:1.2;stroke-dasharray:none}
        .tlmap .disputed{stroke-dasharray:2 6}
        .tlmap .province{stroke-width:1.8;stroke-dasharray:4 5}
        .tlmap .dots{stroke-width:4;stroke-linecap:round}
        .tlmap .towns text,.tlmap .waters text{font-size:10px}
        .tlmap .cities text,.tlmap .regions text{font-size:11px}
        .tlmap .cities text{font-weight:600}
        .tlmap .waters text{font-style:italic}
        .tlmap .regions text{letter-spacing:2px}
        .tlmap .cities text,.tlmap .towns text,.tlmap .waters text,.tlmap .regions text{paint-order:stroke;\
        stroke-width:2.5;stroke-linejoin:round}
        \(lightSurroundings)
        @media screen and (prefers-color-scheme:dark){
        \(darkSurroundings)
        }
        """

    static let (lightSurroundings, darkSurroundings) = (rules(light, .light), rules(dark, .dark))

    /// The colours that only surroundings have.
    struct SurroundingColors {
        let water: CSS, river: CSS, border: CSS, province: CSS

        // Names of waters have a contrast of at least 4.5 to land and sea (WCAG 2.2, 1.4.3), as all other names.
        static let light = SurroundingColors(water: "#2a5f80", river: "#a3c6dd", border: "#8f8298", province: "#aaa393")
        static let dark = SurroundingColors(water: "#8dbcd9", river: "#2c5875", border: "#8b8497", province: "#5d6670")
    }

    private static func rules(_ palette: Palette, _ colors: SurroundingColors) -> CSS {
        CSS(lines: [
            ".tlmap .river{stroke:\(colors.river)}", ".tlmap .lake{fill:\(palette.sea);stroke:\(colors.river)}",
            ".tlmap .border{stroke:\(colors.border)}", ".tlmap .province{stroke:\(colors.province)}",
            ".tlmap .dots{stroke:\(palette.soft)}",
            ".tlmap .cities text,.tlmap .towns text,.tlmap .regions text{fill:\(palette.soft);stroke:\(palette.land)}",
            ".tlmap .waters text{fill:\(colors.water);stroke:\(palette.land)}",
        ])
    }
}
