import Foundation
package import TravelTexts

/// What one recognises a part of the earth by: borders, rivers, lakes, and towns.
///
/// ```swift
/// let bounds = MapBounds(west: 126.7, south: 37.4, east: 127.3, north: 37.7)
/// let features = MapFeatures(in: bounds, scale: 0.01)    // 1 unit is 100 metres
/// features.rivers.map(\.name.korean)                     // ["한강", "남한강"]
/// ```
///
/// The result depends on the arguments alone. It has less detail the smaller the scale is, and its lines end at the bounds,
/// so that its size depends on the size of the drawing and not on the part of the earth.
///
/// Borders of countries, rivers, lakes and towns are of Natural Earth (naturalearthdata.com, public domain), at 1:50m, three
/// rivers of Korea and the towns at 1:10m. Borders of the provinces of South Korea are those of the census of 2018 of
/// Statistics Korea (KOSTAT, free to share and remix), with Gunwi in Daegu. `Tests/Tools/pack-map-features.py` packs them, with
/// the seats of Korean cities and counties and with Korean names.
///
/// **Format.** `PackedNumbers` reads the numbers. Positions are in thousandths of a degree, those of provinces in 1/4,000.
///
///     feature = rank west south width height names count line…    16 is added to the rank of what is known to 500 metres
///     line    = count (east north)…     the differences from the position before, the first from west and south
///     cell    = column row (rank east north names)…     in descending order of ranks; a cell has 10 degrees
///     names   = English "/" Korean "/"    either may be empty
///
/// The text is divided into features and cells when a map is first drawn; after that, a map looks at the bounds of each
/// feature and the cells in view, and decodes those that it shows.
package struct MapFeatures: Hashable, Sendable {
    /// Lines with one name.
    package struct Line: Hashable, Sendable {
        package let name: Text
        /// At least two positions each.
        package let parts: [[MapPosition]]
    }

    package struct Lake: Hashable, Sendable {
        package let name: Text
        /// The shore and the islands, to be filled by the rule of even and odd; at least three positions each, of which the
        /// last is not the first again.
        package let rings: [[MapPosition]]
    }

    /// A town, or a region with the position of its name.
    package struct Town: Hashable, Sendable {
        package let name: Text
        /// The size: 14 from ten million inhabitants, 12 from a million, 10 from 200,000, 8 from 50,000, 6 from 10,000; 4 and
        /// less for villages, and for quarters of cities.
        package let rank: Int
        package let position: MapPosition
    }

    /// Borders between countries that are agreed, and lines that are disputed.
    package private(set) var borders: [Line] = []
    package private(set) var disputed: [Line] = []
    /// Borders between the provinces of South Korea.
    package private(set) var provinces: [Line] = []
    package private(set) var rivers: [Line] = []
    package private(set) var lakes: [Lake] = []
    /// The greatest first.
    package private(set) var towns: [Town] = []
    /// The provinces of South Korea that are no cities, each with all places where its name may stand.
    package private(set) var regions: [Town] = []

    /// Finds the features in a rectangle.
    ///
    /// - Parameters:
    ///   - bounds: The rectangle; its meridians may be past 180, and those of the result are between them.
    ///   - scale: Units of the drawing per metre, in the middle. A unit is about a pixel.
    ///   - tolerance: How far a simplified line may be from the exact one, in units.
    ///
    /// What is known too inexactly for the rectangle is missing: on less than 20 kilometres, all of Natural Earth but towns; on
    /// less than 5, all but provinces. So are lakes that are smaller than four units. Nothing is in a rectangle that is none, or
    /// not on the earth (longitudes of ±720 degrees), and at a scale outside of 1e-9 to 1,000.
    package init(in bounds: MapBounds, scale: Double, tolerance: Double = 0.7) {
        guard bounds.west < bounds.east, bounds.south < bounds.north, bounds.west >= -720, bounds.east <= 720,
            bounds.south >= -90, bounds.north <= 90, (1e-9...1e3).contains(scale)
        else { return }
        let view = MapFeatureView(bounds, scale: scale, tolerance: tolerance)
        let level = view.level
        if view.extent >= 20_000 {
            borders = view.lines(of: Self.index.borders) { $0 == 0 }
            disputed = view.lines(of: Self.index.borders) { $0 == 1 }
            lakes = view.lakes(of: Self.index.lakes) { Double($0) <= level + 1 }
        }
        if view.extent >= 5_000 {
            let isCoarse = view.extent < 20_000
            rivers =
                level < 2
                ? [] : view.lines(of: Self.index.rivers) { isCoarse ? $0 >= 16 : Double($0 % 16) <= level + 1 }
            towns = view.towns(of: Self.index.cells)
        }
        if level >= 5.2 { provinces = view.lines(of: Self.index.provinces) { _ in true } }
        if (6.3...9.6).contains(level) { regions = view.regions(of: Self.index.regions) }
    }

    private static let index = Index()

    /// The features in their stored form.
    private struct Index {
        let borders = PackedFeature.all(in: MapFeatures.borders, steps: 1_000)
        let provinces = PackedFeature.all(in: MapFeatures.provinces, steps: 4_000)
        let rivers = PackedFeature.all(in: MapFeatures.rivers, steps: 1_000)
        let lakes = PackedFeature.all(in: MapFeatures.lakes, steps: 1_000)
        let cells = PackedTowns.cells(in: MapFeatures.towns)
        let regions = PackedTowns.regions(in: MapFeatures.regions)
    }
}

