/// Where travels are changed and removed.
///
/// Every function throws ``TravelError`` or `CancellationError`; what threw has changed nothing.
/// `TravelEditingContract` in `TravelDomainTesting` checks an implementation.
public protocol TravelEditingRepository: Sendable {
    /// Replaces a trip by what `change` makes of it, or removes it with its timeline, images and likes where that is `nil`.
    ///
    /// Nothing else happens to the trip while `change` runs, so that what it checks still holds when its result is
    /// stored. Identity, author, time of recording and likes stay what they were, whatever `change` returns. Of `images`,
    /// those that the trip then shows are kept; images that it shows no longer are removed.
    ///
    /// - Throws: ``TravelError/notFound(_:)`` when there is no such travel, or when it would show an image that it neither
    ///   has nor finds in `images`; ``TravelError/forbidden(_:)`` when `user` is not its author, before `change` is
    ///   called; ``TravelError/conflict(_:)`` when a new entry or image has the identity of one of another travel; what
    ///   `change` throws.
    func update(
        _ id: Travel.ID, by user: User.ID, adding images: [TravelImage],
        _ change: @escaping @Sendable (RecordedTravel) throws(TravelError) -> RecordedTravel?
    ) async throws
}

extension TravelEditingRepository {
    /// Changes or removes a trip without adding an image, as ``update(_:by:adding:_:)`` does.
    public func update(
        _ id: Travel.ID, by user: User.ID,
        _ change: @escaping @Sendable (RecordedTravel) throws(TravelError) -> RecordedTravel?
    ) async throws {
        try await update(id, by: user, adding: [], change)
    }
}
