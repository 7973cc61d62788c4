/// Decides whether an image may be published, before it is stored: a moderation service, say, or a filter on the
/// device.
///
/// ```swift
/// struct NoLargeImages: ImageReview {
///     func review(_ image: TravelImage) async throws {
///         if image.bytes.count > 1 << 20 { throw TravelError.refused(.image(image.id)) }
///     }
/// }
/// let saveEntry = SaveEntry(travels: travels, session: session, review: NoLargeImages(), now: { clock.now })
/// ```
public protocol ImageReview: Sendable {
    /// Returns if the image may be published. It may be called again for the same image, when an edit is repeated.
    ///
    /// - Throws: ``TravelError/refused(_:)`` when it may not; ``TravelError/unavailable(_:)`` when that cannot be
    ///   decided now; `CancellationError`. The image is not stored in any of these cases.
    func review(_ image: TravelImage) async throws
}

/// A review that accepts every image, the default of the use cases.
///
/// ```swift
/// let saveEntry = SaveEntry(travels: travels, session: session, review: .everyImage, now: { clock.now })
/// ```
public struct EveryImageAccepted: ImageReview {
    /// Creates the review, which has no state: all are equal.
    public init() {}

    /// Returns immediately, and throws nothing: every image may be published.
    public func review(_ image: TravelImage) async throws {}
}

extension ImageReview where Self == EveryImageAccepted {
    /// A review that accepts every image, the default of the use cases.
    public static var everyImage: EveryImageAccepted { EveryImageAccepted() }
}
