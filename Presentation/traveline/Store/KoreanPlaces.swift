import TravelSamples
import TravelDomain

/// The places of Korea, which are read at the first search: most runs never need them.
struct KoreanPlaces: PlaceRepository {
    func search(_ text: String, limit: Int) async throws -> [KnownPlace] {
        try await Gazetteer.korea.search(text, limit: limit)
    }

    func nearest(to coordinate: Coordinate, within meters: Double) async throws -> KnownPlace? {
        try await Gazetteer.korea.nearest(to: coordinate, within: meters)
    }
}
