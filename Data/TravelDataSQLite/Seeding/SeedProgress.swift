/// How far ``TravelDatabase/seed(count:seed:progress:)`` has got.
public enum SeedProgress: Hashable, Sendable {
    /// That many travels are written.
    case writing(travels: Int)
    /// All travels are written, and index number `index` of `count` is being made, from 1: what keeps searches fast. It is
    /// left out where most travels were there before, because there each index is kept up while travels are written.
    case indexing(_ index: Int, of: Int)
    /// All is written and about to be committed: from here on, cancelling may come too late.
    case committing
}
