import Foundation

/// Draws the stops of a trip as an `svg` element.
struct MapDrawing {
    /// The kind of document that contains the drawing.
    enum Use {
        /// A separate file, with a legend.
        case file
        /// A page in which the entry of stop 3 has the ID `stop-3`; the markers link there.
        case page
        /// A page whose script zooms into the drawing.
        case app
    }

    private let trip: RecordedTrip
    private let stops: MapStops
    private let language: Language
    private let use: Use
    private let projection: MapProjection?
    private let surroundings: MapSurroundings?

    /// - Parameter day: The day, 1-based, that the drawing shows; `nil` for the whole trip. The track is that of the trip, as
    ///   far as it leads through the drawing.
    init(of trip: RecordedTrip, on day: Int? = nil, in language: Language, for use: Use) {
        self.trip = trip
        self.stops = MapStops(of: trip, on: day)
        self.language = language
        self.use = use
        let track = day == nil ? trip.track?.segments.joined().map(\.self) : nil
        projection = MapProjection(stops.coordinates + (track ?? []), on: use == .file ? .file : .page)
        surroundings = projection.map { MapSurroundings($0, in: language) }
    }

    var isEmpty: Bool { projection == nil }

    /// The line below or on a map: the length and the elevations of the track, and whose the map is.
    var note: String? {
        let parts: [Text] = [
            trip.track.map { .track(ofLength: $0.length) }, trip.track?.profile.map(Text.profile),
            hasCoast || surroundings?.isEmpty == false
                ? .mapSources(hasProvinces: surroundings?.hasProvinces == true) : nil,
        ].compactMap(\.self)
        return parts.isEmpty ? nil : parts.map { language[$0] }.joined(separator: " · ")
    }

    /// The days of the numbers, for a page, below the map; a file has its legend in the drawing.
    var legend: HTML { MapLegend(stops, in: language).list }

    private var hasCoast: Bool { projection.map { Coastline($0).isShown } ?? false }

    var html: HTML {
        let width = projection?.width ?? MapSheet.file.width
        let legend = MapLegend(stops, in: language)
        let hasLegend = use == .file && !stops.stops.isEmpty
        let mapHeight = projection?.height ?? 120
        let height = mapHeight + (hasLegend ? legend.height : 0)
        let attributes: HTML.Attributes = [
            "xmlns": "http://www.w3.org/2000/svg", "class": "tlmap",
            "viewBox": "0 0 \(number(width)) \(number(height))",
            "width": use == .file ? number(width) : nil, "height": use == .file ? number(height) : nil,
            // In a page the markers are links, which an image cannot contain.
            "role": use == .file ? "img" : "group", "aria-labelledby": "map-title map-desc",
            "lang": use == .file ? language.tag : nil,
            "data-projection": use == .app ? projection.map(MapZoom.projection) : nil,
        ]
        return HTML("svg", attributes) {
            HTML.line
            HTML("title", ["id": "map-title"]) { language[.mapTitle(trip.content.title)] }
            HTML("desc", ["id": "map-desc"]) {
                language[.mapSummary(stops: stops.stops.count, days: stops.days.count)]
            }
            if use == .file {
                // A page has the style in its head.
                HTML.line
                HTML.style("\n\(MapStyle.css)\n")
            }
            HTML.line
            HTML("rect", ["class": "paper", "width": number(width), "height": number(height)])
            if let projection {
                map(projection)
                if hasLegend { legend.html(below: mapHeight) }
            } else {
                HTML("text", ["x": "32", "y": "64"]) { language[.nothingOnMap] }
            }
            HTML.line
        }
    }

