/// How liked a travel is, in a byte: what `travel_level` knows of it.
///
/// Fewer than 64 likes are their own level; above, each doubling is cut into 16 levels. They are part of the file: a
/// change takes a migration.
enum LikeLevel {
    /// The highest level.
    static let last = 255

    /// The level of a travel with so many likes: none is higher than that of a travel with more.
    static func level(of likes: Int) -> Int {
        guard likes >= 64 else { return max(likes, 0) }
        let doublings = likes.bitWidth - 1 - likes.leadingZeroBitCount - 6
        return min(64 + doublings * 16 + (likes >> (doublings + 2)) & 15, last)
    }

    /// The most likes that a travel of this level can have.
    static func mostLikes(of level: Int) -> Int {
        guard level >= 64 else { return level }
        guard level < last else { return .max }
        let (doublings, part) = (level - 64).quotientAndRemainder(dividingBy: 16)
        return (part + 17) << (doublings + 2) - 1
    }
}
