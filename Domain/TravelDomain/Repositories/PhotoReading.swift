/// Finds when and where a photo was taken, from the metadata that the camera wrote into its file.
///
/// An entry for the photo then begins with that day and time, and with the nearest known place:
///
/// ```swift
/// let day = photos.photoDate(of: image)?.dayNumber(in: travel.days) ?? 1
/// let place = try await photos.photoCoordinate(of: image).flatMap { try await searchPlaces(near: $0) }
/// ```
///
/// Both functions return for all bytes: a file may say anything.
public protocol PhotoReading: Sendable {
    /// Returns the time at which the photo was taken; `nil` when the file does not say so, or is damaged.
    func photoDate(of image: TravelImage) -> PhotoDate?

    /// Returns the position at which the photo was taken; `nil` when the file does not say so, or is damaged.
    func photoCoordinate(of image: TravelImage) -> Coordinate?
}
