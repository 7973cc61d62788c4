public import TravelDomain

extension CachedTravelRepository: TravelObservingRepository {
    /// Observes one page of a search: first the result of the local store, and then that of the remote store, if it
    /// differs. The first value waits for the remote store if the local one finds nothing and has no earlier answer to
    /// the query.
    public func observe(_ query: TravelQuery) -> any AsyncSequence<TravelPage, any Error> & Sendable {
        DeferredSequence<TravelPage, TravelPage> {
            try await self.preparePage(of: query)
            return self.local.observe(query)
        }
    }

    /// Observes one travel, as the local store knows it. The sequence throws the errors of ``travel(_:viewer:)``.
    public func observeTravel(
        _ id: Travel.ID, viewer: User.ID?
    ) -> any AsyncSequence<Travel, any Error> & Sendable {
        DeferredSequence<Travel, Travel> {
            try await self.prepareTravel(id, viewer: viewer)
            return self.local.observeTravel(id, viewer: viewer)
        }
    }

    /// Observes the timeline of a travel, as the local store knows it. The sequence throws the errors of
    /// ``timeline(of:viewer:)``.
    public func observeTimeline(
        of id: Travel.ID, viewer: User.ID?
    ) -> any AsyncSequence<[TimelineEntry], any Error> & Sendable {
        DeferredSequence<[TimelineEntry], [TimelineEntry]> {
            try await self.prepareTimeline(of: id, viewer: viewer)
            return self.local.observeTimeline(of: id, viewer: viewer)
        }
    }

    /// Observes one day of a timeline, as the local store knows it. The sequence throws the errors of
    /// ``timeline(of:viewer:)``.
    public func observeTimeline(
        of id: Travel.ID, day: Int, viewer: User.ID?
    ) -> any AsyncSequence<[TimelineEntry], any Error> & Sendable {
        DeferredSequence<[TimelineEntry], [TimelineEntry]> {
            try await self.prepareTimeline(of: id, viewer: viewer)
            return self.local.observeTimeline(of: id, day: day, viewer: viewer)
        }
    }

    /// Fetches the page into the local store if that finds nothing; otherwise requests it in the background.
    private func preparePage(of query: TravelQuery) async throws {
        let request = TravelRequest.search(query)
        var isKnown = try await local.lastAnswer(to: request.key) != nil
        if !isKnown { isKnown = try await !local.search(query).travels.isEmpty }
        if !isKnown {
            // Without an answer, the page is what the local store finds, until the remote store answers in the
            // background.
            do { return try await fetch(request) } catch  where isOutage(error) {}
        }
        await state.enqueue(request)
    }
}
