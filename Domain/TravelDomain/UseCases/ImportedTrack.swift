/// What came of importing a track, and what the traveller should be told about it.
public struct ImportedTrack: Hashable, Sendable {
    /// The travel that is now in the store.
    public let travel: RecordedTravel
    /// How its region was found.
    public let regionOrigin: RegionOrigin
    /// Whether most of its entries lie outside the box around South Korea, so that no region is right.
    public let isOutsideKorea: Bool
    /// How many points had no time that can be true, and were given one.
    public let estimatedTimes: Int
    /// How many moments were left out of days that had more than 30.
    public let omittedEntries: Int

    /// How the region of an imported travel was found.
    public enum RegionOrigin: Hashable, Sendable {
        /// The caller named it.
        case given
        /// Most entries have a known place of it near.
        case entries
        /// No known place is near any entry: the nearest one, however far, decided.
        case guess
    }
}
