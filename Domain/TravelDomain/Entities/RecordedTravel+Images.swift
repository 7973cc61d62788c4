extension RecordedTravel {
    /// The image that stands for the trip: the one its author chose, else the first of its timeline.
    public var thumbnail: TravelImage.ID? {
        content.thumbnail ?? timeline.lazy.compactMap(\.image).first
    }

    /// The images it shows, each once: the one its author chose, then those of its timeline in order.
    public var images: [TravelImage.ID] {
        var seen: Set<TravelImage.ID> = []
        let all = (content.thumbnail.map { [$0] } ?? []) + timeline.compactMap(\.image)
        return all.filter { seen.insert($0).inserted }
    }
}
