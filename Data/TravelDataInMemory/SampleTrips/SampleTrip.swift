public import TravelDomain

/// A trip that shows what the product is for, and who likes it.
public struct SampleTrip: Hashable, Sendable {
    /// The trip, ready to be added to a store.
    public let travel: RecordedTravel
    /// Who likes it, in ascending order; never its author.
    public let likedBy: [User.ID]

    /// A sample made of these parts.
    public init(travel: RecordedTravel, likedBy: [User.ID]) {
        self.travel = travel
        self.likedBy = likedBy
    }
}
