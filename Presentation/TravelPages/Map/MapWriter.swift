public import Foundation

/// Draws a trip as a map in one SVG file (Scalable Vector Graphics 2), which every browser opens.
///
/// ```swift
/// let file = MapWriter(language: .korean).data(for: trip)
/// try file.write(to: URL(fileURLWithPath: "부산 밤바다.svg"))
/// ```
///
/// - **Land and sea** come from Natural Earth (naturalearthdata.com, public domain), at 1:10m in Korea, Japan and other
///   destinations, at 1:50m elsewhere. A map of so small an area that the errors of this coast would show has no sea.
/// - **Borders, rivers, lakes and towns** are drawn by scale, from Natural Earth as well, borders of the provinces of South Korea
///   from Statistics Korea; what a map of so small an area would show in a wrong place is missing. Their names are in the
///   language of the map, and yield to those of the trip.
/// - **Stops** are the entries with a place; each has the number of its entry in the timeline. Stops that are too close
///   together share a marker with their numbers: `1–3, 7`.
/// - **Names** of places stand beside the markers where they overlap nothing; the legend lists all stops.
/// - **Days** have a colour each, for their line and the numbers of their stops, and a legend lists them. After eight days
///   the colours repeat, with dashed lines and outlines.
/// - **Scale**: the projection is equirectangular, true to scale along the middle latitude, where a bar shows a round
///   length. North is up; meridians and parallels give orientation. A trip across the 180th meridian is drawn in one
///   piece.
/// - **The recorded track**, if there is one, replaces the lines. Its length is given, and its ascent, descent
///   and highest point if it has elevations.
/// - **Light and dark** follow the reader's settings, by a media query.
///
/// The file refers to no other file and no network address, and contains no script.
public struct MapWriter: Sendable {
    private let language: Language

    public init(language: Language = .english) {
        self.language = language
    }

    /// Returns a file with the map of `trip`, in UTF-8: the same trip always has the same bytes.
    ///
    /// A trip without any place gets a drawing that says so.
    public func data(for trip: RecordedTrip) -> Data {
        MapDrawing(of: trip, in: language, for: .file).html.document(.svg)
    }

    /// Returns the map of `trip` as a part of a page with the style of ``PageFrame``; `nil` for one of no place.
    ///
    /// - Parameters:
    ///   - day: The day, 1-based, that the map shows; `nil` for the whole trip.
    ///   - isZoomable: Whether a script of the page zooms into it. Each marker leads to an address with the day and the
    ///     ID of its first entry, as in `?day=2#stop-5`, which is relative to that of the page.
    package func html(for trip: RecordedTrip, on day: Int? = nil, isZoomable: Bool = false) -> HTML? {
        let map = MapDrawing(of: trip, on: day, in: language, for: isZoomable ? .app : .page)
        return map.isEmpty ? nil : map.html
    }
}

/// A position on a drawing, in units of the drawing; y grows downwards.
struct MapPoint: Hashable {
    var x: Double
    var y: Double
}

/// The measures of a drawing in units.
struct MapSheet {
    let width: Double
    /// The room around the stops, for markers and names.
    let margin: Double
    let heights: ClosedRange<Double>

    static let file = MapSheet(width: 800, margin: 56, heights: 320...960)
    /// As wide as the column of a page on a phone, so that a unit is about a pixel there.
    static let page = MapSheet(width: 380, margin: 44, heights: 240...460)
}

/// The projection of coordinates onto a drawing that shows all of them: an equirectangular projection, true to scale
/// along the middle latitude, north up.
struct MapProjection {
    private(set) var width: Double
    private(set) var height: Double
    /// The number of units of the drawing per metre at the middle latitude.
    private(set) var scale: Double

    /// The coordinate in the middle; its longitude may be past 180.
    let middle: (latitude: Double, longitude: Double)
    /// The longitude from which all others count eastwards: the shortest arc with all coordinates begins there.
    private let west: Double
    private let cosine: Double

    static let metresADegree = 6_371_008.7714 * Double.pi / 180
    /// The smallest extent of a map in metres.
    static let smallestExtent = 400.0
    /// The extent of a map of one place in metres, so that it has surroundings.
    static let surroundings = 20_000.0

