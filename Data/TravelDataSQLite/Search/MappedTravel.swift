/// The properties of a travel that the bitmaps store.
struct MappedTravel {
    let key: Int64
    let createdAt: Double
    let level: Int
    private let traits: Int64
    private let signature: TitleGrams.Signature

    init(key: Int64, traits: Int64, signature: TitleGrams.Signature, likes: Int, createdAt: Double) {
        (self.key, self.traits, self.signature, self.createdAt) = (key, traits, signature, createdAt)
        level = LikeLevel.level(of: likes)
    }

    /// The numbers of the bitmaps that contain the travel, without duplicates.
    var bitmaps: [Int] {
        traits.positionsOfBits + signature.bits.lazy.map { TravelBitmaps.firstOfTitles + $0 }
    }
}
