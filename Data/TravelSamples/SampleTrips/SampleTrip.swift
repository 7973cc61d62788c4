public import TravelDomain

/// A sample trip and the people who like it.
///
/// ```swift
/// let repository = InMemoryTravelRepository()
/// try await repository.add(SampleTrips.all.map(\.travel))
/// ```
public struct SampleTrip: Hashable, Sendable {
    /// The travel, ready to be added to a repository.
    public let travel: RecordedTravel
    /// The people who like it, in ascending order of ID; never its author.
    public let likedBy: [User.ID]

    /// Creates a sample from its parts.
    public init(travel: RecordedTravel, likedBy: [User.ID]) {
        self.travel = travel
        self.likedBy = likedBy
    }
}