    /// The projection for `coordinates`; `nil` when there are none.
    init?(_ coordinates: [Coordinate], on sheet: MapSheet = .file) {
        guard let south = coordinates.map(\.latitude).min(), let north = coordinates.map(\.latitude).max() else {
            return nil
        }
        let west = Self.west(of: coordinates.map(\.longitude))
        let east = coordinates.map { Self.unwrapped($0.longitude, from: west) }.max() ?? west
        middle = ((south + north) / 2, (west + east) / 2)
        self.west = west
        cosine = max(cos(middle.latitude * .pi / 180), 0.01)

        let extent = (across: (east - west) * cosine * Self.metresADegree, down: (north - south) * Self.metresADegree)
        // Within 25 metres there is one place.
        let least = max(extent.across, extent.down) < 25 ? Self.surroundings : Self.smallestExtent
        let (across, down) = (max(extent.across, least), max(extent.down, least))
        let inner = sheet.width - 2 * sheet.margin
        let height = (down * inner / across + 2 * sheet.margin).rounded(.up)
        width = sheet.width
        self.height = min(max(height, sheet.heights.lowerBound), sheet.heights.upperBound)
        scale = min(inner / across, (self.height - 2 * sheet.margin) / down)
    }

    /// What the drawing shows, in degrees; meridians may be past 180.
    var bounds: MapBounds {
        let (across, down) = (width / 2 / unitsADegree.across, height / 2 / unitsADegree.down)
        return MapBounds(
            west: middle.longitude - across, south: max(middle.latitude - down, -90),
            east: middle.longitude + across, north: min(middle.latitude + down, 90))
    }

    func point(_ coordinate: Coordinate) -> MapPoint {
        MapPoint(
            x: x(ofLongitude: Self.unwrapped(coordinate.longitude, from: west)), y: y(ofLatitude: coordinate.latitude))
    }

    /// The position of a meridian, which may be past 180.
    func x(ofLongitude longitude: Double) -> Double {
        width / 2 + (longitude - middle.longitude) * unitsADegree.across
    }

    func y(ofLatitude latitude: Double) -> Double {
        height / 2 - (latitude - middle.latitude) * unitsADegree.down
    }

    /// The number of units of the drawing per degree.
    var unitsADegree: (across: Double, down: Double) {
        (cosine * Self.metresADegree * scale, Self.metresADegree * scale)
    }

    /// The projection onto a drawing so many times as large.
    func enlarged(_ times: Double) -> MapProjection {
        var projection = self
        projection.width *= times
        projection.height *= times
        projection.scale *= times
        return projection
    }

    /// The western end of the shortest arc that contains all longitudes: it begins after the widest gap.
    private static func west(of longitudes: [Double]) -> Double {
        // No gap between two of them is as wide as the rest of the earth.
        if let least = longitudes.min(), let greatest = longitudes.max(), greatest - least <= 180 { return least }
        let sorted = longitudes.sorted()
        var west = sorted[0]
        var widest = sorted[0] + 360 - sorted[sorted.count - 1]
        for (a, b) in zip(sorted, sorted.dropFirst()) where b - a > widest {
            widest = b - a
            west = b
        }
        return west
    }

    private static func unwrapped(_ longitude: Double, from west: Double) -> Double {
        longitude < west ? longitude + 360 : longitude
    }
}

/// The round numbers on scales: 1, 2 and 5 times a power of ten.
enum RoundNumber {
    /// The greatest round number that is at most `limit`, which is positive.
    static func atMost(_ limit: Double) -> Double {
        let power = pow(10, floor(log10(limit)))
        return [5, 2].first { $0 * power <= limit }.map { $0 * power } ?? power
    }

    /// The smallest round number that is at least `limit`, which is positive.
    static func atLeast(_ limit: Double) -> Double {
        let power = pow(10, floor(log10(limit)))
        return [1, 2, 5].first { $0 * power >= limit }.map { $0 * power } ?? 10 * power
    }
}

/// The colours of a page and its maps in one theme, whatever the settings of the reader.
package enum PageTheme {
    /// The rules for what is inside of `root`, nested in it (CSS Nesting Module Level 1).
    package static func light(in root: CSS) -> CSS {
        "\(root){color-scheme:light;\(PageStyle.light);\n\(MapStyle.lightRules)\n\(MapStyle.lightSurroundings)\n\(MapStyle.pageRules(MapStyle.light))}"
    }
    package static func dark(in root: CSS) -> CSS {
        "\(root){color-scheme:dark;\(PageStyle.dark);\n\(MapStyle.darkRules)\n\(MapStyle.darkSurroundings)\n\(MapStyle.pageRules(MapStyle.dark))}"
    }
}

/// The colours of a map, light and dark.
///
/// Colours are written out instead of using variables of CSS, which many programs for SVG do not know.
enum MapStyle {
    /// The number of colours for days; further days repeat them with dashed lines.
    static let dayCount = 8

    /// The class of a day by its number, 1-based: its colour, and dashes in every second series of colours.
    static func dayClass(_ number: Int) -> String {
        let index = max(number - 1, 0)
        return "d\(index % dayCount)" + (index / dayCount % 2 == 1 ? " dashed" : "")
    }

