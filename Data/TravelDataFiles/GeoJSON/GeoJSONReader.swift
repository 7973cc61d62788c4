public import Foundation

/// Reads GeoJSON (RFC 7946): a travel that ``GeoJSONWriter`` wrote, or the points and lines of any other file.
///
/// ```swift
/// switch try GeoJSONReader().contents(at: URL(fileURLWithPath: "부산.geojson")) {
/// case .travel(let travel): print(travel.content.title)
/// case .track(let track): print("\(track.waypoints.count) places")
/// }
/// ```
///
/// A file is read as a whole or not at all. Of a file by another program, points become waypoints and lines become
/// segments of a track:
///
/// - **Names and notes** are the properties `name` or `title`, and `description`, `desc` or `comment`.
/// - **Times** are the properties `time` or `timestamp` of a point, and `coordTimes` or `coordinateProperties.times` of
///   a line, in ISO 8601. A time in another form counts as missing.
/// - **Areas** (`Polygon`, `MultiPolygon`) are ignored. Positions may have an elevation in metres.
public struct GeoJSONReader: Sendable {
    /// The maximum size of a file in bytes: 64 MiB.
    public static let maximumSize = 64 << 20

    private let maximumSize: Int

    /// The contents of a file.
    ///
    /// ```swift
    /// switch contents {
    /// case .travel(let travel): show(travel)
    /// case .track(let track): show(try await importTrack(track, fileName: "walk.geojson").travel)
    /// }
    /// ```
    public enum Contents: Hashable, Sendable {
        /// A travel that ``GeoJSONWriter`` wrote; it has no images.
        case travel(RecordedTravel)
        /// The points and lines of another file, for `ImportTrack`. It may be empty.
        case track(Track)
    }

    /// Creates a reader of files with at most `maximumSize` bytes.
    public init(maximumSize: Int = Self.maximumSize) {
        self.maximumSize = maximumSize
    }

    /// Returns the contents of the file at `url`.
    ///
    /// - Throws: ``TravelFileError`` with the problem, its place in the file, and the remedy.
    public func contents(at url: URL) throws(TravelFileError) -> Contents {
        try contents(of: FileContents.data(at: url, limit: maximumSize))
    }

    /// Returns the contents of a file that is in memory already.
    ///
    /// - Throws: ``TravelFileError`` with the problem, its place in the file, and the remedy.
    public func contents(of data: Data) throws(TravelFileError) -> Contents {
        try JSONText(data, limit: maximumSize).decode(GeoJSONRoot.self).contents
    }
}
