/// A place that a directory of places knows: the place itself, what it is called in English, and its region.
public struct KnownPlace: Hashable, Sendable {
    /// The place: its Korean name, its Korean address, and where it is.
    public let place: Place
    /// Its English name, such as `"Gyeongbokgung Palace"`.
    public let englishName: String
    /// The region it lies in.
    public let region: Region

    /// A known place with these parts.
    public init(place: Place, englishName: String, region: Region) {
        self.place = place
        self.englishName = englishName
        self.region = region
    }
}
