/// What a search takes the costs of its ways to be, counted in travels visited in their order (about 0.1 µs each).
///
/// The answer is the same with any numbers.
package struct SearchEffort: Sendable {
    /// How many travels are visited before candidates are looked for; then four times as many, and so on.
    package var patience = 1_000
    /// What it costs to look how many candidates there are.
    package var costOfLooking = 8_000
    /// What it costs to read a candidate and put it in order.
    package var costOfCandidate = 4
    /// How many candidates cost as much as the comparison of a title with the keyword.
    package var candidatesPerTitle = 8
    /// How many candidates are worth their cost for each travel visited in vain.
    package var candidatesPerVisit = 1

    /// The standard numbers, measured with 100,000 and 1,000,000 travels.
    package init() {}
}
