/// The progress of ``TravelDatabase/seed(count:seed:progress:)``.
///
/// ```swift
/// try await database.seed(count: 100_000, seed: 7) { progress in
///     if case .writing(let travels) = progress { print("\(travels) travels") }
/// }
/// ```
public enum SeedProgress: Hashable, Sendable {
    /// That number of travels has been written.
    case writing(travels: Int)
    /// All travels are written, and index `index` of `count` is being created; both count from 1.
    ///
    /// Skipped when the database already had at least as many travels, because then the indexes are updated during
    /// writing.
    case indexing(_ index: Int, of: Int)
    /// All data is written and about to be committed; cancellation may no longer have an effect.
    case committing
}