    /// The style sheet; every rule is confined to a map.
    static let css: CSS = """
        .tlmap{font-family:system-ui,-apple-system,"Apple SD Gothic Neo","Noto Sans KR","Malgun Gothic",sans-serif}
        .tlmap text{unicode-bidi:isolate;font-size:14px}
        \(surroundings)
        .tlmap .small{font-size:10px}
        .tlmap .num{font-size:12px;font-weight:700;text-anchor:middle}
        .tlmap .name{font-size:12px;font-weight:600}
        .tlmap .name,.tlmap .small{paint-order:stroke;stroke-width:3;stroke-linejoin:round}
        .tlmap .head{font-weight:700}
        .tlmap .land{fill-rule:evenodd;stroke-width:5;stroke-linejoin:round}
        .tlmap .line{fill:none;stroke-width:2.5;stroke-linejoin:round;stroke-linecap:round;opacity:.75}
        .tlmap .path{fill:none;stroke-width:2.5;stroke-linejoin:round;stroke-linecap:round}
        .tlmap .dashed .line{stroke-dasharray:8 7}
        .tlmap .grid{stroke-width:1;stroke-opacity:.12}
        .tlmap .bar{fill:none;stroke-width:2}
        .tlmap .mark{stroke-width:2}
        .tlmap .dashed .mark{stroke-dasharray:3 2}
        \(lightRules)
        @media screen and (prefers-color-scheme:dark){
        \(darkRules)
        }
        """

    /// The colours of the numbers outside of the map of a page: those in the timeline, and in its legend.
    static let pageCSS: CSS = """
        .legend{display:flex;flex-wrap:wrap;gap:.3rem 1.1rem;margin:.6rem 0;font-size:.9rem}
        .legend div{display:flex;align-items:center;gap:.4rem}
        .legend dd{margin:0}
        .stop,.stops{border-radius:.8rem;padding:0 .4rem;background:var(--accent);color:var(--on);font-size:.8rem;\
        font-weight:700;-webkit-print-color-adjust:exact;print-color-adjust:exact}
        .stops{min-width:1.6rem;text-align:center}
        .dashed .stop,.dashed .stops{outline:1px dashed var(--ink);outline-offset:-1px}
        \(pageRules(light))
        @media screen and (prefers-color-scheme:dark){
        \(pageRules(dark))
        }
        """

    static let (lightRules, darkRules) = (rules(light), rules(dark))

    struct Palette {
        let paper: CSS, ink: CSS, soft: CSS, land: CSS, sea: CSS, path: CSS, number: CSS
        let days: [CSS]
    }

    // Each colour of a day has a contrast of at least 4.5 to the number on it, and so have texts to land, sea and paper
    // (WCAG 2.2, 1.4.3).
    static let light = Palette(
        paper: "#fbfaf6", ink: "#1f2328", soft: "#565b62", land: "#f4f1e8", sea: "#cfe2ef", path: "#40464d",
        number: "#ffffff",
        days: ["#0b62b8", "#b93c0b", "#137a3a", "#8a2be2", "#be123c", "#0e6f8a", "#8f5a06", "#3f3f46"])
    static let dark = Palette(
        paper: "#171b20", ink: "#e8eaed", soft: "#a2a8b0", land: "#2a3037", sea: "#10202f", path: "#c3c8cf",
        number: "#101317",
        days: ["#6cb2ff", "#ff9a5c", "#57d98a", "#cfa0ff", "#ff8098", "#3cd0e6", "#f2c94c", "#a9b6c6"])

    private static func rules(_ palette: Palette) -> CSS {
        var rules: [CSS] = [
            ".tlmap .paper{fill:\(palette.paper)}", ".tlmap text{fill:\(palette.ink)}",
            ".tlmap .sea{fill:\(palette.sea)}", ".tlmap .land{fill:\(palette.land);stroke:\(palette.land)}",
            ".tlmap .small{fill:\(palette.soft)}", ".tlmap .grid{stroke:\(palette.ink)}",
            ".tlmap .name,.tlmap .small{stroke:\(palette.land)}", ".tlmap .bar{stroke:\(palette.ink)}",
            ".tlmap .mark{stroke:\(palette.paper)}", ".tlmap .path{stroke:\(palette.path)}",
            ".tlmap .num{fill:\(palette.number)}", ".tlmap .rest .mark{fill:\(palette.soft)}",
            ".tlmap .dashed .mark{stroke:\(palette.ink)}",
        ]
        for (index, color) in palette.days.enumerated() {
            rules.append(
                """
                .tlmap .d\(index) .line{stroke:\(color)}.tlmap .d\(index) .mark{fill:\(color)}\
                .tlmap .d\(index) .key{fill:\(color)}
                """
            )
        }
        return CSS(lines: rules)
    }

    static func pageRules(_ palette: Palette) -> CSS {
        CSS(
            lines: palette.days.enumerated().map { index, color in
                ".d\(index) .stop,.d\(index) .stops{background:\(color);color:\(palette.number)}"
            })
    }
}
