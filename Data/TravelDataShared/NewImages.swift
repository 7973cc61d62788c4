package import TravelDomain

/// New images to be stored together with trips, each for exactly one trip.
///
/// A trip may show only images that it already had or that are among the new ones, and no image belongs to two trips.
/// Images that no trip shows are not stored.
package struct NewImages: Sendable {
    private var remaining: [TripImage.ID: TripImage] = [:]
    private var taken: Set<TripImage.ID> = []

    /// Collects `images`.
    ///
    /// - Throws: `TravelError.conflict` when two of them have the same ID.
    package init(_ images: [TripImage]) throws(TravelError) {
        for image in images {
            guard remaining.updateValue(image, forKey: image.id) == nil else { throw .conflict(.image(image.id)) }
        }
    }

    /// Removes and returns the images that `trip` shows and that are not in `before`, in the order of
    /// `RecordedTrip.images`.
    ///
    /// - Throws: `TravelError.notFound` when the trip shows an image that is neither here nor in `before`;
    ///   `TravelError.conflict` when another trip has taken the image.
    package mutating func take(
        for trip: RecordedTrip, besides before: some Sequence<TripImage.ID> = []
    ) throws(TravelError) -> [TripImage] {
        let before = Set(before)
        var images: [TripImage] = []
        for id in trip.images where !before.contains(id) {
            guard let image = remaining.removeValue(forKey: id) else {
                throw taken.contains(id) ? .conflict(.image(id)) : .notFound(.image(id))
            }
            taken.insert(id)
            images.append(image)
        }
        return images
    }
}
