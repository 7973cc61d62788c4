/// Where travels are changed and removed.
///
/// Every function throws ``TravelError`` or `CancellationError`; what threw has changed nothing.
/// `TravelEditingContract` in `TravelDomainTesting` checks an implementation.
public protocol TravelEditingRepository: Sendable {
    /// Replaces a trip by what `change` makes of it, or removes it with its timeline and likes where that is `nil`.
    ///
    /// Nothing else happens to the trip while `change` runs, so that what it checks still holds when its result is
    /// stored. Identity, author, time of recording and likes stay what they were, whatever `change` returns.
    ///
    /// - Throws: ``TravelError/notFound(_:)`` when there is no such travel; ``TravelError/forbidden(_:)`` when `user` is
    ///   not its author, before `change` is called; ``TravelError/conflict(_:)`` when a new entry has the identity of
    ///   one of another travel; what `change` throws.
    func update(
        _ id: Travel.ID, by user: User.ID,
        _ change: @escaping @Sendable (RecordedTravel) throws(TravelError) -> RecordedTravel?
    ) async throws
}