/// A position on the earth in degrees; the longitude may be past 180.
package struct MapPosition: Hashable, Sendable {
    package let longitude: Double, latitude: Double

    package init(longitude: Double, latitude: Double) {
        self.longitude = longitude
        self.latitude = latitude
    }
}

extension PackedNumbers {
    /// Reads both names that stand next; what has no Korean name has the same in both languages.
    fileprivate mutating func names() -> Text {
        let (english, korean) = (name(), name())
        return Text(english, korean.isEmpty ? english : korean)
    }

    private mutating func name() -> String {
        let name = rest.prefix { $0 != UInt8(ascii: "/") }
        skip(name.count + 1)
        return String(decoding: name, as: UTF8.self)
    }
}

/// Lines or a lake of ``MapFeatures`` in their stored form, of which only the bounds are known.
private struct PackedFeature {
    let rank: Int
    let bounds: MapBounds
    private let corner: (x: Int, y: Int)
    private let steps: Double
    private let rest: PackedNumbers

    static func all(in text: String, steps: Double) -> [PackedFeature] {
        Array(text.utf8).split(separator: UInt8(ascii: "\n")).map { PackedFeature($0, steps: steps) }
    }

    private init(_ text: ArraySlice<UInt8>, steps: Double) {
        var numbers = PackedNumbers(text)
        rank = numbers.number()
        corner = (numbers.difference(), numbers.difference())
        let (width, height) = (numbers.number(), numbers.number())
        bounds = MapBounds(
            west: Double(corner.x) / steps, south: Double(corner.y) / steps, east: Double(corner.x + width) / steps,
            north: Double(corner.y + height) / steps)
        self.steps = steps
        rest = numbers
    }

    func decoded() -> (name: Text, lines: [[MapPosition]]) {
        var numbers = rest
        let name = numbers.names()
        var (x, y) = corner
        let lines = (0..<numbers.number()).map { _ in
            (0..<numbers.number()).map { _ in
                x += numbers.difference()
                y += numbers.difference()
                return MapPosition(longitude: Double(x) / steps, latitude: Double(y) / steps)
            }
        }
        return (name, lines)
    }
}

/// The towns of a cell of ``MapFeatures`` in their stored form.
private struct PackedTowns {
    static let degrees = 10
    static let columns = 360 / degrees

    private let corner: (x: Int, y: Int)
    private let rest: PackedNumbers

    /// The cells by row and column from the south-west.
    static func cells(in text: String) -> [Int: PackedTowns] {
        let cells = Array(text.utf8).split(separator: UInt8(ascii: "\n")).map { line in
            var numbers = PackedNumbers(line)
            let (column, row) = (numbers.number(), numbers.number())
            return (
                row * columns + column,
                PackedTowns(corner: (column * degrees - 180, row * degrees - 90), rest: numbers)
            )
        }
        return Dictionary(cells, uniquingKeysWith: { first, _ in first })
    }

    /// Calls `body` with each town from the greatest on, until it returns false.
    func forEach(_ body: (MapFeatures.Town) -> Bool) {
        var numbers = rest
        while !numbers.rest.isEmpty {
            let rank = numbers.number()
            let (east, north) = (Double(numbers.number()) / 1_000, Double(numbers.number()) / 1_000)
            let position = MapPosition(longitude: Double(corner.x) + east, latitude: Double(corner.y) + north)
            guard body(MapFeatures.Town(name: numbers.names(), rank: rank, position: position)) else { return }
        }
    }

    static func regions(in text: String) -> [MapFeatures.Town] {
        var numbers = PackedNumbers(Array(text.utf8)[...])
        var regions: [MapFeatures.Town] = []
        while !numbers.rest.isEmpty {
            let (x, y) = (Double(numbers.difference()) / 1_000, Double(numbers.difference()) / 1_000)
            regions.append(
                MapFeatures.Town(
                    name: numbers.names(), rank: 0, position: MapPosition(longitude: x, latitude: y)))
        }
        return regions
    }
}

/// A rectangle of the earth at a scale, as a plane of units to the east and south of its north-western corner.
private struct MapFeatureView {
    let bounds: MapBounds
    /// The width in metres.
    let extent: Double
    /// The zoom level of maps on the web with this scale at the equator: 0 shows the earth on 256 pixels, and each level twice
    /// as much detail.
    let level: Double
    private let tolerance: Double
    private let unitsADegree: (across: Double, down: Double)
    private let rect: MapRect

