/// Where the images of travels are looked up.
///
/// They come with the travels that show them, by ``TravelRepository/add(_:images:)`` and
/// ``TravelEditingRepository/update(_:by:adding:_:)``, and go when no travel shows them any more: there is never an image
/// without its travel, nor a travel without its image. `ImageContract` in `TravelDomainTesting` checks an
/// implementation.
public protocol ImageRepository: Sendable {
    /// The image, byte for byte as it was added.
    ///
    /// - Throws: ``TravelError/notFound(_:)`` when there is none, or when `viewer` does not see its travel;
    ///   ``TravelError/unavailable(_:)`` when it cannot be read; `CancellationError`.
    func image(_ id: TravelImage.ID, viewer: User.ID?) async throws -> TravelImage
}
