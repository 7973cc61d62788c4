public import TravelDomain

/// A directory of places held in memory.
///
/// ```swift
/// let found = try await Gazetteer.korea.search("gyeongbok", limit: 5)
/// found.map(\.place.name)    // ["경복궁"]
/// ```
public struct Gazetteer: PlaceRepository {
    /// Well-known places of all 17 regions of South Korea: sights, parks, temples, beaches, markets, stations.
    /// Coordinates are good to 500 metres; of something larger than that they are a point in it.
    public static let korea = Gazetteer(
        Region.allCases.flatMap { region in
            do {
                return try places(in: region, from: text(of: region))
            } catch {
                preconditionFailure("The places of \(region.rawValue): \(error)")
            }
        })

    /// All places, in the order in which they were given.
    public let places: [KnownPlace]

    /// The names of each place in the form in which they are compared, in the order of ``places``.
    private let foldedNames: [[String]]
    private let indicesByName: [String: Int]

    /// A directory of these places. Of several with the same Korean name, ``place(named:)`` knows the first.
    public init(_ places: [KnownPlace]) {
        self.places = places
        self.foldedNames = places.map { [Self.folded($0.place.name), Self.folded($0.englishName)] }
        self.indicesByName = Dictionary(
            places.enumerated().map { ($1.place.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The place with exactly that Korean name.
    public func place(named name: some StringProtocol) -> KnownPlace? {
        indicesByName[String(name)].map { places[$0] }
    }

    /// The places whose Korean or English name contains `text`; see ``PlaceRepository/search(_:limit:)``. Takes
    /// time in proportion to the number of places.
    public func search(_ text: String, limit: Int) async throws -> [KnownPlace] {
        try Task.checkCancellation()
        let part = Self.folded(text)
        guard limit > 0, !part.isEmpty else { return [] }
        let found = places.indices.filter { foldedNames[$0].contains { $0.contains(part) } }
        return found.map { (isPrefix: foldedNames[$0].contains { $0.hasPrefix(part) }, place: places[$0]) }
            .sorted { a, b in
                a.isPrefix == b.isPrefix ? a.place.place.name < b.place.place.name : a.isPrefix
            }
            .prefix(limit).map(\.place)
    }

    /// The place nearest to `coordinate`; see ``PlaceRepository/nearest(to:within:)``. Of two that are equally
    /// near, the first of ``places``.
    public func nearest(to coordinate: Coordinate, within meters: Double) async throws -> KnownPlace? {
        try Task.checkCancellation()
        let distances = places.map { (place: $0, meters: $0.place.coordinate.distance(to: coordinate)) }
        return distances.filter { $0.meters <= meters }.min { $0.meters < $1.meters }?.place
    }

    private static func folded(_ name: String) -> String {
        Keyword.folded(name).filter { !$0.isWhitespace }
    }
}
