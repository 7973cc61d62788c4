/// A rectangle on a drawing, in its units.
struct MapRect: Hashable {
    let left: Double, top: Double, right: Double, bottom: Double

    func overlaps(_ other: MapRect) -> Bool {
        left < other.right && other.left < right && top < other.bottom && other.top < bottom
    }

    func contains(_ other: MapRect) -> Bool {
        left <= other.left && other.right <= right && top <= other.top && other.bottom <= bottom
    }
}

/// The part of a map that is taken by markers and texts.
struct MapSpace {
    private let whole: MapRect
    private(set) var taken: [MapRect] = []

    init(_ projection: MapProjection) {
        whole = MapRect(left: 3, top: 2, right: projection.width - 3, bottom: projection.height - 2)
    }

    mutating func take(_ rect: MapRect) {
        taken.append(rect)
    }

    /// Whether a rectangle is free and on the map.
    func isFree(_ rect: MapRect) -> Bool { whole.contains(rect) && !taken.contains(where: rect.overlaps) }

    /// Takes a rectangle if it is free and on the map; otherwise returns false.
    mutating func takeIfFree(_ rect: MapRect) -> Bool {
        guard isFree(rect) else { return false }
        taken.append(rect)
        return true
    }
}

/// How much room a text needs, without knowing the font of the reader: as much as in DejaVu Sans Bold, the widest of the
/// common ones, or more.
enum MapText {
    /// The width of `text` in units, for a font of this size.
    static func width(of text: String, size: Double) -> Double {
        text.unicodeScalars.reduce(0) { $0 + width(of: $1) } * size
    }

    /// `text`, or as much of its beginning as fits with an ellipsis.
    static func shortened(_ text: String, to limit: Double, size: Double) -> String {
        guard width(of: text, size: size) > limit else { return text }
        var kept = ""
        var rest = limit - width(of: "…", size: size)
        for character in text {
            rest -= width(of: String(character), size: size)
            if rest < 0 { break }
            kept.append(character)
        }
        return kept + "…"
    }

    private static func width(of scalar: Unicode.Scalar) -> Double {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        return switch scalar.value {
        case 0x20...0x7E:
            switch Character(scalar) {
            case " ", "i", "j", "l", "I", ".", ",", ":", ";", "'", "|", "-", "/": 0.42
            case "t", "f", "r", "!", "(", ")", "[", "]": 0.5
            case "m", "w", "M", "W", "@", "%", "&": 1.11
            case "A"..."Z", "#", "+", "<", "=", ">", "^", "~": 0.86
            default: 0.72
            }
        // Vowels and final consonants of Hangul stand in the square of their initial.
        case 0x1160...0x11FF: 0
        case 0xB7, 0x2013: 0.5
        case ..<0x1100: scalar.properties.generalCategory == .uppercaseLetter ? 1.1 : 0.9
        case 0x1F000...: 1.4
        default: 1.02
        }
    }
}

/// Stops that are too close together for markers of their own.
struct MapMarker: PlacedMarker {
    /// A part of a marker, which has the colour of its day.
    struct Part {
        /// The stops that it stands for, at least one.
        let stops: [MapStop]
        /// Their numbers; an ellipsis for the days that do not fit.
        let label: String
        /// The number of the day; `nil` for stops of several days, which do not fit.
        let day: Int?
        let width: Double

        init(stops: [MapStop], label: String, day: Int?) {
            (self.stops, self.label, self.day) = (stops, label, day)
            width = max(MapMarker.height, MapText.width(of: label, size: 12) + 10)
        }
    }

    let stops: [MapStop]
    /// The parts from left to right, one for each day in a row.
    let parts: [Part]
    let width: Double
    /// The point of the first stop.
    private let place: MapPoint
    /// The width of the drawing.
    private let edge: Double

    static let height = 22.0
    /// The space between two parts.
    static let gap = 1.0

    private init(_ stops: [MapStop], at place: MapPoint, edge: Double) {
        (self.stops, parts) = (stops, Self.parts(of: stops))
        width = parts.reduce(-Self.gap) { $0 + $1.width + Self.gap }
        (self.place, self.edge) = (place, edge)
    }

    var members: [Int] { stops.map(\.number) }

    /// The markers of all stops, in the order of their first ones; no two overlap.
    static func markers(for stops: [MapStop], in projection: MapProjection) -> [MapMarker] {
        var markers: [MapMarker] = []
        for stop in stops {
            guard let place = stop.entry.coordinate.map(projection.point) else { continue }
            var marker = MapMarker([stop], at: place, edge: projection.width)
            // A joined marker is wider, and may overlap others.
            while let index = markers.firstIndex(where: { $0.rect.overlaps(marker.rect) }) {
                marker = markers.remove(at: index).joined(with: marker)
            }
            let index = markers.firstIndex { $0.stops[0].number > marker.stops[0].number } ?? markers.endIndex
            markers.insert(marker, at: index)
        }
        return markers
    }