    private func map(_ projection: MapProjection) -> HTML {
        // Room is given in the order of importance: scale, note, markers, names, degrees, surroundings.
        var space = MapSpace(projection)
        let bar = ScaleBar(projection)
        space.take(bar.rect)
        let note = use == .file ? self.note : nil
        if let note {
            space.take(
                MapRect(
                    left: projection.width - 12 - MapText.width(of: note, size: 10), top: projection.height - 28,
                    right: projection.width, bottom: projection.height))
        }
        let markers = MapMarker.markers(for: stops.stops, in: projection)
        for marker in markers { space.take(marker.rect) }
        if use == .app { space.take(MapZoom.controls(on: projection)) }
        let names = markers.map { MapName.placed($0, in: &space) }
        let grid = MapGrid(projection).html(in: &space)
        let surroundings = surroundings?.placed(
            except: names.compactMap { $0?.text }, around: markers.map(\.rect), beside: routes(projection), in: space)
        var layers = MarkerLayers(markers, names: names)
        if use == .app {
            layers.addZooms(of: projection, around: surroundings?.obstacles ?? []) {
                MapMarker.markers(for: stops.stops, in: $0)
            }
        }
        return content(
            projection, grid: grid,
            surroundings: surroundings.map { MapSurroundings.html(of: $0, isZoomable: use == .app) } ?? HTML(),
            markers: layers.items.map(draw), bar: bar, note: note)
    }

    @HTML.Builder
    private func content(
        _ projection: MapProjection, grid: HTML, surroundings: HTML, markers: [HTML], bar: ScaleBar, note: String?
    ) -> HTML {
        Self.land(projection, isZoomable: use == .app)
        if let ground = self.surroundings?.ground { ground }
        if use == .app { HTML("g", ["class": "net"]) { grid } } else { grid }
        surroundings
        if let track = trip.track {
            path(track, projection)
        } else {
            for index in stops.days.indices { line(ofDayAt: index, projection) }
        }
        for marker in markers { marker }
        if use == .app { HTML("g", ["class": "scale"]) { bar.html } } else { bar.html }
        if let note {
            HTML(
                "text",
                [
                    "class": "small", "x": number(projection.width - 8), "y": number(projection.height - 14),
                    "text-anchor": "end",
                ]
            ) { note }
        }
    }

    @HTML.Builder
    static func land(_ projection: MapProjection, isZoomable: Bool) -> HTML {
        let coastline = Coastline(projection)
        let (width, height) = (SVGNumber.text(projection.width), SVGNumber.text(projection.height))
        HTML.line
        // Where a script has zoomed in so far that the coast is too inexact, there is land alone.
        if coastline.isShown, isZoomable { HTML("rect", ["class": "land", "width": width, "height": height]) }
        if coastline.isShown {
            HTML("rect", ["class": "sea", "width": width, "height": height])
            let path = coastline.path
            if !path.isEmpty {
                HTML.line
                HTML("path", ["class": "land", "transform": "scale(.1)", "d": path])
            }
        } else {
            HTML("rect", ["class": "land", "width": width, "height": height])
        }
    }

    /// The lines of the trip: the recorded track, or those from stop to stop.
    private func routes(_ projection: MapProjection) -> [[MapPoint]] {
        if let track = trip.track { return track.segments.map { $0.map(projection.point) } }
        return stops.days.map { $0.entries.compactMap { $0.coordinate.map(projection.point) } }
    }

    /// The recorded track, in place of the lines from stop to stop.
    private func path(_ track: TrackGeometry, _ projection: MapProjection) -> HTML {
        var paths = HTML()
        for segment in track.segments {
            // Many positions are at the same tenth of a unit.
            var points: [String] = []
            for position in segment {
                let point = projection.point(position)
                let text = "\(number(point.x)) \(number(point.y))"
                if points.last != text { points.append(text) }
            }
            guard points.count > 1 else { continue }
            paths += HTML.line
            paths += HTML("path", ["class": "path", "d": "M" + points.joined(separator: " L")])
        }
        return paths
    }

    @HTML.Builder
    private func line(ofDayAt index: Int, _ projection: MapProjection) -> HTML {
        let points = stops.days[index].entries.compactMap { $0.coordinate.map(projection.point) }
        if points.count > 1 {
            let path = points.map { "\(number($0.x)) \(number($0.y))" }.joined(separator: " L")
            HTML.line
            HTML("g", ["class": MapStyle.dayClass(stops.days[index].number)]) {
                HTML("path", ["class": "line", "d": "M\(path)"])
            }
        }
    }

