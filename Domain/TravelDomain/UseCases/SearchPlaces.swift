/// Finds places by their names while someone types, to say where an entry was.
///
/// ```swift
/// let searchPlaces = SearchPlaces(places: Gazetteer.korea)
/// try await searchPlaces("gyeongbok").map(\.place.name)    // ["경복궁"]
/// ```
public struct SearchPlaces: Sendable {
    /// How many places are found at most.
    public static let limit = 20

    private let places: any PlaceRepository

    /// Searches in `places`.
    public init(places: any PlaceRepository) {
        self.places = places
    }

    /// The places that `text` fits, those it fits best first, as ``PlaceRepository/search(_:limit:)`` says; none for
    /// white space alone, without asking.
    public func callAsFunction(_ text: String) async throws -> [KnownPlace] {
        guard let keyword = Keyword(text) else { return [] }
        return try await places.search(keyword.text, limit: Self.limit)
    }
}
