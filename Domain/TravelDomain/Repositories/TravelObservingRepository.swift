/// Observes travels.
///
/// Each sequence emits the current value first, and then a new value after each change that affects it. Consecutive
/// values are never equal, and a slow consumer receives only the latest value. A sequence ends when the task that
/// iterates over it is cancelled, and throws ``TravelError`` under the conditions of the corresponding lookup. Each
/// iterator observes independently. An implementation subscribes to its changes before it reads the first value,
/// because a change in between would be lost. `TravelObservingContract` in `TravelDomainTesting` checks an
/// implementation.
///
/// ```swift
/// for try await travel in travels.observeTravel(id, viewer: me) {
///     show(travel.likeCount)
/// }
/// ```
public protocol TravelObservingRepository: Sendable {
    /// Observes one page of a search: now, and again after each change of its travels.
    func observe(_ query: TravelQuery) -> any AsyncSequence<TravelPage, any Error> & Sendable

    /// Observes one travel as `viewer` sees it; throws ``TravelError/notFound(_:)`` when `viewer` no longer sees it.
    func observeTravel(_ id: Travel.ID, viewer: User.ID?) -> any AsyncSequence<Travel, any Error> & Sendable

    /// Observes the timeline of a travel; throws ``TravelError/notFound(_:)`` when `viewer` no longer sees the travel.
    func observeTimeline(
        of id: Travel.ID, viewer: User.ID?
    ) -> any AsyncSequence<[TimelineEntry], any Error> & Sendable

    /// Observes one day of a timeline, ordered by time. Changes to other days do not emit a value.
    ///
    /// The value is empty for a day without entries. The sequence throws ``TravelError/notFound(_:)`` when `viewer` no
    /// longer sees the travel.
    ///
    /// - Parameters:
    ///   - id: The ID of the travel.
    ///   - day: The day of the travel, 1-based.
    ///   - viewer: The viewer.
    func observeTimeline(
        of id: Travel.ID, day: Int, viewer: User.ID?
    ) -> any AsyncSequence<[TimelineEntry], any Error> & Sendable
}
