/// Images on their way into a store, each to go with the one trip that shows it.
///
/// A store asks it what to keep: no trip may show an image that it neither had before nor brings along, and no image
/// belongs to two trips. Images that no trip has asked for in the end are not kept.
///
/// ```swift
/// var new = try NewImages([photo])
/// let kept = try new.take(for: trip)    // [photo], if the trip shows it
/// ```
public struct NewImages: Sendable {
    private var left: [TravelImage.ID: TravelImage] = [:]
    private var taken: Set<TravelImage.ID> = []

    /// These images.
    ///
    /// - Throws: ``TravelError/conflict(_:)`` when two of them have the same identity.
    public init(_ images: [TravelImage]) throws(TravelError) {
        for image in images {
            guard left.updateValue(image, forKey: image.id) == nil else { throw .conflict(.image(image.id)) }
        }
    }

    /// The images that `travel` shows besides those it had before, in the order of ``RecordedTravel/images``.
    ///
    /// - Throws: ``TravelError/notFound(_:)`` when it shows one that is in neither; ``TravelError/conflict(_:)`` when
    ///   another trip has taken it.
    public mutating func take(
        for travel: RecordedTravel, besides before: some Sequence<TravelImage.ID> = []
    ) throws(TravelError) -> [TravelImage] {
        let before = Set(before)
        var images: [TravelImage] = []
        for id in travel.images where !before.contains(id) {
            guard let image = left.removeValue(forKey: id) else {
                throw taken.contains(id) ? .conflict(.image(id)) : .notFound(.image(id))
            }
            taken.insert(id)
            images.append(image)
        }
        return images
    }
}
