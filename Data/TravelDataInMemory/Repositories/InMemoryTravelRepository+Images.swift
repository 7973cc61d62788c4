public import TravelDomain

extension InMemoryTravelRepository: ImageRepository {
    /// The image.
    public func image(_ id: TravelImage.ID, viewer: User.ID?) async throws -> TravelImage {
        try Task.checkCancellation()
        guard let kept = images[id], let travel = travels[kept.travel], visibility(for: viewer).shows(travel) else {
            throw TravelError.notFound(.image(id))
        }
        return kept.image
    }
}
