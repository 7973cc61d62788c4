public import TravelDomain

/// A directory of places held in memory.
///
/// ```swift
/// let found = try await Gazetteer.korea.search("gyeongbok", limit: 5)
/// found.map(\.place.name)    // ["경복궁"]
/// ```
public struct Gazetteer: PlaceRepository {
    /// Well-known places in all 17 regions of South Korea: sights, parks, temples, beaches, markets, stations.
    /// Coordinates are accurate to 500 metres; for a larger site, they are a point inside it.
    ///
    /// Two thirds of them were verified against public sources: the national standard data of tourist sites
    /// (전국관광지정보표준데이터), the sites of the Korea Tourism Organization, the bathing beaches of the Korea Meteorological
    /// Administration, the stations of the Korea Railroad Corporation, the temples of the Templestay programme, and
    /// public maps. The median deviation is 55 metres.
    public static let korea = Gazetteer(
        Region.ofKorea.flatMap { region in
            do {
                return try places(in: region, from: texts[region] ?? "")
            } catch {
                preconditionFailure("The places of \(region.rawValue): \(error)")
            }
        })

    /// All places in their original order.
    public let places: [KnownPlace]

    /// The names of each place, in the order of ``places``.
    private let names: [PlaceNames]
    private let indicesByName: [String: Int]

    /// Creates a directory of these places. If several have the same Korean name, ``place(named:)`` returns the first.
    public init(_ places: [KnownPlace]) {
        self.places = places
        self.names = places.map(PlaceNames.init)
        self.indicesByName = Dictionary(
            places.enumerated().map { ($1.place.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the place with exactly that Korean name.
    public func place(named name: some StringProtocol) -> KnownPlace? {
        indicesByName[String(name)].map { places[$0] }
    }

    /// Returns the places that match `text`, best matches first; see `PlaceRepository.search(_:limit:)`. Takes
    /// linear time in the number of places.
    ///
    /// If nothing matches, the text may be a name in an older or informal romanisation: `"Pusan"`, `"Cheju"`,
    /// `"Kyŏngbokkung"`. The result is then the places whose names begin with an alternative spelling of the text.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    public func search(_ text: String, limit: Int) async throws -> [KnownPlace] {
        try Task.checkCancellation()
        let text = PlaceText(text)
        guard limit > 0, !text.joined.isEmpty else { return [] }
        let fitting = places.indices.compactMap { index in
            names[index].bestMatch(of: text).map { (rank: $0, place: places[index]) }
        }
        if fitting.isEmpty { return Array(spelledLike(text).prefix(limit)) }
        return fitting.sorted { ($0.rank, $0.place.place.name) < ($1.rank, $1.place.place.name) }
            .prefix(limit).map(\.place)
    }

    private func spelledLike(_ text: PlaceText) -> [KnownPlace] {
        let words = text.spelledAlike
        if words.isEmpty { return [] }
        return places.indices.filter { names[$0].isSpelledLike(words) }.map { places[$0] }
            .sorted { $0.place.name < $1.place.name }
    }

    /// Returns the place nearest to `coordinate`; see `PlaceRepository.nearest(to:within:)`. Of equally near places
    /// it returns the first in ``places``.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    public func nearest(to coordinate: Coordinate, within meters: Double) async throws -> KnownPlace? {
        try Task.checkCancellation()
        let distances = places.map { (place: $0, meters: $0.coordinate.distance(to: coordinate)) }
        return distances.filter { $0.meters <= meters }.min { $0.meters < $1.meters }?.place
    }
}

extension Gazetteer {
    /// Parses the places in `text`, one per line.
    ///
    /// A line has the Korean name, the English name, the address, the latitude and the longitude in degrees, and
    /// optionally other names. `|` separates the fields, and commas separate the other names.
    ///
    ///     해운대해수욕장 | Haeundae Beach | 부산 해운대구 우동 | 35.1587 | 129.1604 | 해운대해변
    ///
    /// - Throws: ``MalformedLine`` for the first malformed line.
    static func places(in region: Region, from text: String) throws(MalformedLine) -> [KnownPlace] {
        var places: [KnownPlace] = []
        for line in TextLine.lines(of: text) {
            let fields = try line.fields(5, optional: 1)
            let otherNames = fields.count > 5 ? try line.list(fields[5]) : []
            places.append(
                try line.parse("place") { () throws(TravelError) in
                    let coordinate = try Coordinate(
                        latitude: Double(fields[3]) ?? .nan, longitude: Double(fields[4]) ?? .nan)
                    return try KnownPlace(
                        place: Place(name: fields[0], address: fields[2], coordinate: coordinate),
                        englishName: fields[1], otherNames: otherNames, region: region)
                })
        }
        return places
    }
}
