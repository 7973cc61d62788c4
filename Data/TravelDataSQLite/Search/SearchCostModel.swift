/// The cost model with which a search chooses between its strategies.
///
/// The unit is one visited travel (about 0.04 µs). The results of a search do not depend on these numbers.
package struct SearchCostModel: Sendable {
    /// The number of visits before the first search for candidates; each further search follows after four times as
    /// many.
    package var initialVisits = 1_024
    /// One in so many travels is visited regardless of the filters, to measure progress; a power of two.
    package var sampleStride = 256
    /// The fixed cost of a search for candidates.
    package var lookupCost = 2_048
    /// The cost of reading and sorting one candidate.
    package var candidateCost = 20
    /// The numbers of titles with the keyword, and of travels with these titles, up to which no other strategy is
    /// considered.
    package var rareTitles = 100
    package var rareTravels = 400
    /// The number of travels with these titles up to which all are read, without using the bitmaps to find the newest.
    package var fewTravels = 64
    /// The number of likes of a person up to which all are read, to sort them by number of likes.
    package var fewLikes = 2_000
    /// The cost of looking up one title that contains a gram of the keyword.
    package var titleKeyCost = 4
    /// The cost of comparing a title with the keyword.
    package var titleCost = 48

    /// Creates the default cost model, measured with 100,000 and 1,000,000 travels.
    package init() {}
}
