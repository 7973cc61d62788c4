/// The number of likes, quantised to one byte, as the table `travel_level` stores it.
///
/// Numbers below 64 have one level each; above, each power of two is divided into 16 levels. The levels are part of the
/// file format; changing them requires a migration.
enum LikeLevel {
    /// The highest level.
    static let last = 255

    /// The level of a travel with that number of likes; monotonic.
    static func level(of likes: Int) -> Int {
        guard likes >= 64 else { return max(likes, 0) }
        let doublings = likes.bitWidth - 1 - likes.leadingZeroBitCount - 6
        return min(64 + doublings * 16 + (likes >> (doublings + 2)) & 15, last)
    }

    /// The greatest number of likes in this level.
    static func maximumLikes(of level: Int) -> Int {
        guard level >= 64 else { return level }
        guard level < last else { return .max }
        let (doublings, part) = (level - 64).quotientAndRemainder(dividingBy: 16)
        return (part + 17) << (doublings + 2) - 1
    }
}
