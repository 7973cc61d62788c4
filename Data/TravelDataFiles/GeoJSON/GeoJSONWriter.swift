public import Foundation

/// Writes a travel as GeoJSON (RFC 7946), which maps and geographic information systems read.
///
/// ```swift
/// let file = try GeoJSONWriter().data(for: travel)
/// try GeoJSONReader().contents(of: file) == .travel(travel)    // true for a travel without images
/// ```
///
/// The file is a `FeatureCollection`:
///
/// - **Entries** are features in the order of the timeline. An entry with a place on the map is a `Point`; any other
///   has no geometry. Their properties are `kind` (`"entry"`), `id`, `day`, `date`, `clock` (the local time of day), `name`
///   (the title), `description` (the text), and `place` and `address`.
/// - **The recorded track**, if the travel was imported from one, is a feature with a `LineString` or a `MultiLineString`
///   and the property `kind` (`"track"`).
/// - **Days** with at least two places are features with a `LineString` from place to place; one that crosses the 180th
///   meridian is cut there into a `MultiLineString`. Their properties are `kind` (`"day"`), `day` and `date`.
/// - **The rest** of the travel is in the member `traveline` of the collection, so that ``GeoJSONReader`` returns the
///   same travel again. Other programs ignore it.
///
/// Images are left out: ``TravelJSONWriter`` keeps them.
public struct GeoJSONWriter: Sendable {
    /// Creates a writer, which has no state and writes any number of files.
    public init() {}

    /// Returns a file with `travel`, in UTF-8 with sorted keys: the same travel always has the same bytes.
    ///
    /// - Throws: Nothing in practice; ``TravelFileError`` if a value cannot be written.
    public func data(for travel: RecordedTravel) throws(TravelFileError) -> Data {
        try JSONEncoder.sorted.encoded(GeoJSONTravel(travel))
    }
}
