extension TravelRepository {
    /// Returns the timeline and the track of `travel` together with the travel as it is then: all belong to one version.
    ///
    /// - Throws: The errors of ``travel(_:viewer:)`` and ``timeline(of:viewer:)``.
    package func details(of travel: Travel, viewer: User.ID?) async throws -> TravelDetails {
        var before = travel
        while true {
            let timeline = try await timeline(of: travel.id, viewer: viewer)
            let track = try await track(of: travel.id, viewer: viewer)
            // Both were read between two reads of the travel: if they have the same version, so have they.
            let after = try await self.travel(travel.id, viewer: viewer)
            if after.version == before.version { return TravelDetails(travel: after, timeline: timeline, track: track) }
            before = after
        }
    }
}
