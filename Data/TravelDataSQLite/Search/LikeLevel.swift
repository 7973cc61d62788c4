/// How liked a travel is, roughly: what the bitmaps know of it.
enum LikeLevel {
    /// The fewest likes of each level, the lowest level first; below are the travels without likes.
    ///
    /// They are part of the file: the trigger `travel_is_mapped_anew` knows them too.
    static let fewestLikes = [1, 4, 16, 64, 256, 1_024, 4_096]

    /// The number of the lowest level's bitmap; the others follow.
    static let firstBitmap = 51

    /// The levels of a travel with so many likes: from the lowest up to its own.
    static func levels(of likes: Int) -> Range<Int> {
        0..<(fewestLikes.firstIndex { $0 > likes } ?? fewestLikes.count)
    }
}
