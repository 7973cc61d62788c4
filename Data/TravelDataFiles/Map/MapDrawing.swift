import Foundation

/// Draws the stops of a travel as an `svg` element.
struct MapDrawing {
    /// The kind of document that contains the drawing.
    enum Use {
        /// A separate file, with a legend.
        case file
        /// A page in which the entry of stop 3 has the ID `stop-3`; the markers link there.
        case page
    }

    private let travel: RecordedTravel
    private let stops: MapStops
    private let language: PageLanguage
    private let use: Use

    init(of travel: RecordedTravel, in language: PageLanguage, for use: Use) {
        self.travel = travel
        self.stops = MapStops(of: travel)
        self.language = language
        self.use = use
    }

    /// Whether there is any stop or track.
    var isEmpty: Bool { stops.stops.isEmpty && travel.track == nil }

    /// Appends the drawing.
    func write(to xml: inout XMLWriter) {
        let projection = MapProjection(stops.coordinates + (travel.track?.segments.joined().map(\.self) ?? []))
        let width = projection?.width ?? 800
        let legend = MapLegend(stops, in: language)
        let mapHeight = projection?.height ?? 120
        let height = mapHeight + (use == .file && !stops.stops.isEmpty ? legend.height : 0)
        let attributes: XMLWriter.Attributes = [
            "xmlns": "http://www.w3.org/2000/svg", "class": "tlmap",
            "viewBox": "0 0 \(number(width)) \(number(height))",
            "width": use == .file ? number(width) : nil, "height": use == .file ? number(height) : nil,
            // In a page the markers are links, which an image cannot contain.
            "role": use == .file ? "img" : "group", "aria-labelledby": "map-title map-desc",
            "lang": use == .file ? language.tag : nil,
        ]
        xml.element("svg", attributes) { xml in
            xml.line()
            xml.element("title", ["id": "map-title"], text: language.mapTitle(travel.content.title))
            xml.element(
                "desc", ["id": "map-desc"], text: language.summary(stops: stops.stops.count, days: stops.days.count))
            xml.line()
            xml.element("style") { $0.markup("\n\(MapStyle.css)\n") }
            xml.line()
            xml.empty("rect", ["class": "paper", "width": number(width), "height": number(height)])
            if let projection {
                MapGrid(projection).write(to: &xml)
                if let track = travel.track {
                    way(track, projection, &xml)
                } else {
                    for index in stops.days.indices { line(ofDayAt: index, projection, &xml) }
                }
                for marker in MapMarker.markers(for: stops.stops, in: projection).reversed() { draw(marker, &xml) }
                ScaleBar(projection).write(to: &xml)
                if use == .file, !stops.stops.isEmpty { legend.write(to: &xml, below: mapHeight) }
            } else {
                xml.element("text", ["x": "32", "y": "64"], text: language.noPlaces)
            }
            xml.line()
        }
    }

    /// The recorded track, in place of the lines from stop to stop.
    private func way(_ track: TrackGeometry, _ projection: MapProjection, _ xml: inout XMLWriter) {
        for segment in track.segments {
            // Many positions are at the same tenth of a unit.
            var points: [String] = []
            for position in segment {
                let point = projection.point(position)
                let text = "\(number(point.x)) \(number(point.y))"
                if points.last != text { points.append(text) }
            }
            guard points.count > 1 else { continue }
            xml.line()
            xml.empty("path", ["class": "way", "d": "M" + points.joined(separator: " L")])
        }
    }

    private func line(ofDayAt index: Int, _ projection: MapProjection, _ xml: inout XMLWriter) {
        let points = stops.days[index].entries.compactMap { $0.coordinate.map(projection.point) }
        guard points.count > 1 else { return }
        let path = points.map { "\(number($0.x)) \(number($0.y))" }.joined(separator: " L")
        xml.line()
        xml.element("g", ["class": MapStyle.dayClass(index)]) {
            $0.empty("path", ["class": "line", "d": "M\(path)"])
        }
    }

    private func draw(_ marker: MapMarker, _ xml: inout XMLWriter) {
        guard let first = marker.stops.first else { return }
        let label = marker.label
        let width = max(24, Double(label.count) * 7.2 + 12)
        xml.line()
        xml.element("g", ["class": MapStyle.dayClass(first.dayIndex)]) { xml in
            link(to: first, &xml) { xml in
                // All of them, unless the list would be too long.
                let names = marker.stops.prefix(20).map { "\($0.number). \($0.entry.title)" }
                xml.element("title", text: names.joined(separator: "\n") + (marker.stops.count > 20 ? "\n…" : ""))
                xml.empty(
                    "rect",
                    [
                        "class": "mark", "x": number(marker.point.x - width / 2), "y": number(marker.point.y - 12),
                        "width": number(width), "height": "24", "rx": "12",
                    ])
                xml.element(
                    "text", ["class": "num", "x": number(marker.point.x), "y": number(marker.point.y + 4)], text: label)
            }
        }
    }

    private func link(to stop: MapStop, _ xml: inout XMLWriter, _ content: (inout XMLWriter) -> Void) {
        if use == .page {
            xml.element("a", ["href": "#stop-\(stop.number)"], content)
        } else {
            content(&xml)
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
