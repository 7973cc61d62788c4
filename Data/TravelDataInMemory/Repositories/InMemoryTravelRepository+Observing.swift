public import TravelDomain

extension InMemoryTravelRepository: TravelObservingRepository {
    /// Observes one page of a search. The sequence throws the errors of ``search(_:)``.
    public nonisolated func observe(_ query: TravelQuery) -> any AsyncSequence<TravelPage, any Error> & Sendable {
        InMemoryObservation(changes: changes) { try await self.search(query) }
    }

    /// Observes one travel. The sequence throws the errors of ``travel(_:viewer:)``.
    public nonisolated func observeTravel(
        _ id: Travel.ID, viewer: User.ID?
    ) -> any AsyncSequence<Travel, any Error> & Sendable {
        InMemoryObservation(changes: changes) { try await self.travel(id, viewer: viewer) }
    }

    /// Observes the timeline of a travel. The sequence throws the errors of ``timeline(of:viewer:)``.
    public nonisolated func observeTimeline(
        of id: Travel.ID, viewer: User.ID?
    ) -> any AsyncSequence<[TimelineEntry], any Error> & Sendable {
        InMemoryObservation(changes: changes) { try await self.timeline(of: id, viewer: viewer) }
    }

    /// Observes one day of a timeline. The sequence throws the errors of ``timeline(of:viewer:)``.
    public nonisolated func observeTimeline(
        of id: Travel.ID, day: Int, viewer: User.ID?
    ) -> any AsyncSequence<[TimelineEntry], any Error> & Sendable {
        InMemoryObservation(changes: changes) {
            try await self.timeline(of: id, viewer: viewer).filter { $0.day == day }
        }
    }
}
