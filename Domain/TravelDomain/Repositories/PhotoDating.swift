/// Finds the time at which a photo was taken, from the metadata that the camera wrote into its file.
///
/// An entry for the photo then begins with that day and time:
///
/// ```swift
/// let taken = photoDates.photoDate(of: image)
/// let day = taken?.dayNumber(in: travel.days) ?? 1
/// ```
public protocol PhotoDating: Sendable {
    /// Returns the time at which the photo was taken; `nil` when the file does not say so, or is damaged. It returns
    /// for all bytes: a file may say anything.
    func photoDate(of image: TravelImage) -> PhotoDate?
}
