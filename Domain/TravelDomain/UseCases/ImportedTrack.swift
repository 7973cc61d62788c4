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
    /// How the day of the travel was determined.
    public let dayOrigin: DayOrigin
    /// The time zones of the timeline, in the order of the journey, such as `Europe/Lisbon` or `UTC-1`.
    public let timeZones: [String]
    /// How the time zones were determined; of several, the least certain.
    public let timeZoneOrigin: TimeZoneOrigin
    /// The number of points whose time was missing or impossible and therefore estimated.
    public let estimatedTimes: Int
    /// The number of moments that were omitted on days with more than 30.
    public let omittedEntries: Int
    /// The number of names and notes of the track that did not fit and were shortened, with `…` at their ends.
    public let shortenedTexts: Int

    /// How the day of an imported travel was determined, to show if it was guessed.
    public enum DayOrigin: Hashable, Sendable {
        /// The points of the track have times.
        case recorded
        /// The caller specified the day of a track without times.
        case given
        /// No point of the track has a time; it is the day of the first mark.
        case marks
        /// No point of the track has a time; it is the day on which the file was written.
        case file
    }

    /// How the time zones of an imported travel were determined, to show if they were guessed.
    public enum TimeZoneOrigin: Int, Hashable, Sendable {
        /// The caller specified the zone.
        case given
        /// The track is in Korea.
        case korea
        /// It is the zone that a ``TimeZoneDirectory`` names for the coordinates: a guess.
        case coordinates
        /// The directory names none; it is that of the longitude, without daylight saving time: a guess.
        case longitude
    }

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
