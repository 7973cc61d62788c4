/// What a search takes the costs of its ways to be, counted in travels visited in their order (about 0.04 µs each).
///
/// The answer is the same with any numbers.
package struct SearchEffort: Sendable {
    /// How many travels are visited before candidates are looked for; then four times as many, and so on.
    package var patience = 1_024
    /// Of so many travels, a power of two, one comes along to tell how far the search has got.
    package var stride = 256
    /// What it costs to look for candidates, however many there are.
    package var costOfLook = 2_048
    /// What it costs to read a candidate and put it in order.
    package var costOfCandidate = 20
    /// How many titles with the keyword, and how many travels with these, are so few that nothing else is tried.
    package var rareTitles = 100
    package var rareTravels = 400
    /// How many travels with these titles are so few that the bitmaps need not be read to tell which are the newest.
    package var fewTravels = 64
    /// What it costs to know one of the titles that have a gram of the keyword.
    package var costOfTitleKey = 4
    /// What it costs to compare a title with the keyword.
    package var costOfTitle = 48

    /// The standard numbers, measured with 100,000 and 1,000,000 travels.
    package init() {}
}
