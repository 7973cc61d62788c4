#if PostgreSQL
    /// Where a search changes from one way to the next; tests choose it so that few travels need all of them.
    struct SearchEffort: Sendable {
        /// The number of travels that are read in order first.
        var recentCount = 4_000
        /// The maximum number of travels with a rare keyword that are sorted.
        var sortedCount = 1_000
        /// The same of a search with filters, which would read more of the order.
        var filteredCount = 3_000
        /// The maximum number of ranges of cells that are read, each by a look-up in the index.
        var cellCount = 2_500
        /// The maximum number of cells that are read, a quarter of all: with more of them the order is read as fast.
        var cellSize = TraitCell.count / 4
        /// The maximum number of cells that are read, times the number of results among the next travels of the order:
        /// with 1,000,000 travels, where both ways take as long.
        var cellEffort = 3_000
    }
#endif
