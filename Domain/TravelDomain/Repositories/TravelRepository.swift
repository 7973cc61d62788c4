/// Where travels are kept.
///
/// Every function throws ``TravelError``, or `CancellationError` when its task is cancelled before the answer is
/// there; what threw has changed nothing. `TravelRepositoryContract` in `TravelDomainTesting` checks an
/// implementation against all that is said here.
public protocol TravelRepository: Sendable {
    /// One page of the travels that meet the criteria, in their order.
    ///
    /// Following ``TravelPage/next`` to the end shows each travel that was there from the first page on exactly
    /// once, whatever is added meanwhile.
    func search(_ query: TravelQuery) async throws -> TravelPage

    /// The travel, as `viewer` sees it.
    ///
    /// - Throws: ``TravelError/notFound(_:)`` when there is none.
    func travel(_ id: Travel.ID, viewer: User.ID?) async throws -> Travel

    /// The timeline of a travel: by day, then by time.
    ///
    /// - Throws: ``TravelError/notFound(_:)`` when there is no such travel.
    func timeline(of id: Travel.ID) async throws -> [TimelineEntry]

    /// Adds whole trips: all of them or, when it throws, none. An author not seen before is added too; the
    /// nickname of one seen before becomes the one given here.
    ///
    /// - Throws: ``TravelError/conflict(_:)`` when a travel or an entry with the same identity is there already.
    func add(_ travels: [RecordedTravel]) async throws

    /// Makes `user` like the travel, or no longer like it. Saying so twice is the same as once.
    ///
    /// - Throws: ``TravelError/notFound(_:)`` when there is no such travel, or no such person.
    func setLiked(_ isLiked: Bool, travel id: Travel.ID, by user: User.ID) async throws
}
