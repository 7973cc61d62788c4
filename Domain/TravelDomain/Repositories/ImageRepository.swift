/// Reads the images of travels and people.
///
/// ``TravelRepository/add(_:images:)`` and ``TravelEditingRepository/update(_:by:adding:_:)`` store images together
/// with the travels that show them, and an image is removed when no travel shows it any more: there is never an image
/// without its travel, nor a travel without its image. The same holds for people and their pictures, which
/// ``UserRepository/setAvatar(_:of:by:)`` stores. `ImageContract` in `TravelDomainTesting` checks an implementation.
///
/// ```swift
/// try await travels.add([travel], images: [photo])
/// try await travels.image(photo.id, viewer: nil) == photo    // true
/// ```
public protocol ImageRepository: Sendable {
    /// Returns the image with exactly the bytes that were added.
    ///
    /// Everyone sees the pictures of people.
    ///
    /// - Throws: ``TravelError/notFound(_:)`` when there is no such image, or when `viewer` does not see its travel;
    ///   ``TravelError/unavailable(_:)`` when it cannot be read; `CancellationError`.
    func image(_ id: TravelImage.ID, viewer: User.ID?) async throws -> TravelImage
}
