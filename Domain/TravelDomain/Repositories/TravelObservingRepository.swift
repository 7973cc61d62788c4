/// Where travels can be watched.
///
/// Each sequence gives the present value first, then a new one after each change that makes it another; equal values
/// never follow one another, and who is slow gets the newest value and none of those in between. A sequence ends when
/// the task that iterates over it is cancelled, and throws ``TravelError`` as the single look of the same kind does.
/// Each iteration watches on its own. `TravelObservingContract` in `TravelDomainTesting` checks an implementation.
///
/// ```swift
/// for try await travel in travels.observeTravel(id, viewer: me) {
///     show(travel.likeCount)
/// }
/// ```
public protocol TravelObservingRepository: Sendable {
    /// One page of a search.
    func observe(_ query: TravelQuery) -> any AsyncSequence<TravelPage, any Error> & Sendable

    /// One travel, as `viewer` sees it; ends with ``TravelError/notFound(_:)`` when it is there no longer for them.
    func observeTravel(_ id: Travel.ID, viewer: User.ID?) -> any AsyncSequence<Travel, any Error> & Sendable

    /// The timeline of a travel; ends with ``TravelError/notFound(_:)`` when the travel is there no longer for `viewer`.
    func observeTimeline(
        of id: Travel.ID, viewer: User.ID?
    ) -> any AsyncSequence<[TimelineEntry], any Error> & Sendable

    /// One day of a timeline, by time: what happens to other days does not repeat it. Empty for a day without entries;
    /// ends with ``TravelError/notFound(_:)`` when the travel is there no longer for `viewer`.
    ///
    /// - Parameter day: The day of the trip, 1-based.
    func observeTimeline(
        of id: Travel.ID, day: Int, viewer: User.ID?
    ) -> any AsyncSequence<[TimelineEntry], any Error> & Sendable
}
