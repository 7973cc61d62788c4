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
    /// The places that `text` fits, at most `limit` of them, those it fits best first.
    ///
    /// It is compared with the Korean name, the English name and each of the other names, one at a time. It fits, from
    /// best to least,
    ///
    /// 1. a name that it is,
    /// 2. a name that it begins,
    /// 3. a name that has a beginning word for every word of it, in any order: `"tower seoul"`, `"gye pal"`,
    /// 4. a name that contains it, or all its words,
    ///
    /// and of each kind the Korean and the English name before the others.
    ///
    /// A word of several may also be the beginning of one in the address, or of the region's name (`"busan"`), so that
    /// `"강릉 경포대"` fits 경포대; a text that fits the address alone fits nothing. Among equals the order is that of the
    /// Korean names, so that the same search has the same answer every time.
    ///
    /// Names and text are compared without regard to the case of letters, to their accents, to how syllables are encoded,
    /// and to white space, hyphens, full stops and middle dots, because names are written with and without them. No other
    /// character is special.
    ///
    /// - Parameters:
    ///   - text: Part of a name. Nothing is found for a text in which there is nothing to compare.
    ///   - limit: How many places to answer with at most; nothing is found for 0 or less.
    func search(_ text: String, limit: Int) async throws -> [KnownPlace]

    /// The place that is nearest to `coordinate`, as the crow flies; `nil` when none is near enough.
    ///
    /// - Parameters:
    ///   - coordinate: Where to look.
    ///   - meters: How far away the place may be, in metres, that distance included.
    func nearest(to coordinate: Coordinate, within meters: Double) async throws -> KnownPlace?
}
