/// Stores travels.
///
/// Every function throws ``TravelError``, or `CancellationError` when its task is cancelled before the answer is
/// available; a call that throws changes nothing. `TravelRepositoryContract` in `TravelDomainTesting` checks an
/// implementation against this documentation.
///
/// ```swift
/// try await repository.add([travel], images: [])
/// try await repository.setLiked(true, travel: travel.id, by: travel.author.id)
/// try await repository.travel(travel.id, viewer: nil).likeCount    // 1
/// ```
public protocol TravelRepository: Sendable {
    /// Returns one page of the travels that meet the criteria, in the order of the query.
    ///
    /// Following ``TravelPage/next`` to the end returns each travel that exists throughout exactly once, and each
    /// travel that is added in between at most once, regardless of other additions and removals. In the order of
    /// likes, this holds for travels whose number of likes does not change in between, and in the order of dates for those
    /// whose first day does not change: otherwise a travel moves to another position.
    ///
    /// - Throws: ``TravelError/unavailable(_:)`` when the store cannot answer; `CancellationError`.
    func search(_ query: TravelQuery) async throws -> TravelPage

    /// Returns the travel as `viewer` sees it.
    ///
    /// - Throws: ``TravelError/notFound(_:)`` when there is no such travel, or when `viewer` does not see it
    ///   according to ``Visibility``.
    func travel(_ id: Travel.ID, viewer: User.ID?) async throws -> Travel

    /// Returns the timeline of a travel, ordered by day and then by time.
    ///
    /// - Throws: ``TravelError/notFound(_:)`` when there is no such travel, or when `viewer` does not see it.
    func timeline(of id: Travel.ID, viewer: User.ID?) async throws -> [TimelineEntry]

    /// Returns the way of the recorded track of a travel; `nil` if it was not imported from one.
    ///
    /// - Throws: ``TravelError/notFound(_:)`` when there is no such travel, or when `viewer` does not see it.
    func track(of id: Travel.ID, viewer: User.ID?) async throws -> TrackGeometry?

    /// Adds complete travels, all or none, with their versions, times and tracks.
    ///
    /// Unknown authors are added too, without a picture; a known author keeps their nickname and their picture,
    /// whatever the travel says. Of `images`, those that a travel shows are stored.
    ///
    /// - Throws: ``TravelError/conflict(_:)`` when a travel, an entry or an image with the same ID already exists;
    ///   ``TravelError/notFound(_:)`` when a travel shows an image that is not among `images`.
    func add(_ travels: [RecordedTravel], images: [TravelImage]) async throws

    /// Sets whether `user` likes the travel. The call is idempotent.
    ///
    /// A like can be taken back even if the travel is hidden from `user` by now.
    ///
    /// - Throws: ``TravelError/notFound(_:)`` with the travel when there is none, or when `user` does not see it,
    ///   except to take back a like that they gave; with the person when there is no such person.
    func setLiked(_ isLiked: Bool, travel id: Travel.ID, by user: User.ID) async throws
}

extension TravelRepository {
    /// Adds complete travels without images, as ``add(_:images:)`` does.
    ///
    /// - Throws: The errors of ``add(_:images:)``.
    public func add(_ travels: [RecordedTravel]) async throws {
        try await add(travels, images: [])
    }
}