    @HTML.Builder
    private func draw(_ item: MarkerLayers<MapMarker>.Item) -> HTML {
        let marker = item.marker
        // What a script keeps at its size is drawn around 0.
        let origin = use == .app ? marker.point : .zero
        let middle = MapPoint(x: marker.point.x - origin.x, y: marker.point.y - origin.y)
        HTML.line
        HTML(
            "g",
            [
                "transform": use == .app ? MapZoom.transform(item.anchor) : nil, "data-zoom": item.range,
                "display": MapZoom.display(item.first),
            ]
        ) {
            let lefts = marker.parts.indices.map { index in
                marker.parts[..<index].reduce(middle.x - marker.width / 2) { $0 + $1.width + MapMarker.gap }
            }
            for (part, left) in zip(marker.parts, lefts) {
                HTML("g", ["class": part.day.map(MapStyle.dayClass) ?? "rest"]) {
                    link(of: part, shape(of: part, left: left, y: middle.y))
                }
            }
            draw(item.name?.moved(x: -origin.x, y: -origin.y), item.nameRange)
        }
    }

    private func link(of part: MapMarker.Part, _ shape: HTML) -> HTML {
        let first = part.stops[0]
        return switch use {
        case .file: shape
        case .page: HTML("a", ["href": "#stop-\(first.number)"]) { shape }
        case .app:
            HTML(
                "a",
                [
                    "href": "?day=\(first.day)#stop-\(first.number)",
                    "data-stops": MapZoom.runs(of: part.stops.map(\.number)),
                ]
            ) { shape }
        }
    }

    @HTML.Builder
    private func shape(of part: MapMarker.Part, left: Double, y: Double) -> HTML {
        // All of them, unless the list would be too long.
        let count = use == .app ? 8 : 20
        let titles = part.stops.prefix(count).map { "\($0.number). \($0.entry.title)" }
        HTML("title") { titles.joined(separator: "\n") + (part.stops.count > count ? "\n…" : "") }
        HTML(
            "rect",
            [
                "class": "mark", "x": number(left), "y": number(y - MapMarker.height / 2), "width": number(part.width),
                "height": number(MapMarker.height), "rx": number(MapMarker.height / 2),
            ])
        HTML("text", ["class": "num", "x": number(left + part.width / 2), "y": number(y + 4)]) { part.label }
    }

    @HTML.Builder
    private func draw(_ name: MapName?, _ range: String?) -> HTML {
        if let name {
            HTML(
                "text",
                [
                    "class": "name", "x": number(name.x), "y": number(name.baseline),
                    "text-anchor": name.anchor.rawValue, "data-zoom": range, "display": range.map { _ in "none" },
                ]
            ) { name.text }
        }
    }

    private func number(_ value: Double) -> String { SVGNumber.text(value) }
}

/// Numbers in the notation of SVG.
enum SVGNumber {
    /// The value with at most one decimal and without an exponent: `12`, `12.5`.
    static func text(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        let (whole, rest) = tenths.magnitude.quotientAndRemainder(dividingBy: 10)
        return (tenths < 0 ? "-" : "") + "\(whole)" + (rest == 0 ? "" : ".\(rest)")
    }
}

/// Meridians and parallels with their degrees, for orientation without a network.
struct MapGrid {
    private let projection: MapProjection
    /// The distance of two lines in degrees.
    private let step: Double

    init(_ projection: MapProjection) {
        self.projection = projection
        let degrees = min(
            projection.width / projection.unitsADegree.across, projection.height / projection.unitsADegree.down)
        step = RoundNumber.atLeast(min(degrees / 4, 30))
    }

    /// The lines alone.
    var lines: [[MapPoint]] {
        let (width, height) = (projection.width, projection.height)
        let meridians = longitudes.map(projection.x).map { [MapPoint(x: $0, y: 0), MapPoint(x: $0, y: height)] }
        let parallels = latitudes.map(projection.y).map { [MapPoint(x: 0, y: $0), MapPoint(x: width, y: $0)] }
        return meridians + parallels
    }

