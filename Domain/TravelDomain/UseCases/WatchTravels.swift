/// Observes one page of a search, as the signed-in person sees it.
///
/// ```swift
/// let watchTravels = WatchTravels(travels: travels, session: session)
/// for try await page in watchTravels(TravelCriteria(regions: [.busan])) { show(page.travels) }
/// ```
///
/// ``SearchTravels`` returns a page once.
public struct WatchTravels: Sendable {
    private let travels: any TravelObservingRepository
    private let session: any SessionRepository

    /// Creates the use case; `session` provides the viewer.
    public init(travels: any TravelObservingRepository, session: any SessionRepository) {
        self.travels = travels
        self.session = session
    }

    /// Observes the page that begins after `cursor`, of ``SearchTravels/pageSize`` travels; without a cursor, the first
    /// page.
    ///
    /// The viewer is the signed-in person when the iteration begins, if there is one. The sequence throws
    /// ``TravelError/invalid(_:)`` for a cursor from a search in another order, the errors of the session, and those of
    /// ``TravelObservingRepository/observe(_:)``. It ends when the task that iterates over it is cancelled.
    public func callAsFunction(
        _ criteria: TravelCriteria, after cursor: TravelCursor? = nil
    ) -> any AsyncSequence<TravelPage, any Error> & Sendable {
        DeferredSequence { [travels, session] in
            travels.observe(
                try TravelQuery(
                    criteria, viewer: await session.session()?.user, after: cursor, limit: SearchTravels.pageSize))
        }
    }
}
