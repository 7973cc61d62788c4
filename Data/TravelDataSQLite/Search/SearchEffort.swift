/// Where a search changes its way.
///
/// The answer is the same with any numbers; the standard ones are where the costs meet, at 100,000 travels and above.
package struct SearchEffort: Sendable {
    /// How many travels are visited before candidates are looked for.
    package var patience = 1_000
    /// Up to how many candidates by the keyword are sorted rather than found on the way.
    package var keywordCandidates = 1_000
    /// Up to how many candidates by the kind of trip are sorted rather than found on the way.
    package var kindCandidates = 8_000

    /// The standard numbers.
    package init() {}
}
