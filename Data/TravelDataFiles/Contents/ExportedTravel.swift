/// A travel with the images that it shows: the complete content of an export.
///
/// ```swift
/// let exported = try ExportedTravel(travel, images: [photo])
/// let file = try TravelJSONWriter().data(for: [exported])
/// try TravelJSONReader().travels(in: file) == [exported]    // true
/// ```
public struct ExportedTravel: Hashable, Sendable {
    /// The travel with its timeline.
    public let travel: RecordedTravel
    /// The images of the travel without duplicates, in the order of `RecordedTravel.images`.
    public let images: [TravelImage]

    /// Collects the images that `travel` shows from `images`; images that it does not show are left out.
    ///
    /// - Throws: `TravelError.notFound` when the travel shows an image that is not among `images`, and
    ///   `TravelError.conflict` when two of them have the same ID.
    public init(_ travel: RecordedTravel, images: [TravelImage]) throws(TravelError) {
        var new = try NewImages(images)
        self.travel = travel
        self.images = try new.take(for: travel)
    }

    /// The image with that ID.
    func image(_ id: TravelImage.ID?) -> TravelImage? {
        images.first { $0.id == id }
    }
}
