/// A directory of places, to look one up by its name or by where one is.
///
/// Both functions throw ``TravelError/unavailable(_:)`` when the directory cannot answer, or `CancellationError`
/// when their task is cancelled before the answer is there. They find nothing without throwing.
///
/// ```swift
/// try await places.search("해운대", limit: 10)      // 해운대해수욕장, …
/// try await places.search("haeundae", limit: 10)    // the same, by their English names
/// try await places.nearest(to: whereIAm, within: 500)
/// ```
public protocol PlaceRepository: Sendable {
    /// The places whose Korean or English name contains `text`, at most `limit` of them.
    ///
    /// Names and text are compared without regard to the case of letters, to how syllables are encoded, and to
    /// white space, because Korean names are written with and without it. No character is special. Names that
    /// begin with `text` come first; among equals the order is that of the Korean names, so that the same search
    /// has the same answer every time.
    ///
    /// - Parameters:
    ///   - text: Part of a name. Nothing is found for a text of white space alone.
    ///   - limit: How many places to answer with at most; nothing is found for 0 or less.
    func search(_ text: String, limit: Int) async throws -> [KnownPlace]

    /// The place that is nearest to `coordinate`, as the crow flies; `nil` when none is near enough.
    ///
    /// - Parameters:
    ///   - coordinate: Where to look.
    ///   - meters: How far away the place may be, in metres, that distance included.
    func nearest(to coordinate: Coordinate, within meters: Double) async throws -> KnownPlace?
}
