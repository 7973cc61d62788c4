#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Stores the answers of another store, in addition to the content of a ``TravelStore``.
///
/// A store that implements both can be the cache of a remote one, as in `CachedTravelRepository` of `TravelDataCached`.
/// It then knows some travels only in part: the travels of a page without their timelines, images without their bytes,
/// and the number of likes without the people. Its other protocols apply to what it knows: searches find it, and
/// observers receive it when it changes.
///
/// ```swift
/// try await cache.store(fetched)                // a page of the server
/// try await cache.knowledge(of: travel.id)      // .withoutTimeline
/// ```
///
/// Every function throws ``TravelError`` or `CancellationError`; a call that throws changes nothing.
/// `TravelCacheContract` in `TravelDomainTesting` checks an implementation.
public protocol TravelCache: Sendable {
    /// Stores an answer of another store, all or nothing, as ``FetchedTravels`` describes.
    ///
    /// - Throws: ``TravelError/unavailable(_:)`` when the store cannot answer; `CancellationError`.
    func store(_ fetched: FetchedTravels) async throws

    /// Returns the time of the last answer to `question`; `nil` if there was none, or if the store has forgotten it.
    ///
    /// - Throws: ``TravelError/unavailable(_:)`` when the store cannot answer; `CancellationError`.
    func lastAnswer(to question: String) async throws -> Date?

    /// Returns how much of a travel the store knows, regardless of the viewer.
    ///
    /// - Throws: ``TravelError/unavailable(_:)`` when the store cannot answer; `CancellationError`.
    func knowledge(of id: Travel.ID) async throws -> TravelKnowledge

    /// Returns whether a travel or a person that the store knows shows the image, while the store does not know its
    /// bytes.
    ///
    /// - Throws: ``TravelError/unavailable(_:)`` when the store cannot answer; `CancellationError`.
    func lacksBytes(of image: TravelImage.ID) async throws -> Bool
}

/// How much of a travel a ``TravelCache`` knows.
///
/// ```swift
/// guard case .complete(let travel) = try await cache.knowledge(of: id) else { return try await download(id) }
/// ```
public enum TravelKnowledge: Hashable, Sendable {
    /// Nothing is known: the travel was never stored.
    case unknown
    /// All except the timeline is known, as after a search.
    case withoutTimeline
    /// All; the value has the current nickname of the author.
    case complete(RecordedTravel)
}
