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

    /// Returns what the store has to show an image in a size, or as it is with `nil`: the smaller picture that
    /// ``keep(_:of:in:)`` has stored, or else the image itself.
    ///
    /// One that keeps smaller pictures replaces the implementation here, which returns the image as that of someone else.
    ///
    /// - Throws: The errors of ``image(_:viewer:)``, whatever the size.
    func picture(_ id: TripImage.ID, in size: PictureSize?, viewer: User.ID?) async throws -> StoredPicture

    /// Stores a smaller picture beside the image that it shows, until the image is removed. It is no part of what the store
    /// has: neither a copy nor a backup needs it, because it can be made again.
    ///
    /// Does nothing if the store no longer has that image with the same bytes, or already has a picture in that size. The
    /// implementation here stores nothing.
    ///
    /// - Parameters:
    ///   - picture: A JPEG file without metadata.
    ///   - image: The image, as ``picture(_:in:viewer:)`` has returned it.
    ///   - size: The size of the picture.
    /// - Throws: ``TravelError/unavailable(_:)`` when it cannot be stored; `CancellationError`.
    func keep(_ picture: Data, of image: TripImage, in size: PictureSize) async throws
}

extension ImageRepository {
    public func picture(_ id: TripImage.ID, in size: PictureSize?, viewer: User.ID?) async throws -> StoredPicture {
        .original(try await image(id, viewer: viewer), isMine: false)
    }

    public func keep(_ picture: Data, of image: TripImage, in size: PictureSize) async throws {}
}

/// What a store has to show an image.
public enum StoredPicture: Hashable, Sendable {
    /// A smaller picture, as JPEG without metadata.
    case kept(Data)
    /// The image itself, with the metadata that its file may have, which is for its author only.
    case original(TripImage, isMine: Bool)
}

/// The sizes in which pages show an image.
public enum PictureSize: String, CaseIterable, Hashable, Sendable {
    /// In a list.
    case small
    /// On the page of a trip.
    case middle

    /// The most pixels in a direction.
    public var longestSide: Int {
        switch self {
        case .small: 320
        case .middle: 1_280
        }
    }
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