    private var longitudes: [Double] { multiples(from: projection.bounds.west, to: projection.bounds.east) }
    private var latitudes: [Double] { multiples(from: projection.bounds.south, to: projection.bounds.north) }

    /// The lines, and their degrees along the edges where `space` is free.
    func html(in space: inout MapSpace) -> HTML {
        let (width, height) = (projection.width, projection.height)
        var grid = HTML.line
        for longitude in longitudes {
            let x = projection.x(ofLongitude: longitude)
            grid += HTML("path", ["class": "grid", "d": "M\(SVGNumber.text(x)) 0 V\(SVGNumber.text(height))"])
            grid += label(meridian(longitude), left: x + 3, baseline: 13, &space)
        }
        for latitude in latitudes {
            let y = projection.y(ofLatitude: latitude)
            grid += HTML("path", ["class": "grid", "d": "M0 \(SVGNumber.text(y)) H\(SVGNumber.text(width))"])
            // On the right, because the scale bar is on the left.
            let text = parallel(latitude)
            grid += label(text, left: width - 4 - MapText.width(of: text, size: 10), baseline: y - 3, &space)
        }
        return grid
    }

    private func label(_ text: String, left: Double, baseline: Double, _ space: inout MapSpace) -> HTML {
        let right = left + MapText.width(of: text, size: 10)
        guard space.takeIfFree(MapRect(left: left, top: baseline - 9, right: right, bottom: baseline + 2)) else {
            return HTML()
        }
        return HTML("text", ["class": "small", "x": SVGNumber.text(left), "y": SVGNumber.text(baseline)]) { text }
    }

    private func multiples(from low: Double, to high: Double) -> [Double] {
        let first = (low / step).rounded(.up)
        let last = (high / step).rounded(.down)
        // Near the poles degrees of longitude are narrow: limits the lines to those that are distinguishable.
        guard last >= first, last - first <= 40 else { return [] }
        return (0...Int(last - first)).map { (first + Double($0)) * step }
    }

    private func meridian(_ longitude: Double) -> String {
        let wrapped = longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude
        return degrees(wrapped) + (wrapped < 0 ? "W" : "E")
    }

    private func parallel(_ latitude: Double) -> String {
        degrees(latitude) + (latitude < 0 ? "S" : "N")
    }

    /// As many decimals as the step has.
    private func degrees(_ value: Double) -> String {
        let decimals = max(0, Int((-log10(step)).rounded(.up)))
        let unit = pow(10, Double(decimals))
        let scaled = Int((abs(value) * unit).rounded())
        if decimals == 0 { return "\(scaled)°" }
        let digits = String(scaled)
        let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
        return "\(padded.dropLast(decimals)).\(padded.suffix(decimals))°"
    }
}

/// The scale bar of a map: a round length, true at the middle latitude.
struct ScaleBar {
    let metres: Double
    /// The length in units of the drawing.
    let length: Double
    private let height: Double

    init(_ projection: MapProjection) {
        metres = RoundNumber.atMost(projection.width / 5 / projection.scale)
        length = metres * projection.scale
        height = projection.height
    }

    /// `500 m`, `2 km`.
    var label: String {
        metres < 1_000 ? "\(Int(metres.rounded())) m" : "\(Int((metres / 1_000).rounded())) km"
    }

    /// The bar with its label.
    var rect: MapRect {
        MapRect(
            left: 8, top: height - 28, right: 22 + length + MapText.width(of: label, size: 12), bottom: height - 6)
    }

    @HTML.Builder
    var html: HTML {
        let (left, right) = (SVGNumber.text(12), SVGNumber.text(12 + length))
        let (top, bottom) = (SVGNumber.text(height - 22), SVGNumber.text(height - 14))
        HTML.line
        HTML("path", ["class": "bar", "d": "M\(left) \(top) V\(bottom) H\(right) V\(top)"])
        HTML("text", ["class": "name", "x": SVGNumber.text(18 + length), "y": SVGNumber.text(height - 13)]) { label }
    }
}
