public import TravelDomain

extension InMemoryTravelRepository: TravelObservingRepository {
    /// One page of a search, whenever it changes.
    public nonisolated func observe(_ query: TravelQuery) -> any AsyncSequence<TravelPage, any Error> & Sendable {
        InMemoryObservation(changes: changes) { try await self.search(query) }
    }

    /// One travel, whenever it changes.
    public nonisolated func observeTravel(
        _ id: Travel.ID, viewer: User.ID?
    ) -> any AsyncSequence<Travel, any Error> & Sendable {
        InMemoryObservation(changes: changes) { try await self.travel(id, viewer: viewer) }
    }

    /// The timeline of a travel, whenever it changes.
    public nonisolated func observeTimeline(
        of id: Travel.ID, viewer: User.ID?
    ) -> any AsyncSequence<[TimelineEntry], any Error> & Sendable {
        InMemoryObservation(changes: changes) { try await self.timeline(of: id, viewer: viewer) }
    }

    /// One day of a timeline, whenever it changes.
    public nonisolated func observeTimeline(
        of id: Travel.ID, day: Int, viewer: User.ID?
    ) -> any AsyncSequence<[TimelineEntry], any Error> & Sendable {
        InMemoryObservation(changes: changes) {
            try await self.timeline(of: id, viewer: viewer).filter { $0.day == day }
        }
    }
}
