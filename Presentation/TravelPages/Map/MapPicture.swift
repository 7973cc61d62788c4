import Foundation
package import TravelDomain

/// The map of a trip in pixels, for what shows a link to its page: previews read no SVG.
///
/// It has the land, waters and borders, the route and the numbers of the map on the page, in the colours of the light theme.
/// It has no other text, so that it is the same in all languages.
package struct MapPicture {
    // The size that Open Graph and Twitter recommend for a large picture.
    package static let width = 1_200
    package static let height = 630

    private static let pixelsAUnit = 2.0
    static let sheet = MapSheet(
        width: Double(width) / pixelsAUnit, margin: 40,
        heights: Double(height) / pixelsAUnit...Double(height) / pixelsAUnit)

    private let stops: MapStops
    private let track: TrackGeometry?

    /// `nil` for a trip of no place, whose page has no map.
    package init?(of trip: RecordedTrip) {
        stops = MapStops(of: trip, on: nil)
        track = trip.track
        if stops.stops.isEmpty, track == nil { return nil }
    }

    /// The same for all pictures that look like this one while the program runs, and another number for others, but for one
    /// in 2⁶⁴.
    package var appearance: Int {
        var hasher = Hasher()
        hasher.combine(track?.segments)
        for stop in stops.stops {
            hasher.combine(stop.number)
            hasher.combine(stop.day)
            hasher.combine(stop.entry.coordinate)
        }
        return hasher.finalize()
    }

    /// Red, green and blue of each pixel, row by row from the top left.
    ///
    /// **Complexity.** O(*n*) in the positions of the track, of which it draws as many as one can tell apart. It takes some
    /// milliseconds: call it where it does not delay others.
    package func pixels() -> [UInt8] {
        let positions = stops.coordinates + (track?.segments.joined().map(\.self) ?? [])
        guard let projection = MapProjection(positions, on: Self.sheet) else { return [] }
        var drawing = Drawing(projection, pixelsAUnit: Self.pixelsAUnit)
        drawing.addGround()
        drawing.addGrid()
        if let track {
            drawing.add(track)
        } else {
            drawing.add(stops.days)
        }
        for marker in MapMarker.markers(for: stops.stops, in: projection) { drawing.add(marker) }
        return drawing.canvas.pixels
    }
}

/// Draws parts of a map.
private struct Drawing {
    private(set) var canvas: MapCanvas
    private let projection: MapProjection
    private let pixelsAUnit: Double

    private static let palette = MapStyle.light
    private static let surroundings = MapStyle.SurroundingColors.light

    init(_ projection: MapProjection, pixelsAUnit: Double) {
        self.projection = projection
        self.pixelsAUnit = pixelsAUnit
        canvas = MapCanvas(
            width: Int(projection.width * pixelsAUnit), height: Int(projection.height * pixelsAUnit),
            color: MapCanvas.Color(Coastline(projection).isShown ? Self.palette.sea : Self.palette.land))
    }

    /// Draws lines whose width and dashes are in units.
    private mutating func stroke(
        _ lines: [[MapPoint]], _ width: Double, _ color: MapCanvas.Color, dashes: (on: Double, off: Double)? = nil,
        opacity: Double = 1
    ) {
        let lines = dashes.map { dashes in lines.flatMap { MapGeometry.dashed($0, dashes.on, dashes.off) } } ?? lines
        canvas.stroke(lines.map { $0.map(pixel) }, width: width * pixelsAUnit, color, opacity: opacity)
    }

    private func pixel(_ point: MapPoint) -> MapPoint { MapPoint(x: point.x * pixelsAUnit, y: point.y * pixelsAUnit) }

    private func points(_ positions: [MapPosition]) -> [MapPoint] {
        positions.map {
            MapPoint(x: projection.x(ofLongitude: $0.longitude), y: projection.y(ofLatitude: $0.latitude))
        }
    }

    // MARK: The earth

