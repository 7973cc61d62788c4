/// A place that a directory of places knows: the place itself, what it is called, and its region.
public struct KnownPlace: Hashable, Sendable {
    /// The place: its Korean name, its Korean address, and where it is.
    public let place: Place
    /// Its English name, such as `"Gyeongbokgung Palace"`.
    public let englishName: String
    /// What else people call it, in either language, such as `"남산타워"` and `"Namsan Tower"` for N Seoul Tower.
    public let otherNames: [String]
    /// The region it lies in.
    public let region: Region

    /// A known place with these parts.
    public init(place: Place, englishName: String, otherNames: [String] = [], region: Region) {
        self.place = place
        self.englishName = englishName
        self.otherNames = otherNames
        self.region = region
    }
}
