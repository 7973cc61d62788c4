/// Finds places by name while someone types, or near the position of a photo, to locate a timeline entry.
///
/// ```swift
/// let searchPlaces = SearchPlaces(places: Gazetteer.korea)
/// try await searchPlaces("gyeongbok").map(\.place.name)    // ["경복궁"]
/// ```
public struct SearchPlaces: Sendable {
    /// The maximum number of places that a search returns.
    public static let limit = 20
    /// The maximum distance in metres of a place that is proposed for a position.
    public static let nearby = 1_000.0

    private let places: any PlaceRepository

    /// Creates the use case with the directory in which it searches.
    public init(places: any PlaceRepository) {
        self.places = places
    }

    /// Returns the places that match `text`, best matches first, as ``PlaceRepository/search(_:limit:)`` defines. Text
    /// that consists only of blanks returns none, without a request to the repository.
    ///
    /// - Throws: The errors of the repository; `CancellationError`.
    public func callAsFunction(_ text: String) async throws -> [KnownPlace] {
        guard let keyword = Keyword(text) else { return [] }
        return try await places.search(keyword.text, limit: Self.limit)
    }

    /// Returns the known place nearest to `coordinate`, at most ``nearby`` metres from it; `nil` if there is none.
    ///
    /// - Throws: The errors of the repository; `CancellationError`.
    public func callAsFunction(near coordinate: Coordinate) async throws -> KnownPlace? {
        try await places.nearest(to: coordinate, within: Self.nearby)
    }
}