    /// The middle of the marker: the place of its first stop, unless the marker would be cut there.
    var point: MapPoint {
        MapPoint(x: min(max(place.x, width / 2 + 2), edge - width / 2 - 2), y: place.y)
    }

    var rect: MapRect {
        MapRect(
            left: point.x - width / 2 - 1, top: point.y - Self.height / 2 - 1, right: point.x + width / 2 + 1,
            bottom: point.y + Self.height / 2 + 1)
    }

    /// The text beside the marker: the place of its stops, or of the first one and the number of other places. A place that
    /// has coordinates for a name, as one of a track has, has none on a map.
    var name: String? {
        var names: [String] = []
        for place in stops.compactMap(\.entry.place) where !place.hasNumbersForName && !names.contains(place.name) {
            names.append(place.name)
        }
        return names.first.map { names.count == 1 ? $0 : "\($0) +\(names.count - 1)" }
    }

    private func joined(with other: MapMarker) -> MapMarker {
        let first = stops[0].number < other.stops[0].number ? self : other
        return MapMarker((stops + other.stops).sorted { $0.number < $1.number }, at: first.place, edge: edge)
    }

    /// The parts for stops in their order: one for each day in a row, as many as fit, and one for the others.
    private static func parts(of stops: [MapStop]) -> [Part] {
        var days = stops.chunked { $0.day == $1.day }[...]
        var parts: [Part] = []
        var length = 0
        while let first = days.first {
            let label = label(of: first.map(\.number))
            length += label.count + 1
            guard parts.isEmpty || length <= 9 else { break }
            parts.append(Part(stops: first, label: label, day: first[0].day))
            days.removeFirst()
        }
        if let first = days.first {
            parts.append(Part(stops: Array(days.joined()), label: "…", day: days.count == 1 ? first[0].day : nil))
        }
        return parts
    }

    /// `4`, `1–3, 7`, or `1–3 …` where there are more than fit.
    private static func label(of numbers: [Int]) -> String {
        let runs = numbers.chunked { $0 + 1 == $1 }.map { $0.count == 1 ? "\($0[0])" : "\($0[0])–\($0[$0.count - 1])" }
        let whole = runs.joined(separator: ", ")
        return whole.count <= 7 || runs.count == 1 ? whole : "\(runs[0]) …"
    }
}

/// A name beside a marker.
struct MapName {
    enum Anchor: String { case start, middle, end }

    let text: String
    let x: Double
    let baseline: Double
    let anchor: Anchor

    static let size = 12.0
    private static let longest = 13 * size

    /// The name of a marker at the first of eight places around it that is free; `nil` when none is.
    static func placed(_ marker: MapMarker, in space: inout MapSpace) -> MapName? {
        marker.name.flatMap { placed($0, beside: marker.rect, at: marker.point, in: &space) }
    }

    /// A name at the first of eight places around a marker that is free; `nil` when none is.
    static func placed(_ name: String, beside rect: MapRect, at point: MapPoint, in space: inout MapSpace) -> MapName? {
        let text = MapText.shortened(name, to: longest, size: size)
        let (above, below) = (rect.top - 4, rect.bottom + size)
        let places: [(x: Double, baseline: Double, anchor: Anchor)] = [
            (rect.right + 3, point.y + 4, .start), (rect.left - 3, point.y + 4, .end),
            (point.x, below, .middle), (point.x, above, .middle),
            (point.x, below, .start), (point.x, below, .end), (point.x, above, .start), (point.x, above, .end),
        ]
        for place in places {
            let name = MapName(text: text, x: place.x, baseline: place.baseline, anchor: place.anchor)
            if space.takeIfFree(name.rect) { return name }
        }
        return nil
    }

    var rect: MapRect {
        let width = MapText.width(of: text, size: Self.size)
        let left =
            switch anchor {
            case .start: x
            case .middle: x - width / 2
            case .end: x - width
            }
        return MapRect(left: left, top: baseline - Self.size, right: left + width, bottom: baseline + 4)
    }
}

extension Place {
    /// Whether the name consists of coordinates, such as `35.3810, 127.4241`.
    package var hasNumbersForName: Bool {
        let parts = name.split(separator: ",", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { Double($0.drop { $0 == " " }) != nil }
    }
}
