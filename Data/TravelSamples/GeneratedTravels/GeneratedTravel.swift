public import TravelDomain

/// A made-up travel of ``GeneratedTravels``, with the people it belongs to.
///
/// ```swift
/// let generated = try source.next()
/// let names = generated.likers.map { source.people[$0].nickname.text }
/// ```
///
/// People are identified by index, so that a store with numbered rows finds the row of a person without a lookup. This
/// is a class, because batches are sorted and passed on, and a reference is cheaper to copy than a travel.
public final class GeneratedTravel: Sendable {
    /// The travel, ready to be added to a repository. It has no likes yet: add those of ``likers``.
    public let travel: RecordedTravel
    /// The index of its author in ``GeneratedTravels/people``.
    public let author: Int
    /// The indices of the people who like it in ``GeneratedTravels/people``, in ascending order, without duplicates.
    public let likers: [Int]

    init(travel: RecordedTravel, author: Int, likers: [Int]) {
        (self.travel, self.author, self.likers) = (travel, author, likers)
    }
}
