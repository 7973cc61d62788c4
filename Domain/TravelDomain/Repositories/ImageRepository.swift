/// Reads the images of trips and people.
///
/// ``TripRepository/add(_:images:)`` and ``TripEditingRepository/update(_:by:adding:_:)`` store images together
/// with the trips that show them, and an image is removed when no trip shows it any more: there is never an image
/// without its trip, nor a trip without its image. The same holds for people and their pictures, which
/// ``UserRepository/setAvatar(_:of:by:)`` stores. `ImageContract` in `TravelDomainTesting` checks an implementation.
///
/// ```swift
/// try await trips.add([trip], images: [photo])
/// try await trips.image(photo.id, viewer: nil) == photo    // true
/// ```
public protocol ImageRepository: Sendable {
    /// Returns the image with exactly the bytes that were added.
    ///
    /// Everyone sees the pictures of people.
    ///
    /// - Throws: ``TravelError/notFound(_:)`` when there is no such image, or when `viewer` does not see its trip;
    ///   ``TravelError/unavailable(_:)`` when it cannot be read; `CancellationError`.
    func image(_ id: TripImage.ID, viewer: User.ID?) async throws -> TripImage
}

/// Decides whether an image may be published, before it is stored: a moderation service, say, or a filter on the
/// device.
///
/// ```swift
/// struct NoLargeImages: ImageReview {
///     func review(_ image: TripImage) async throws {
///         if image.bytes.count > 1 << 20 { throw TravelError.refused(.image(image.id)) }
///     }
/// }
/// let saveEntry = SaveEntry(trips: trips, session: session, review: NoLargeImages(), now: { clock.now })
/// ```
public protocol ImageReview: Sendable {
    /// Returns if the image may be published. It may be called again for the same image, when an edit is repeated.
    ///
    /// - Throws: ``TravelError/refused(_:)`` when it may not; ``TravelError/unavailable(_:)`` when that cannot be
    ///   decided now; `CancellationError`. The image is not stored in any of these cases.
    func review(_ image: TripImage) async throws
}

/// A review that accepts every image, the default of the use cases.
public struct EveryImageAccepted: ImageReview {
    public init() {}

    public func review(_ image: TripImage) async throws {}
}

extension ImageReview where Self == EveryImageAccepted {
    /// A review that accepts every image, the default of the use cases.
    public static var everyImage: EveryImageAccepted { EveryImageAccepted() }
}

/// Finds when and where a photo was taken, from the metadata that the camera wrote into its file.
///
/// An entry for the photo then begins with that day and time, and with the nearest known place:
///
/// ```swift
/// let day = photos.photoDate(of: image)?.dayNumber(in: trip.days) ?? 1
/// let place = try await photos.photoCoordinate(of: image).flatMap { try await searchPlaces(near: $0) }
/// ```
///
/// Both functions return for all bytes: a file may say anything.
public protocol PhotoReading: Sendable {
    /// Returns the time at which the photo was taken; `nil` when the file does not say so, or is damaged.
    func photoDate(of image: TripImage) -> PhotoDate?

    /// Returns the position at which the photo was taken; `nil` when the file does not say so, or is damaged.
    func photoCoordinate(of image: TripImage) -> Coordinate?
}
