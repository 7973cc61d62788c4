/// Observes a travel with its timeline, as the signed-in person sees them.
///
/// ```swift
/// let showTravel = ShowTravel(travels: travels, session: session)
/// for try await details in showTravel(id) {
///     show(details.travel.title, details.timeline)
/// }
/// ```
public struct ShowTravel: Sendable {
    private let travels: any TravelRepository & TravelObservingRepository
    private let session: any SessionRepository

    /// Creates the use case; `session` provides the viewer.
    public init(travels: any TravelRepository & TravelObservingRepository, session: any SessionRepository) {
        self.travels = travels
        self.session = session
    }

    /// Observes the travel: emits it first as it is now, and then after each change of its content, its timeline, its
    /// likes or the nickname of its author.
    ///
    /// The viewer is the signed-in person when the iteration begins, if there is one. The travel and the timeline of a
    /// value belong to one version. Consecutive values are never equal, and a slow consumer receives only the latest
    /// value. The sequence throws ``TravelError/notFound(_:)`` when the viewer no longer sees the travel, and other
    /// errors of the repositories; it ends when the task that iterates over it is cancelled.
    public func callAsFunction(_ id: Travel.ID) -> any AsyncSequence<TravelDetails, any Error> & Sendable {
        DeferredSequence<ViewedTravel, TravelDetails>(
            make: { [travels, session] in
                let viewer = try await session.session()?.user
                return ViewedTravels(base: travels.observeTravel(id, viewer: viewer), viewer: viewer)
            },
            complete: { [travels] viewed, last in
                // A like changes neither the timeline nor the track. (A travel that was removed and added again has other times.)
                if let last, last.travel.hasTimeline(of: viewed.travel) {
                    return TravelDetails(travel: viewed.travel, timeline: last.timeline, track: last.track)
                }
                return try await travels.details(of: viewed.travel, viewer: viewed.viewer)
            })
    }
}

extension Travel {
    /// Whether this is the same version of the same recording as `other`.
    fileprivate func hasTimeline(of other: Travel) -> Bool {
        (version, createdAt, updatedAt) == (other.version, other.createdAt, other.updatedAt)
    }
}

/// A travel and the person who sees it.
private struct ViewedTravel: Sendable {
    let travel: Travel
    let viewer: User.ID?
}

/// The travels of a sequence, with the person who sees them.
private struct ViewedTravels: AsyncSequence, Sendable {
    let base: any AsyncSequence<Travel, any Error> & Sendable
    let viewer: User.ID?

    struct Iterator: AsyncIteratorProtocol {
        var base: any AsyncIteratorProtocol<Travel, any Error>
        let viewer: User.ID?

        mutating func next(isolation actor: isolated (any Actor)?) async throws -> ViewedTravel? {
            try await base.next(isolation: actor).map { ViewedTravel(travel: $0, viewer: viewer) }
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator(), viewer: viewer) }
}
