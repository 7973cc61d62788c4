/// An entry in a directory of places: the place, its names, and its region.
///
/// ```swift
/// try KnownPlace(
///     place: tower, englishName: "N Seoul Tower", otherNames: ["남산타워", "Namsan Tower"], region: .seoul)
/// ```
public struct KnownPlace: Hashable, Sendable {
    /// The place: its Korean name, its Korean address, and its coordinate.
    public let place: Place
    /// The location of the place, which every known place has.
    public let coordinate: Coordinate
    /// Its English name, such as `"Gyeongbokgung Palace"`.
    public let englishName: String
    /// Further names in either language, such as `"남산타워"` and `"Namsan Tower"` for N Seoul Tower.
    public let otherNames: [String]
    /// The region that contains the place.
    public let region: Region

    /// Creates a known place from its parts.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` when `place` has no coordinate.
    public init(place: Place, englishName: String, otherNames: [String] = [], region: Region) throws(TravelError) {
        guard let coordinate = place.coordinate else { throw .invalid(.init(.coordinate, .empty)) }
        self.place = place
        self.coordinate = coordinate
        self.englishName = englishName
        self.otherNames = otherNames
        self.region = region
    }
}
