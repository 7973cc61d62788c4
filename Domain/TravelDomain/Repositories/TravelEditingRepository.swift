/// Changes and removes travels.
///
/// Every function throws ``TravelError`` or `CancellationError`; a call that throws changes nothing.
/// `TravelEditingContract` in `TravelDomainTesting` checks an implementation.
public protocol TravelEditingRepository: Sendable {
    /// Replaces a travel with the result of `change`; a result of `nil` removes it with its timeline, images and likes.
    ///
    /// No other change to the travel happens while `change` runs, so that its checks still hold when its result is
    /// stored. The ID, the author, the time of recording and the likes stay the same, whatever `change` returns. Of
    /// `images`, those that the changed travel shows are stored; images that it no longer shows are removed.
    ///
    /// - Throws: ``TravelError/notFound(_:)`` when there is no such travel, or when it would show an image that it
    ///   neither has nor finds in `images`; ``TravelError/forbidden(_:)`` when `user` is not its author, before
    ///   `change` is called; ``TravelError/conflict(_:)`` when a new entry or image has the ID of one in another
    ///   travel; any error that `change` throws; `CancellationError`.
    func update(
        _ id: Travel.ID, by user: User.ID, adding images: [TravelImage],
        _ change: @escaping @Sendable (RecordedTravel) throws(TravelError) -> RecordedTravel?
    ) async throws
}

extension TravelEditingRepository {
    /// Changes or removes a travel without adding images, as ``update(_:by:adding:_:)`` does.
    ///
    /// - Throws: The errors of ``update(_:by:adding:_:)``.
    public func update(
        _ id: Travel.ID, by user: User.ID,
        _ change: @escaping @Sendable (RecordedTravel) throws(TravelError) -> RecordedTravel?
    ) async throws {
        try await update(id, by: user, adding: [], change)
    }
}
