/// The result of an import, with the facts that the traveller should know.
///
/// ```swift
/// let imported = try await importTrack(track, fileName: "북한산.gpx")
/// if imported.regionOrigin == .guess { askForTheRegion(of: imported.travel) }
/// if imported.estimatedTimes > 0 { tell("\(imported.estimatedTimes) times were estimated") }
/// ```
public struct ImportedTrack: Hashable, Sendable {
    /// The travel as it was stored, with its timeline.
    public let travel: RecordedTravel
    /// How the region was determined, to show if it was guessed.
    public let regionOrigin: RegionOrigin
    /// The number of points whose time was missing or impossible and therefore estimated.
    public let estimatedTimes: Int
    /// The number of moments that were omitted on days with more than 30.
    public let omittedEntries: Int
    /// The number of names and notes of the track that did not fit and were shortened, with `…` at their ends.
    public let shortenedTexts: Int

    /// How the region of an imported travel was determined.
    ///
    /// ```swift
    /// if imported.regionOrigin == .guess { ask("Is \(imported.travel.content.region) right?") }
    /// ```
    public enum RegionOrigin: Hashable, Sendable {
        /// The caller specified the region of the track.
        case given
        /// It is the region of the known places near most entries, or most are abroad.
        case entries
        /// All entries are in Korea, and none is near a known place; it is the region of the nearest one.
        case guess
    }
}
