/// Where travels are kept.
///
/// Every function throws ``TravelError``, or `CancellationError` when its task is cancelled before the answer is
/// there; what threw has changed nothing. `TravelRepositoryContract` in `TravelDomainTesting` checks an
/// implementation against all that is said here.
public protocol TravelRepository: Sendable {
    /// One page of the travels that meet the criteria, in their order.
    ///
    /// Following ``TravelPage/next`` to the end shows each travel that was there from the first page to the last exactly
    /// once, whatever is added or removed meanwhile, and each that was added meanwhile at most once. In the order of
    /// likes, that holds of the travels whose likes do not change meanwhile: a like moves a travel to another place.
    func search(_ query: TravelQuery) async throws -> TravelPage

    /// The travel, as `viewer` sees it.
    ///
    /// - Throws: ``TravelError/notFound(_:)`` when there is none, or when `viewer` does not see it, as ``Visibility`` says.
    func travel(_ id: Travel.ID, viewer: User.ID?) async throws -> Travel

    /// The timeline of a travel: by day, then by time.
    ///
    /// - Throws: ``TravelError/notFound(_:)`` when there is no such travel, or when `viewer` does not see it.
    func timeline(of id: Travel.ID, viewer: User.ID?) async throws -> [TimelineEntry]

    /// Adds whole trips: all of them or, when it throws, none. An author not seen before is added too; one seen before
    /// keeps the nickname they have, whatever is given here. Of `images`, those that a travel shows are kept.
    ///
    /// - Throws: ``TravelError/conflict(_:)`` when a travel, an entry or an image with the same identity is there already;
    ///   ``TravelError/notFound(_:)`` when a travel shows an image that is not among `images`.
    func add(_ travels: [RecordedTravel], images: [TravelImage]) async throws

    /// Makes `user` like the travel, or no longer like it. Saying so twice is the same as once.
    ///
    /// - Throws: ``TravelError/notFound(_:)`` when there is no such travel, when `user` does not see it, or when there is no
    ///   such person.
    func setLiked(_ isLiked: Bool, travel id: Travel.ID, by user: User.ID) async throws
}

extension TravelRepository {
    /// Adds whole trips without images, as ``add(_:images:)`` does.
    public func add(_ travels: [RecordedTravel]) async throws {
        try await add(travels, images: [])
    }
}
