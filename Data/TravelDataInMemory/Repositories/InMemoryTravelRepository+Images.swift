public import TravelDomain

extension InMemoryTravelRepository: ImageRepository {
    /// Returns the image with exactly the bytes that were added.
    ///
    /// - Throws: `TravelError.notFound` when there is no such image, or when `viewer` does not see its travel;
    ///   `CancellationError`.
    public func image(_ id: TravelImage.ID, viewer: User.ID?) async throws -> TravelImage {
        try Task.checkCancellation()
        guard let stored = images[id], let travel = travels[stored.travel], visibility(for: viewer).shows(travel) else {
            throw TravelError.notFound(.image(id))
        }
        return stored.image
    }
}