    init(_ bounds: MapBounds, scale: Double, tolerance: Double) {
        self.bounds = bounds
        self.tolerance = tolerance
        let cosine = max(cos((bounds.south + bounds.north) / 2 * .pi / 180), 0.01)
        unitsADegree = (cosine * MapProjection.metresADegree * scale, MapProjection.metresADegree * scale)
        let (width, height) = (
            (bounds.east - bounds.west) * unitsADegree.across, (bounds.north - bounds.south) * unitsADegree.down
        )
        extent = width / scale
        level = log2(156_543 * scale)
        rect = MapRect(left: 0, top: 0, right: width, bottom: height)
    }

    func lines(of features: [PackedFeature], where isShown: (Int) -> Bool) -> [MapFeatures.Line] {
        visible(features, where: isShown) { name, lines, turn in
            let parts = lines.flatMap { MapGeometry.parts(of: points($0, turn), in: rect) }
                .map { MapGeometry.simplified($0, tolerance: tolerance) }
                .filter { $0.count > 2 || $0[0].distance(to: $0[1]) > 2 }
            return parts.isEmpty ? nil : MapFeatures.Line(name: name, parts: parts.map { $0.map(position) })
        }
    }

    func lakes(of features: [PackedFeature], where isShown: (Int) -> Bool) -> [MapFeatures.Lake] {
        visible(features, where: isShown) { name, rings, turn in
            var shown: [[MapPosition]] = []
            for (index, ring) in rings.enumerated() {
                let clipped = MapGeometry.clipped(points(ring, turn), to: rect)
                let simple = MapGeometry.simplified(closed: clipped, tolerance: tolerance)
                // Without a shore there are no islands.
                guard simple.count >= 3, MapGeometry.extent(of: simple) >= 4 else {
                    if index == 0 { return nil } else { continue }
                }
                shown.append(simple.map(position))
            }
            return MapFeatures.Lake(name: name, rings: shown)
        }
    }

    /// Fewer on a smaller scale; but where there are no great towns, the smaller ones are what one knows.
    func towns(of cells: [Int: PackedTowns]) -> [MapFeatures.Town] {
        let (usual, least, enough) = (leastRank, level >= 10 ? 0 : 2, 6)
        var found: [MapFeatures.Town] = []
        let size = PackedTowns.degrees
        for row in index(of: bounds.south + 90)...index(of: bounds.north + 90) {
            for turned in index(of: bounds.west + 180)...index(of: bounds.east + 180) {
                let turns = (Double(turned * size) / 360).rounded(.down)
                let column = turned - Int(turns) * PackedTowns.columns
                cells[row * PackedTowns.columns + column]?.forEach { town in
                    guard town.rank >= (found.count { $0.rank >= town.rank } < enough ? least : usual) else {
                        return false
                    }
                    let longitude = town.position.longitude + turns * 360
                    if bounds.contains(latitude: town.position.latitude, longitude: longitude) {
                        let position = MapPosition(longitude: longitude, latitude: town.position.latitude)
                        found.append(MapFeatures.Town(name: town.name, rank: town.rank, position: position))
                    }
                    return true
                }
            }
        }
        found.sort { ($1.rank, $0.name.english) < ($0.rank, $1.name.english) }
        return Array(found.prefix(max(found.count { $0.rank >= usual }, enough)))
    }

    func regions(of regions: [MapFeatures.Town]) -> [MapFeatures.Town] {
        regions.filter { bounds.contains(latitude: $0.position.latitude, longitude: $0.position.longitude) }
    }

    /// The rank from which a town is shown.
    private var leastRank: Int {
        let ranks = [(1.5, 14), (3, 13), (5, 12), (6.3, 11), (7.3, 10), (8.3, 8), (9.3, 6), (10.3, 5)]
        return ranks.first { level < $0.0 }?.1 ?? 0
    }

    private func index(of degrees: Double) -> Int {
        Int((degrees / Double(PackedTowns.degrees)).rounded(.down))
    }

    /// The features in view, for each turn of the earth that shows them.
    private func visible<Feature>(
        _ features: [PackedFeature], where isShown: (Int) -> Bool,
        _ feature: (Text, [[MapPosition]], Double) -> Feature?
    ) -> [Feature] {
        var found: [Feature] = []
        for packed in features where packed.bounds.south < bounds.north && packed.bounds.north > bounds.south {
            // A view across the 180th meridian, or of all meridians, shows features from the other end again.
            let first = ((bounds.west - packed.bounds.east) / 360).rounded(.up)
            let last = ((bounds.east - packed.bounds.west) / 360).rounded(.down)
            guard first <= last, isShown(packed.rank) else { continue }
            let (name, lines) = packed.decoded()
            for turn in stride(from: first, through: last, by: 1) {
                if let shown = feature(name, lines, turn * 360) { found.append(shown) }
            }
        }
        return found
    }

    private func points(_ positions: [MapPosition], _ turn: Double) -> [MapPoint] {
        positions.map {
            MapPoint(
                x: ($0.longitude + turn - bounds.west) * unitsADegree.across,
                y: (bounds.north - $0.latitude) * unitsADegree.down)
        }
    }

    private func position(_ point: MapPoint) -> MapPosition {
        MapPosition(
            longitude: bounds.west + point.x / unitsADegree.across, latitude: bounds.north - point.y / unitsADegree.down
        )
    }
}