    /// Land and sea, with what is in ``MapSurroundings``.
    mutating func addGround() {
        let coastline = Coastline(projection)
        if coastline.isShown {
            canvas.fill(coastline.rings.map { $0.map(pixel) }, MapCanvas.Color(Self.palette.land))
        }
        let features = MapFeatures(in: projection.bounds, scale: projection.scale)
        let river = MapCanvas.Color(Self.surroundings.river)
        // On the scale of continents, borders are close together.
        let isFine = projection.scale < 1e-4 / 2
        stroke(features.rivers.flatMap(\.parts).map(points), isFine ? 0.6 : 1.2, river)
        for lake in features.lakes {
            let shore = lake.rings.map(points)
            canvas.fill(shore.map { $0.map(pixel) }, MapCanvas.Color(Self.palette.sea))
            stroke(shore.map { $0 + $0.prefix(1) }, 0.6, river)
        }
        stroke(
            features.provinces.flatMap(\.parts).map(points), 0.9, MapCanvas.Color(Self.surroundings.province),
            dashes: (2, 2.5))
        let border = MapCanvas.Color(Self.surroundings.border)
        stroke(
            features.borders.flatMap(\.parts).map(points), isFine ? 0.6 : 1.2, border, dashes: isFine ? nil : (6, 3))
        stroke(features.disputed.flatMap(\.parts).map(points), isFine ? 0.6 : 1.2, border, dashes: (1, 3))
    }

    mutating func addGrid() {
        stroke(MapGrid(projection).lines, 1 / pixelsAUnit, MapCanvas.Color(Self.palette.ink), opacity: 0.12)
    }

    // MARK: The trip

    mutating func add(_ track: TrackGeometry) {
        let lines = track.segments.map { $0.map(projection.point) }
        stroke(MapGeometry.thinned(lines), 2.5, MapCanvas.Color(Self.palette.path))
    }

    /// The lines from stop to stop. Those of one colour are drawn at once, however many days there are.
    mutating func add(_ days: [TripDay]) {
        let series = Dictionary(grouping: days) { ($0.number - 1) % (2 * MapStyle.dayCount) }
        for (index, days) in series.sorted(by: { $0.key < $1.key }) {
            let lines = days.map { $0.entries.compactMap { $0.coordinate.map(projection.point) } }
            stroke(
                MapGeometry.thinned(lines.filter { $0.count > 1 }, share: series.count), 2.5,
                MapCanvas.Color(Self.palette.days[index % MapStyle.dayCount]),
                dashes: index < MapStyle.dayCount ? nil : (8, 7), opacity: 0.75)
        }
    }

    mutating func add(_ marker: MapMarker) {
        var left = marker.point.x - marker.width / 2
        for part in marker.parts {
            add(part, left: left, y: marker.point.y)
            left += part.width + MapMarker.gap
        }
    }

    private mutating func add(_ part: MapMarker.Part, left: Double, y: Double) {
        let (height, index) = (MapMarker.height, part.day.map { max($0 - 1, 0) })
        let color = index.map { Self.palette.days[$0 % MapStyle.dayCount] } ?? Self.palette.soft
        let middle = [
            MapPoint(x: left + height / 2, y: y), MapPoint(x: left + part.width - height / 2, y: y),
        ]
        let isDashed = index.map { $0 / MapStyle.dayCount % 2 == 1 } ?? false
        stroke([middle], height + 2, MapCanvas.Color(isDashed ? Self.palette.ink : Self.palette.paper))
        stroke([middle], height - 2, MapCanvas.Color(color))
        let text = StrokedText(part.label)
        let size = min(8.5, (part.width - 8) / text.width * StrokedText.height)
        stroke(
            text.lines(size: size, middle: MapPoint(x: left + part.width / 2, y: y)), size * 0.19,
            MapCanvas.Color(Self.palette.number))
    }
}

extension MapCanvas.Color {
    /// Creates the colour of `#rrggbb`.
    fileprivate init(_ sheet: CSS) {
        let value = UInt32(sheet.text.dropFirst(), radix: 16) ?? 0
        self.init(
            red: UInt8(value >> 16 & 0xFF), green: UInt8(value >> 8 & 0xFF), blue: UInt8(value & 0xFF))
    }
}

extension MapGeometry {
    /// The dashes of a line, from its beginning.
    fileprivate static func dashed(_ line: [MapPoint], _ on: Double, _ off: Double) -> [[MapPoint]] {
        var dashes: [[MapPoint]] = []
        var (dash, isOn, rest) = (line.prefix(1).map(\.self), true, on)
        for (from, to) in zip(line, line.dropFirst()) {
            let length = from.distance(to: to)
            var done = 0.0
            while length - done > rest {
                done += rest
                let share = done / length
                let point = MapPoint(x: from.x + share * (to.x - from.x), y: from.y + share * (to.y - from.y))
                if isOn { dashes.append(dash + [point]) }
                (isOn, rest, dash) = (!isOn, isOn ? off : on, [point])
            }
            rest -= length - done
            if isOn { dash.append(to) }
        }
        return isOn && dash.count > 1 ? dashes + [dash] : dashes
    }

