public import TravelDomain

extension InMemoryTravelRepository: ImageRepository {
    /// Returns the image with exactly the bytes that were added.
    ///
    /// - Throws: `TravelError.notFound` when there is no such image, or when `viewer` does not see its travel;
    ///   `CancellationError`.
    public func image(_ id: TravelImage.ID, viewer: User.ID?) async throws -> TravelImage {
        try Task.checkCancellation()
        let images = travels.values.filter(visibility(for: viewer).shows).flatMap(\.images) + avatars.values
        guard let image = images.first(where: { $0.id == id }) else { throw TravelError.notFound(.image(id)) }
        return image
    }
}
