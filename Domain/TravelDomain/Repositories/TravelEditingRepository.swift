/// Changes and removes travels.
///
/// Every function throws ``TravelError`` or `CancellationError`; a call that throws changes nothing.
/// `TravelEditingContract` in `TravelDomainTesting` checks an implementation.
///
/// ```swift
/// try await repository.update(id, by: author) { _ in nil }    // removes the travel
/// ```
public protocol TravelEditingRepository: Sendable {
    /// Replaces a travel with the result of `change`; a result of `nil` removes it with its timeline, images and likes.
    ///
    /// The store changes what ``RecordedTravel/revision(of:)`` defines: the ID, the author, the time of recording and
    /// the likes stay the same, whatever `change` returns, and a result with other content, another timeline or another track
    /// increases the version by one. Of `images`, those that the changed travel shows are stored; images that it no
    /// longer shows are removed.
    ///
    /// No other change to the travel takes effect between the call of `change` whose result is stored and the storing,
    /// so that the checks of `change` hold. It may run more than once, with the travel as it is then, and only its last
    /// result counts: it must depend on its argument only, and have no other effect.
    ///
    /// - Parameters:
    ///   - id: The ID of the travel.
    ///   - version: The version that the travel must have; `nil` for any.
    ///   - user: The person who edits.
    ///   - images: New images that the result may show.
    ///   - change: Returns the changed travel.
    /// - Returns: The travel as it is stored now; `nil` when it was removed.
    /// - Throws: ``TravelError/notFound(_:)`` when there is no such travel, or when it would show an image that it
    ///   neither has nor finds in `images`; ``TravelError/forbidden(_:)`` when `user` is not its author, and then
    ///   ``TravelError/outdated(_:)`` when it has another version, both before `change` is called;
    ///   ``TravelError/conflict(_:)`` when a new entry or image has the ID of one in another travel; any error that
    ///   `change` throws; `CancellationError`.
    @discardableResult
    func update(
        _ id: Travel.ID, expecting version: TravelVersion?, by user: User.ID, adding images: [TravelImage],
        _ change: @escaping @Sendable (RecordedTravel) throws(TravelError) -> RecordedTravel?
    ) async throws -> RecordedTravel?
}

extension TravelEditingRepository {
    /// Changes or removes any version of a travel, by default without adding images, as
    /// ``update(_:expecting:by:adding:_:)`` does.
    ///
    /// - Throws: The errors of ``update(_:expecting:by:adding:_:)``.
    @discardableResult
    public func update(
        _ id: Travel.ID, by user: User.ID, adding images: [TravelImage] = [],
        _ change: @escaping @Sendable (RecordedTravel) throws(TravelError) -> RecordedTravel?
    ) async throws -> RecordedTravel? {
        try await update(id, expecting: nil, by: user, adding: images, change)
    }
}