    /// Lines without points that one cannot tell apart, and with so few in all that drawing them takes little time: their
    /// points are farther apart the more of them there are.
    ///
    /// - Parameter share: The number of calls for one drawing.
    static func thinned(_ lines: [[MapPoint]], share: Int = 1) -> [[MapPoint]] {
        let (limit, length) = (4_000 / share, 50_000.0 / Double(share))
        var (lines, distance) = (lines, 0.5)
        while true {
            lines = lines.map { line in
                var kept: [MapPoint] = []
                for point in line where kept.last.map({ $0.distance(to: point) >= distance }) ?? true {
                    kept.append(point)
                }
                if let last = line.last, kept.last != last { kept.append(last) }
                return kept
            }
            let isLong =
                lines.reduce(0) { $0 + $1.count } > limit || lines.reduce(0) { $0 + self.length(of: $1) } > length
            guard isLong, distance < 1_000 else { break }
            distance *= 2
        }
        // Lines of which each alone is short.
        var rest = length
        return lines.filter { line in
            rest -= self.length(of: line)
            return rest > 0
        }
    }
}

/// The numbers of markers as lines: digits, and what is between them.
struct StrokedText {
    private let glyphs: [(lines: [[MapPoint]], width: Double)]

    /// The height of a digit, in the units of ``width``.
    static let height = 6.0
    private static let space = 1.9

    init(_ text: String) {
        glyphs = text.map(Self.glyph)
    }

    /// The width with a digit of ``height``.
    var width: Double {
        glyphs.reduce(-Self.space) { $0 + $1.width + Self.space }
    }

    /// The lines for digits of a height, around a point.
    func lines(size: Double, middle: MapPoint) -> [[MapPoint]] {
        let scale = size / Self.height
        var left = middle.x - width / 2 * scale
        let top = middle.y - size / 2
        return glyphs.flatMap { glyph in
            defer { left += (glyph.width + Self.space) * scale }
            return glyph.lines.map { $0.map { MapPoint(x: left + $0.x * scale, y: top + $0.y * scale) } }
        }
    }

    /// A character on a grid of 4 × 6; a space for those that no marker has.
    private static func glyph(_ character: Character) -> (lines: [[MapPoint]], width: Double) {
        let lines: [[MapPoint]] =
            switch character {
            case "0": [arc(2, 3, 2, 3, 0, 360)]
            case "1": [line((0.6, 1.3), (2.2, 0), (2.2, 6))]
            case "2": [arc(2, 1.9, 1.9, 1.9, 195, 390) + line((0.1, 6), (4, 6))]
            case "3": [arc(1.9, 1.5, 1.75, 1.5, 205, 450), arc(1.9, 4.45, 2, 1.55, 270, 515)]
            case "4": [line((3, 6), (3, 0), (0, 4.3), (4.2, 4.3))]
            case "5": [line((3.7, 0), (0.7, 0), (0.4, 2.8)) + arc(1.95, 4, 2, 2, 225, 510)]
            case "6": six
            case "7": [line((0, 0), (4, 0), (1.5, 6))]
            case "8": [arc(2, 1.45, 1.7, 1.45, 0, 360), arc(2, 4.45, 2, 1.55, 0, 360)]
            case "9": six.map { $0.map { MapPoint(x: 4 - $0.x, y: 6 - $0.y) } }
            case "–": [line((0.2, 3.2), (3.8, 3.2))]
            case ",": [line((0.6, 5.6), (0.2, 7.2))]
            case "…": [[MapPoint(x: 0, y: 5.6)], [MapPoint(x: 2, y: 5.6)], [MapPoint(x: 4, y: 5.6)]]
            default: []
            }
        return (lines, character == " " ? 0.5 : character == "," ? 0.8 : character == "1" ? 3 : 4)
    }

    private static let six = [arc(2, 4.05, 1.95, 1.95, 0, 360), arc(4.05, 4.05, 4, 4.05, 180, 255)]

    private static func line(_ points: (Double, Double)...) -> [MapPoint] { points.map { MapPoint(x: $0.0, y: $0.1) } }

    /// A part of an ellipse, from one angle to another in degrees, clockwise from the right.
    private static func arc(
        _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ from: Double, _ to: Double
    ) -> [MapPoint] {
        stride(from: from, through: to, by: 15).map { degrees in
            let angle = degrees * .pi / 180
            return MapPoint(x: x + width * cos(angle), y: y + height * sin(angle))
        }
    }
}
