extension RecordedTravel {
    /// The image that represents the travel: the one its author chose, or else the first one in the timeline.
    public var thumbnail: TravelImage.ID? {
        content.thumbnail ?? timeline.lazy.compactMap(\.image).first
    }

    /// The images of the travel without duplicates: the one its author chose, then those of the timeline in order.
    public var images: [TravelImage.ID] {
        var seen: Set<TravelImage.ID> = []
        let all = (content.thumbnail.map { [$0] } ?? []) + timeline.compactMap(\.image)
        return all.filter { seen.insert($0).inserted }
    }
}
